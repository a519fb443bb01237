import { Samples } from './samples.ts';

const INTERVAL_MS = 5;

/**
 * Measures how long the thread is blocked, by the delay of a 5 ms timer. The longest delay between `resume` and `pause`
 * is one sample; 0 if the timer was on time.
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

  /** Ends the stretch and returns its sample in milliseconds. */
  pause(): number {
    clearInterval(this.#timer);
    // The work just done may have delayed a tick that has not fired yet.
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
