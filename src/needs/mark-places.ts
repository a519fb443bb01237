import type { IContent } from '../content/content.ts';
import type { RecordedEvents } from '../content/session-event.ts';
import { BlockMarks } from './block-marks.ts';

/** The entries of a session, and in which of them each line and name stands. */
export class MarkPlaces {
  readonly marks = new BlockMarks();
  /** In the order in which the session brought them. */
  readonly entries: readonly IContent[];
  readonly #orders = new Map<IContent, number>();
  /** By number of a mark: where its entries start among `#places`; they end where those of the next start. */
  readonly #starts: Int32Array;
  readonly #places: Int32Array;

  constructor({ events }: RecordedEvents) {
    for (const event of events) {
      const entries = event.kind === 'add' ? [event.content] : event.contents;
      for (const entry of entries) if (!this.#orders.has(entry)) this.#orders.set(entry, this.#orders.size);
    }
    this.entries = [...this.#orders.keys()];
    const numbers = this.entries.map(({ blocks }) => blocks.map((block) => this.marks.of(block)));
    // A start stands one place further on at first: putting its entries down moves it to where those of the next start.
    this.#starts = new Int32Array(this.marks.size + 2);
    for (const ofEntry of numbers) for (const ofBlock of ofEntry) count(ofBlock, this.#starts);
    addUp(this.#starts);
    this.#places = new Int32Array(this.#starts.at(-1)!);
    for (const [entry, ofEntry] of numbers.entries()) {
      for (const ofBlock of ofEntry) place(entry, ofBlock, { starts: this.#starts, places: this.#places });
    }
  }

  /** Number of an entry in the order in which the session brought them, from 0; `undefined` for one that it never had. */
  orderOf(entry: IContent): number | undefined {
    return this.#orders.get(entry);
  }

  /** The entries with a mark, by their numbers; one may stand there more than once. */
  entriesWith(mark: number): Int32Array {
    return this.#places.subarray(this.#starts[mark], this.#starts[mark + 1] ?? 0);
  }

  /** Whether a mark stands in one of the entries that are marked in `visible`, by their numbers. */
  isShown(mark: number, visible: Uint8Array): boolean {
    if (mark + 1 >= this.#starts.length) return false;
    const end = this.#starts[mark + 1]!;
    for (let at = this.#starts[mark]!; at < end; at++) if (visible[this.#places[at]!] === 1) return true;
    return false;
  }
}

function count(numbers: readonly number[], starts: Int32Array): void {
  for (let at = 0; at < numbers.length; at++) starts[numbers[at]! + 2]!++;
}

function addUp(counts: Int32Array): void {
  for (let at = 1; at < counts.length; at++) counts[at]! += counts[at - 1]!;
}

function place(
  entry: number,
  numbers: readonly number[],
  { starts, places }: { starts: Int32Array; places: Int32Array },
): void {
  for (let at = 0; at < numbers.length; at++) places[starts[numbers[at]! + 1]!++] = entry;
}
