import type { WrittenLines } from './shown-lines.ts';

/** The lines of a file by their marks, as its later calls leave them, taken in from the latest on. */
export class LaterLines {
  /** Whether the whole file was written: what it held before says nothing of it. */
  isReplaced = false;
  /** The reads that show anything. */
  readonly reads: number[] = [];
  readonly #shown = new Set<number>();
  readonly #gone = new Set<number>();

  addRead(call: number, marks: readonly number[]): void {
    if (marks.length > 0) this.reads.push(call);
    for (let at = 0; at < marks.length; at++) this.#shown.add(marks[at]!);
  }

  addWritten({ gone, shown, isWhole }: WrittenLines): void {
    for (const mark of gone) if (!this.#shown.has(mark)) this.#gone.add(mark);
    for (const mark of shown) if (!this.#gone.has(mark)) this.#shown.add(mark);
    this.isReplaced = isWhole;
  }

  /** Whether a line is shown later, or does not stand any more. */
  settles(mark: number): boolean {
    return this.isReplaced || this.#shown.has(mark) || this.#gone.has(mark);
  }

  countShown(marks: readonly number[]): number {
    let count = 0;
    for (let at = 0; at < marks.length; at++) if (this.#shown.has(marks[at]!)) count++;
    return count;
  }
}
