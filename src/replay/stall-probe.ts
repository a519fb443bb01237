import { Samples } from './samples.ts';

const INTERVAL_MS = 5;

/**
 * Measures how long the thread was blocked: a timer of 5 ms, and by how much it is late. Between `resume` and `pause`
 * the worst lateness is one sample, 0 when the timer was on time.
 * Source: `monitorEventLoopDelay` misses a stall that starts right after `enable()`.
 */
export class StallProbe {
  /** Milliseconds, one sample for each stretch that was measured. */
  readonly stallMs = new Samples();
  readonly #clock: () => number;
  #timer: ReturnType<typeof setInterval> | undefined;
  #expectedAt = 0;
  #worstMs = 0;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  resume(): void {
    this.#worstMs = 0;
    this.#expectedAt = this.#clock() + INTERVAL_MS;
    this.#timer = setInterval(() => this.#tick(), INTERVAL_MS);
  }

  /** Ends the stretch and gives the milliseconds of its sample. */
  pause(): number {
    clearInterval(this.#timer);
    // What ran just now may have kept a tick from coming.
    this.#tick();
    this.stallMs.add(this.#worstMs);
    return this.#worstMs;
  }

  #tick(): void {
    const now = this.#clock();
    this.#worstMs = Math.max(this.#worstMs, now - this.#expectedAt);
    this.#expectedAt = now + INTERVAL_MS;
  }
}
