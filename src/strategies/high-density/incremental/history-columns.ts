import type { CallFiles } from './call-files.ts';

/** Columns in the order of the history, one row for each call. */
export interface Calls {
  readonly entry: number[];
  readonly block: number[];
  readonly id: number[];
  readonly files: CallFiles[];
}

/** Columns in the order of the history, one row for each response. */
export interface Responses {
  readonly entry: number[];
  readonly block: number[];
  readonly id: number[];
  /** As in `CallResponse`. */
  readonly isFailure: boolean[];
  readonly isPruned: boolean[];
  readonly hasNotes: boolean[];
}

/** Keeps the first rows. */
export function cutColumns(columns: Calls | Responses, length: number): void {
  for (const column of Object.values<unknown[]>({ ...columns })) column.length = length;
}

/** The first row whose number is at least `least`, in a column that never falls. Logarithmic. */
export function firstFrom(column: readonly number[], least: number): number {
  let low = 0;
  let high = column.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (column[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
