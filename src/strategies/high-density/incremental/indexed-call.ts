import type { ToolCallBlock } from '../../../content/content.ts';
import type { CallResponse, FileCall } from '../rules/file-call.ts';
import { isPureRead } from './call-files.ts';
import type { HistoryIndex } from './history-index.ts';

const NOTHING: readonly string[] = [];

/** A row of the index as a call for the rules. Each part of it is made on first use. */
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
    const files = this.#index.calls.files[this.#row]!;
    if (typeof files === 'number') return files < 0 ? NOTHING : this.#index.fileAlone(files);
    return files.reads.map((file) => this.#index.file(file));
  }

  get writes(): readonly string[] {
    const files = this.#index.calls.files[this.#row]!;
    if (typeof files === 'number') return files < 0 ? this.#index.fileAlone(~files) : NOTHING;
    return files.writes.map((file) => this.#index.file(file));
  }

  get isPureRead(): boolean {
    return isPureRead(this.#index.calls.files[this.#row]!);
  }
}
