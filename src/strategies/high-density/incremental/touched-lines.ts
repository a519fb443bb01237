import { shownLines } from '../lines/shown-lines.ts';
import type { HistoryIndex } from './history-index.ts';

/** Lines of reads that count now and did not before, or no longer: only decisions on reads with such lines can change by them. */
export class TouchedLines {
  readonly #index: HistoryIndex;
  readonly #hashes = new Set<number>();

  constructor(index: HistoryIndex) {
    this.#index = index;
  }

  get isEmpty(): boolean {
    return this.#hashes.size === 0;
  }

  /** The lines that the results of this call show. */
  add(call: number): void {
    for (const lines of this.#shownBy(call)) for (let at = 0; at < lines.length; at++) this.#hashes.add(lines[at]!);
  }

  /** True if a result of this call shows one of the lines. */
  areShownBy(call: number): boolean {
    if (this.isEmpty) return false;
    for (const lines of this.#shownBy(call)) {
      for (let at = 0; at < lines.length; at++) if (this.#hashes.has(lines[at]!)) return true;
    }
    return false;
  }

  *#shownBy(call: number): Generator<readonly number[]> {
    const { history, links, responses } = this.#index;
    for (let at = links.lastResponse[call]!; at !== -1; at = links.previousResponse[at]!) {
      yield shownLines(history[responses.entry[at]!]!, responses.block[at]!);
    }
  }
}
