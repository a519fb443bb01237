import type { CallResponse } from '../rules/file-call.ts';
import type { CallFiles } from './call-files.ts';

/** Columns in the order of the history, one row for each call. */
export class Calls {
  readonly entry: number[] = [];
  readonly block: number[] = [];
  readonly id: number[] = [];
  readonly files: CallFiles[] = [];

  cut(length: number): void {
    for (const column of [this.entry, this.block, this.id, this.files]) column.length = length;
  }
}

/** Columns in the order of the history, one row for each response. */
export class Responses {
  readonly entry: number[] = [];
  readonly block: number[] = [];
  readonly id: number[] = [];
  /** As in `CallResponse`. */
  readonly isFailure: boolean[] = [];
  readonly isPruned: boolean[] = [];
  readonly hasNotes: boolean[] = [];

  /** The facts of a row that was added. */
  addFacts({ isFailure, isPruned, hasNotes }: Pick<CallResponse, 'isFailure' | 'isPruned' | 'hasNotes'>): void {
    this.isFailure.push(isFailure);
    this.isPruned.push(isPruned);
    this.hasNotes.push(hasNotes);
  }

  cut(length: number): void {
    for (const column of [this.entry, this.block, this.id, this.isFailure, this.isPruned, this.hasNotes])
      column.length = length;
  }
}

/** The first row whose number is at least `least`, in a column that never falls. Logarithmic. */
export function firstFrom(column: readonly number[], least: number): number {
  let [low, high] = [0, column.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (column[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
