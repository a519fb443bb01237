import type { HistoryIndex } from './history-index.ts';
import type { ShownLines, WrittenLines } from './shown-lines.ts';

/** What the calls of a history show and write, each by its row. */
export class CallLines {
  readonly #index: HistoryIndex;
  readonly #lines: ShownLines;

  constructor(index: HistoryIndex, lines: ShownLines) {
    this.#index = index;
    this.#lines = lines;
  }

  /** The marks of the lines in all results of a call, its last result first. */
  shownBy(call: number): readonly number[] {
    const { lastResponse, previousResponse } = this.#index.links;
    let at = lastResponse[call]!;
    if (at === -1) return [];
    let marks = this.shownIn(at);
    for (at = previousResponse[at]!; at !== -1; at = previousResponse[at]!) marks = [...marks, ...this.shownIn(at)];
    return marks;
  }

  shownIn(response: number): readonly number[] {
    const { entry, block } = this.#index.responses;
    return this.#lines.ofResponse(this.#index.history[entry[response]!]!, block[response]!);
  }

  writtenBy(call: number): WrittenLines {
    return this.#lines.ofWrite(this.#index.call(call));
  }

  /** What a read asked for; '' where that cannot be said. */
  requestOf(call: number): string {
    const { name, parameters } = this.#index.call(call);
    try {
      return `${name} ${JSON.stringify(parameters)}`;
    } catch {
      return '';
    }
  }
}
