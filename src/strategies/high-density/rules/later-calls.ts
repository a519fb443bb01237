import type { IContent } from '../../../content/content.ts';
import { writtenLines } from '../lines/shown-lines.ts';
import { type FileCall, linesShownBy } from './file-call.ts';
import { LaterLines } from './later-lines.ts';

/** What later calls do to one file and show of it, while a history is passed from its end. */
export class LaterCalls {
  /** Whether nothing touched the file for as many model calls as the rules ask for. */
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

  /** The first write in a later entry than that of the read that the pass has come to. */
  firstWriteAfter({ entry }: FileCall): FileCall | undefined {
    return this.#nextWrite !== undefined && this.#nextWrite.entry > entry ? this.#nextWrite : this.#writeBehind;
  }

  /** What is left of the file's lines. Calls are looked at only when this is asked for: those of most files never are. */
  get lines(): LaterLines {
    this.#lines ??= new LaterLines();
    const lines = this.#lines;
    for (; this.#seenCount < this.#calls.length && !lines.isReplaced; this.#seenCount++) {
      const call = this.#calls[this.#seenCount]!;
      if (call.writes.length > 0) lines.addWrite(call, writtenLines(call.call));
      else lines.addRead(call, linesShownBy(this.#history, call));
    }
    return lines;
  }
}
