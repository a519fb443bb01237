import { blockTexts } from '../../content/block-text.ts';
import type { IContent } from '../../content/content.ts';
import type { Session } from '../../formats/contract.ts';

/** What is known of whether an entry holds a text. */
const [UNKNOWN, ABSENT, HELD] = [0, 1, 2] as const;

/** All texts of an entry, in lines of their own: what is looked for has no line end. */
const wholeText = ({ blocks }: IContent): string => blocks.flatMap(blockTexts).join('\n');

/** Whether a text without line ends stands in an entry, as it is written. */
export const holdsText = (entry: IContent, text: string): boolean => wholeText(entry).includes(text);

/** Where texts stand among the entries of a session: each entry is looked at once for each text. */
export class TextPlaces {
  /** In the order in which the session brought them. */
  readonly entries: readonly IContent[];
  readonly #orders = new Map<IContent, number>();
  readonly #texts: string[] = [];
  readonly #held = new Map<string, Uint8Array>();

  constructor({ events }: Session) {
    for (const event of events) {
      const entries = event.kind === 'add' ? [event.content] : event.contents;
      for (const entry of entries) if (!this.#orders.has(entry)) this.#orders.set(entry, this.#orders.size);
    }
    this.entries = [...this.#orders.keys()];
  }

  /** Number of an entry in the order in which the session brought them, from 0; `undefined` for one that it never had. */
  orderOf(entry: IContent): number | undefined {
    return this.#orders.get(entry);
  }

  /**
   * Whether one of the entries that are marked in `visible`, by their numbers, holds `text`, which has no line end; the
   * newest are looked at first.
   */
  stands(text: string, visible: Uint8Array): boolean {
    const held = this.#held.get(text) ?? new Uint8Array(this.entries.length);
    this.#held.set(text, held);
    for (let entry = visible.length - 1; entry >= 0; entry--) {
      if (visible[entry] === 0 || held[entry] === ABSENT) continue;
      if (held[entry] === UNKNOWN) held[entry] = this.#textOf(entry).includes(text) ? HELD : ABSENT;
      if (held[entry] === HELD) return true;
    }
    return false;
  }

  #textOf(entry: number): string {
    const known = this.#texts[entry];
    if (known !== undefined) return known;
    const text = wholeText(this.entries[entry]!);
    this.#texts[entry] = text;
    return text;
  }
}
