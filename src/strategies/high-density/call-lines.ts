import type { IContent, ToolCallBlock } from '../../content/content.ts';
import type { HistoryIndex } from './history-index.ts';
import type { ShownLines, WrittenLines } from './shown-lines.ts';

/** What the calls of a history show and write, each by its row. */
export class CallLines {
  readonly #history: readonly IContent[];
  readonly #index: HistoryIndex;
  readonly #lines: ShownLines;

  constructor(history: readonly IContent[], index: HistoryIndex, lines: ShownLines) {
    this.#history = history;
    this.#index = index;
    this.#lines = lines;
  }

  block(call: number): ToolCallBlock {
    const { entry, block } = this.#index.calls;
    return this.#history[entry[call]!]!.blocks[block[call]!] as ToolCallBlock;
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
    return this.#lines.ofResponse(this.#history[entry[response]!]!, block[response]!);
  }

  writtenBy(call: number): WrittenLines {
    return this.#lines.ofWrite(this.block(call));
  }

  /** What a read asked for; '' where that cannot be said. */
  requestOf(call: number): string {
    const { name, parameters } = this.block(call);
    try {
      return `${name} ${JSON.stringify(parameters)}`;
    } catch {
      return '';
    }
  }
}
