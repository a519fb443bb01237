import { TimeSlice } from '../../time-slice.ts';

/** A slice of work on a thread that also has other work. */
const SLICE_MS = 3;

/** Long work in slices, between which other work of this thread runs, and the time until which it may take. */
export class Slices extends TimeSlice {
  readonly #deadline: number;

  constructor(mostMs: number) {
    super(SLICE_MS);
    this.#deadline = performance.now() + mostMs;
  }

  /** True if what is left is not to be done any more. */
  get isLate(): boolean {
    return performance.now() >= this.#deadline;
  }
}
