import type { ToolCallBlock } from '../../../content/content.ts';
import type { CallResponse, FileCall } from '../rules/file-call.ts';
import { filesRead, filesWritten, isPureRead } from './call-files.ts';
import type { HistoryIndex } from './history-index.ts';

/** A row of the index as a call for the rules. What few rules read of it is made when it is read. */
export class IndexedCall implements FileCall {
  readonly entry: number;
  readonly block: number;
  readonly readKeys: readonly number[];
  readonly writeKeys: readonly number[];
  readonly isPureRead: boolean;
  readonly #index: HistoryIndex;
  readonly #row: number;
  #responses: readonly CallResponse[] | undefined;

  constructor(index: HistoryIndex, row: number) {
    this.entry = index.calls.entry[row]!;
    this.block = index.calls.block[row]!;
    this.#index = index;
    this.#row = row;
    const files = index.calls.files[row]!;
    this.readKeys = filesRead(files);
    this.writeKeys = filesWritten(files);
    this.isPureRead = isPureRead(files);
  }

  get call(): ToolCallBlock {
    return this.#index.call(this.#row);
  }

  get responses(): readonly CallResponse[] {
    this.#responses ??= responsesOf(this.#index, this.#row);
    return this.#responses;
  }

  get reads(): readonly string[] {
    return this.readKeys.map((file) => this.#index.file(file));
  }

  get writes(): readonly string[] {
    return this.writeKeys.map((file) => this.#index.file(file));
  }

  get isAnswered(): boolean {
    return this.#index.links.lastResponse[this.#row] !== -1;
  }

  get mayHaveHappened(): boolean {
    const { links, responses } = this.#index;
    let at = links.lastResponse[this.#row]!;
    if (at === -1) return true;
    while (at !== -1 && responses.isFailure[at]) at = links.previousResponse[at]!;
    return at !== -1;
  }
}

function responsesOf(index: HistoryIndex, row: number): readonly CallResponse[] {
  const { lastResponse, previousResponse } = index.links;
  const own: CallResponse[] = [];
  for (let at = lastResponse[row]!; at !== -1; at = previousResponse[at]!) own.push(index.response(at));
  return own.reverse();
}
