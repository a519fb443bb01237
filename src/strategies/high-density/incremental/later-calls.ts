import type { CallLines } from './call-lines.ts';
import { LaterLines } from './later-lines.ts';

/**
 * What later calls did to a file and show of it, while a history is passed from its end. A call is looked at when the
 * lines are asked for: those of most files never are.
 */
export class LaterCalls {
  /** Whether nothing touched the file for long enough. */
  readonly isQuiet: boolean;
  /** Entry of the last write that may have happened, -1 for none. */
  latestWrite = -1;
  /** The first write that was noted last, with its entry, and the first one in a later entry than it. */
  #nextWrite = -1;
  #nextWriteEntry = -1;
  #writeBehind = -1;
  /** Reads, and the complements of writes. */
  readonly #calls: number[] = [];
  #seenCount = 0;
  #lines: LaterLines | undefined;

  constructor(isQuiet: boolean) {
    this.isQuiet = isQuiet;
  }

  noteRead(call: number): void {
    this.#calls.push(call);
  }

  noteWrite(call: number, entry: number): void {
    if (this.latestWrite === -1) this.latestWrite = entry;
    if (entry !== this.#nextWriteEntry) this.#writeBehind = this.#nextWrite;
    this.#nextWrite = call;
    this.#nextWriteEntry = entry;
    this.#calls.push(~call);
  }

  /** The first write in a later entry than `entry`, which is no later than that of any call noted; -1 for none. */
  firstWriteAfter(entry: number): number {
    return this.#nextWriteEntry > entry ? this.#nextWrite : this.#writeBehind;
  }

  lines(of: CallLines): LaterLines {
    this.#lines ??= new LaterLines();
    const lines = this.#lines;
    for (; this.#seenCount < this.#calls.length && !lines.isReplaced; this.#seenCount++) {
      const call = this.#calls[this.#seenCount]!;
      if (call < 0) lines.addWritten(~call, of.writtenBy(~call));
      else lines.addRead(call, of.shownBy(call));
    }
    return lines;
  }
}
