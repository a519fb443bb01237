import type { IContent } from '../../../../content/content.ts';
import { writtenLines } from '../../lines/shown-lines.ts';
import { type FileCall, linesShownBy } from '../file-call.ts';
import { LaterLines } from './later-lines.ts';

/** The writes and reads of one file by later calls, during a pass from the end of a history. */
export class LaterCalls {
  /** True if no call used the file for as many model calls as the rules require. */
  readonly isQuiet: boolean;
  /** Entry of the last write, -1 for none. */
  lastWriteEntry = -1;
  /** The first write so far, and the first one in a later entry than it. */
  #nextWrite: FileCall | undefined;
  #writeBehind: FileCall | undefined;
  readonly #history: readonly IContent[];
  /** The latest first. */
  readonly #calls: FileCall[] = [];
  #seenCount = 0;
  #lines: LaterLines | undefined;

  constructor(history: readonly IContent[], { isQuiet }: { readonly isQuiet: boolean }) {
    this.#history = history;
    this.isQuiet = isQuiet;
  }

  noteRead(call: FileCall): void {
    this.#calls.push(call);
  }

  noteWrite(call: FileCall): void {
    if (this.#nextWrite === undefined) this.lastWriteEntry = call.entry;
    else if (call.entry !== this.#nextWrite.entry) this.#writeBehind = this.#nextWrite;
    this.#nextWrite = call;
    this.#calls.push(call);
  }

  /** The first write in a later entry than the current read of the pass. */
  firstWriteAfter({ entry }: FileCall): FileCall | undefined {
    return this.#nextWrite !== undefined && this.#nextWrite.entry > entry ? this.#nextWrite : this.#writeBehind;
  }

  /** The file's lines after the later calls. Computed on first use, because most files never need it. */
  get lines(): LaterLines {
    this.#lines ??= new LaterLines();
    const lines = this.#lines;
    for (; this.#seenCount < this.#calls.length && !lines.isReplaced; this.#seenCount++) {
      const call = this.#calls[this.#seenCount]!;
      if (call.writeKeys.length > 0) lines.addWrite(call, writtenLines(call.call));
      else lines.addRead(call, linesShownBy(this.#history, call));
    }
    return lines;
  }
}
