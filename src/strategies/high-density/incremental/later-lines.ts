import type { WrittenLines } from './shown-lines.ts';

/** The lines of a file by their marks, as its later calls leave them, taken in from the latest on. */
export class LaterLines {
  /** The call that wrote the whole file, -1 for none: what it held before says nothing of it. */
  replacedBy = -1;
  /** The reads that show anything. */
  readonly reads: number[] = [];
  /** By line that is settled: the call that shows it, or the complement of the one that removed it. */
  readonly #settledBy = new Map<number, number>();

  get isReplaced(): boolean {
    return this.replacedBy !== -1;
  }

  addRead(call: number, marks: readonly number[]): void {
    if (marks.length > 0) this.reads.push(call);
    for (let at = 0; at < marks.length; at++) this.#settledBy.set(marks[at]!, call);
  }

  addWritten(call: number, { gone, shown, isWhole }: WrittenLines): void {
    this.#settle(gone, ~call);
    this.#settle(shown, call);
    if (isWhole) this.replacedBy = call;
  }

  #settle(marks: readonly number[], by: number): void {
    for (let at = 0; at < marks.length; at++) {
      if (!this.#settledBy.has(marks[at]!)) this.#settledBy.set(marks[at]!, by);
    }
  }

  /** Whether a line is shown later, or does not stand any more. */
  settles(mark: number): boolean {
    return this.isReplaced || this.#settledBy.has(mark);
  }

  /** The call that shows or removed a line that is settled: the next read that shows it, else the last write. */
  callThatSettles(mark: number): number {
    const by = this.#settledBy.get(mark) ?? this.replacedBy;
    return by < 0 ? ~by : by;
  }

  countShown(marks: readonly number[]): number {
    let count = 0;
    for (let at = 0; at < marks.length; at++) if ((this.#settledBy.get(marks[at]!) ?? -1) >= 0) count++;
    return count;
  }
}
