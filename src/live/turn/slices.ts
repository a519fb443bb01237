/** A slice of work on a thread that also has other work. */
const SLICE_MS = 3;

/** Long work in slices, between which other work of this thread runs, and the time until which it may take. */
export class Slices {
  readonly #deadline: number;
  #until = performance.now() + SLICE_MS;

  constructor(mostMs: number) {
    this.#deadline = performance.now() + mostMs;
  }

  get isOver(): boolean {
    return performance.now() >= this.#until;
  }

  /** True if what is left is not to be done any more. */
  get isLate(): boolean {
    return performance.now() >= this.#deadline;
  }

  /** Lets other work run. */
  async rest(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#until = performance.now() + SLICE_MS;
  }
}
