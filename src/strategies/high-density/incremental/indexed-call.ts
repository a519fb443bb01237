import type { ToolCallBlock } from '../../../content/content.ts';
import type { CallResponse, FileCall } from '../rules/file-call.ts';
import { filesRead, filesWritten, isPureRead } from './call-files.ts';
import type { HistoryIndex } from './history-index.ts';

/** A row of the index as a call for the rules. Each part of it is made when it is read. */
export class IndexedCall implements FileCall {
  readonly entry: number;
  readonly block: number;
  readonly #index: HistoryIndex;
  readonly #row: number;

  constructor(index: HistoryIndex, row: number) {
    this.entry = index.calls.entry[row]!;
    this.block = index.calls.block[row]!;
    this.#index = index;
    this.#row = row;
  }

  get call(): ToolCallBlock {
    return this.#index.call(this.#row);
  }

  get responses(): readonly CallResponse[] {
    const { links, responses } = this.#index;
    const own: CallResponse[] = [];
    for (let at = links.lastResponse[this.#row]!; at !== -1; at = links.previousResponse[at]!) {
      own.push({ entry: responses.entry[at]!, block: responses.block[at]!, response: this.#index.response(at) });
    }
    return own.reverse();
  }

  get reads(): readonly string[] {
    return this.readKeys.map((file) => this.#index.file(file));
  }

  get writes(): readonly string[] {
    return this.writeKeys.map((file) => this.#index.file(file));
  }

  get readKeys(): readonly number[] {
    return filesRead(this.#index.calls.files[this.#row]!);
  }

  get writeKeys(): readonly number[] {
    return filesWritten(this.#index.calls.files[this.#row]!);
  }

  get isPureRead(): boolean {
    return isPureRead(this.#index.calls.files[this.#row]!);
  }
}
