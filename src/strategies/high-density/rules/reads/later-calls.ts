import type { IContent } from '../../../../content/content.ts';
import type { FileCause } from '../../../reasons/call-place.ts';
import { writtenLines } from '../../lines/shown-lines.ts';
import { type FileCall, linesShownBy, placeOfCall } from '../file-call.ts';
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
  /** The last write that was a cause, and as that. */
  #causeOf: FileCall | undefined;
  #cause: FileCause | undefined;
  readonly #history: readonly IContent[];
  /** The latest first. */
  #calls: FileCall[] | undefined;
  #seenCount = 0;
  #lines: LaterLines | undefined;

  constructor(history: readonly IContent[], { isQuiet }: { readonly isQuiet: boolean }) {
    this.#history = history;
    this.isQuiet = isQuiet;
  }

  noteRead(call: FileCall): void {
    this.#add(call);
  }

  noteWrite(call: FileCall): void {
    if (this.#nextWrite === undefined) this.lastWriteEntry = call.entry;
    else if (call.entry !== this.#nextWrite.entry) this.#writeBehind = this.#nextWrite;
    this.#nextWrite = call;
    this.#add(call);
  }

  /** The first write in a later entry than the current read of the pass, which there is. Reads share the cause if they can. */
  causeAfter({ entry }: FileCall, file: string): FileCause {
    const write = this.#nextWrite!.entry > entry ? this.#nextWrite! : this.#writeBehind!;
    if (write !== this.#causeOf) this.#cause = { file, call: placeOfCall(write) };
    this.#causeOf = write;
    return this.#cause!;
  }

  /** The file's lines after the later calls. Computed on first use, because most files never need it. */
  get lines(): LaterLines {
    this.#lines ??= new LaterLines();
    const lines = this.#lines;
    const calls = this.#calls ?? [];
    for (; this.#seenCount < calls.length && !lines.isReplaced; this.#seenCount++) {
      const call = calls[this.#seenCount]!;
      if (call.writeKeys.length > 0) lines.addWrite(call, writtenLines(call.call));
      else lines.addRead(call, linesShownBy(this.#history, call));
    }
    return lines;
  }

  /** Most files have one call: a list of one takes less memory than an empty one that grows. */
  #add(call: FileCall): void {
    if (this.#calls === undefined) this.#calls = [call];
    else this.#calls.push(call);
  }
}
