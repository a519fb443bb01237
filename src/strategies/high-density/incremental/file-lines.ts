import { shownLines } from '../lines/shown-lines.ts';
import { firstFrom } from './history-columns.ts';
import type { HistoryIndex } from './history-index.ts';

const PLACES = 1 << 12;

/** Lines of reads that count now and did not before, or no longer: only decisions on reads with such lines can change by them. */
export class TouchedLines {
  readonly #hashes = new Set<number>();
  /** By the last bits of a hash: 1 if a line has them. Most lines have others, and need no look-up. */
  readonly #places = new Uint8Array(PLACES);

  get isEmpty(): boolean {
    return this.#hashes.size === 0;
  }

  add(lines: readonly number[]): void {
    for (let at = 0; at < lines.length; at++) {
      this.#hashes.add(lines[at]!);
      this.#places[lines[at]! & (PLACES - 1)] = 1;
    }
  }

  /** The last one of the first `length` lines that is among them; -1 for none. */
  lastAmong(lines: Int32Array, length: number): number {
    if (this.isEmpty) return -1;
    for (let at = length - 1; at >= 0; at--) {
      if (this.#places[lines[at]! & (PLACES - 1)] === 1 && this.#hashes.has(lines[at]!)) return at;
    }
    return -1;
  }
}

/** The lines that the calls on one file show, one after the other in memory: to look at all of them takes less than to find them. */
export class FileLines {
  #hashes = new Int32Array(0);
  /** By the place of a call among those on the file: where the lines of the next one begin. */
  readonly #ends: number[] = [];

  /** Adds the calls on the file that are new; `calls` has all of them, the latest first. */
  add(calls: readonly number[], index: HistoryIndex): void {
    while (this.#ends.length < calls.length) {
      let end = this.#ends.at(-1) ?? 0;
      for (const lines of linesOfCall(index, calls[calls.length - 1 - this.#ends.length]!)) {
        this.#makeRoom(end + lines.length);
        this.#hashes.set(lines, end);
        end += lines.length;
      }
      this.#ends.push(end);
    }
  }

  /** The last of the first `count` calls that shows one of these lines, by its place; -1 if none does. Linear in their lines. */
  lastShowing(touched: TouchedLines, count: number): number {
    const at = touched.lastAmong(this.#hashes, this.#ends[count - 1] ?? 0);
    return at === -1 ? -1 : firstFrom(this.#ends, at + 1);
  }

  #makeRoom(length: number): void {
    if (length <= this.#hashes.length) return;
    const larger = new Int32Array(Math.max(length, this.#hashes.length * 1.5));
    larger.set(this.#hashes);
    this.#hashes = larger;
  }
}

/** The hashes of the lines that each result of a call shows. */
export function linesOfCall({ history, links, responses }: HistoryIndex, call: number): (readonly number[])[] {
  const lines: (readonly number[])[] = [];
  for (let at = links.lastResponse[call]!; at !== -1; at = links.previousResponse[at]!)
    lines.push(shownLines(history[responses.entry[at]!]!, responses.block[at]!));
  return lines;
}
