import type { WrittenLines } from './shown-lines.ts';

/** The lines of a file by their marks, as its later calls leave them, taken in from the latest on. */
export class LaterLines {
  /** Whether the whole file was written: what it held before says nothing of it. */
  isReplaced = false;
  /** The reads that show anything. */
  readonly reads: number[] = [];
  /** Of each line that is settled: whether it is shown. One that is not does not stand any more. */
  readonly #isShown = new Map<number, boolean>();

  addRead(call: number, marks: readonly number[]): void {
    if (marks.length > 0) this.reads.push(call);
    for (let at = 0; at < marks.length; at++) this.#isShown.set(marks[at]!, true);
  }

  addWritten({ gone, shown, isWhole }: WrittenLines): void {
    this.#settle(gone, false);
    this.#settle(shown, true);
    this.isReplaced = isWhole;
  }

  #settle(marks: readonly number[], isShown: boolean): void {
    for (let at = 0; at < marks.length; at++) {
      if (!this.#isShown.has(marks[at]!)) this.#isShown.set(marks[at]!, isShown);
    }
  }

  /** Whether a line is shown later, or does not stand any more. */
  settles(mark: number): boolean {
    return this.isReplaced || this.#isShown.has(mark);
  }

  countShown(marks: readonly number[]): number {
    let count = 0;
    for (let at = 0; at < marks.length; at++) if (this.#isShown.get(marks[at]!)) count++;
    return count;
  }
}
