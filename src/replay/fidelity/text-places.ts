import { blockTexts } from '../../content/block-text.ts';
import type { IContent } from '../../content/content.ts';
import type { Session } from '../../formats/contract.ts';

/** Where a text was looked for, and found. */
interface Looked {
  until: number;
  readonly found: IContent[];
}

/** Whether a text stands in an entry, as it is written. */
export const holdsText = ({ blocks }: IContent, text: string): boolean =>
  blocks.some((block) => blockTexts(block).some((whole) => whole.includes(text)));

/** Where texts stand among the entries of a session: each entry is looked at once for each text. */
export class TextPlaces {
  /** In the order in which the session brought them. */
  readonly entries: readonly IContent[];
  readonly #orders = new Map<IContent, number>();
  readonly #looked = new Map<string, Looked>();

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

  /** Entries that hold `text`, among them all of order up to `last`. */
  entriesWith(text: string, last: number): readonly IContent[] {
    const looked = this.#looked.get(text) ?? { until: -1, found: [] };
    this.#looked.set(text, looked);
    while (looked.until < last) {
      const entry = this.entries[++looked.until]!;
      if (holdsText(entry, text)) looked.found.push(entry);
    }
    return looked.found;
  }
}
