import { blockTexts } from '../../content/block-text.ts';
import type { IContent } from '../../content/content.ts';
import type { Session } from '../../formats/contract.ts';

/** What is known of whether an entry holds a text. */
const [UNKNOWN, ABSENT, HELD] = [0, 1, 2] as const;

/** Whether a text stands in an entry, as it is written. */
export const holdsText = ({ blocks }: IContent, text: string): boolean =>
  blocks.some((block) => blockTexts(block).some((whole) => whole.includes(text)));

/** Where texts stand among the entries of a session: each entry is looked at once for each text. */
export class TextPlaces {
  /** In the order in which the session brought them. */
  readonly entries: readonly IContent[];
  readonly #orders = new Map<IContent, number>();
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

  /** Whether one of the entries that are marked in `visible`, by their numbers, holds `text`; the newest are looked at first. */
  stands(text: string, visible: Uint8Array): boolean {
    const held = this.#held.get(text) ?? new Uint8Array(this.entries.length);
    this.#held.set(text, held);
    for (let entry = visible.length - 1; entry >= 0; entry--) {
      if (visible[entry] === 0 || held[entry] === ABSENT) continue;
      if (held[entry] === UNKNOWN) held[entry] = holdsText(this.entries[entry]!, text) ? HELD : ABSENT;
      if (held[entry] === HELD) return true;
    }
    return false;
  }
}
