import { isResultForProgram } from '../content/calls/for-program.ts';
import { pairCalls } from '../content/calls/pairing.ts';
import type { IContent } from '../content/content.ts';
import { entriesOf, type RecordedEvents } from '../content/session-event.ts';
import { BlockHashes } from './block-hashes.ts';

/** The entries of a session, and which of them contain each line and name. */
export class SessionIndex {
  readonly hashes = new BlockHashes();
  /** Each entry once, in the order of the session. An entry's number is its position here. */
  readonly entries: readonly IContent[];
  readonly #numbers = new Map<IContent, number>();
  /** By id of a hash: where its entries start in `#found`; they end where those of the next id start. */
  readonly #starts: Int32Array;
  readonly #found: Int32Array;

  constructor({ events }: RecordedEvents) {
    for (const event of events) {
      for (const entry of entriesOf(event)) if (!this.#numbers.has(entry)) this.#numbers.set(entry, this.#numbers.size);
    }
    this.entries = [...this.#numbers.keys()];
    for (const paired of pairCalls(this.entries).responses)
      if (isResultForProgram(paired)) this.hashes.hide(paired.response);
    const ids = this.entries.map(({ blocks }) => blocks.map((block) => this.hashes.of(block)));
    // Starts are one position further on at first: `place` moves each to its final position.
    this.#starts = new Int32Array(this.hashes.size + 2);
    for (const ofEntry of ids) for (const ofBlock of ofEntry) count(ofBlock, this.#starts);
    addUp(this.#starts);
    this.#found = new Int32Array(this.#starts.at(-1)!);
    for (const [entry, ofEntry] of ids.entries()) {
      for (const ofBlock of ofEntry) place(entry, ofBlock, { starts: this.#starts, found: this.#found });
    }
  }

  /** The number of an entry; `undefined` if the session never contained it. */
  orderOf(entry: IContent): number | undefined {
    return this.#numbers.get(entry);
  }

  /** The numbers of the entries that contain this line or name; one number can occur several times. */
  entriesWith(id: number): Int32Array {
    return this.#found.subarray(this.#starts[id], this.#starts[id + 1] ?? 0);
  }

  /** True if an entry with a 1 in `visible`, at its number, contains this line or name. */
  isVisible(id: number, visible: Uint8Array): boolean {
    if (id + 1 >= this.#starts.length) return false;
    const end = this.#starts[id + 1]!;
    for (let at = this.#starts[id]!; at < end; at++) if (visible[this.#found[at]!] === 1) return true;
    return false;
  }
}

function count(ids: readonly number[], starts: Int32Array): void {
  for (let at = 0; at < ids.length; at++) starts[ids[at]! + 2]!++;
}

function addUp(counts: Int32Array): void {
  for (let at = 1; at < counts.length; at++) counts[at]! += counts[at - 1]!;
}

function place(
  entry: number,
  ids: readonly number[],
  { starts, found }: { starts: Int32Array; found: Int32Array },
): void {
  for (let at = 0; at < ids.length; at++) found[starts[ids[at]! + 1]!++] = entry;
}
