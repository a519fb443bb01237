const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 60_000;
const FAILURES_BEFORE_REST = 2;

/** Leaves what failed twice in a row alone for a while, each time twice as long; one success forgets all failures. */
export class BackOff {
  readonly #nowMs: () => number;
  #failures = 0;
  #restUntilMs = 0;

  /** `nowMs` is a clock that never runs backwards. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  get isResting(): boolean {
    return this.#failures >= FAILURES_BEFORE_REST && this.#nowMs() < this.#restUntilMs;
  }

  noteFailure(): void {
    this.#failures++;
    if (this.#failures < FAILURES_BEFORE_REST) return;
    const restMs = FIRST_REST_MS * 2 ** (this.#failures - FAILURES_BEFORE_REST);
    this.#restUntilMs = this.#nowMs() + Math.min(LONGEST_REST_MS, restMs);
  }

  noteSuccess(): void {
    this.#failures = 0;
  }
}
