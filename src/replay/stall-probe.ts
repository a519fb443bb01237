import { Samples } from './samples.ts';

const INTERVAL_MS = 5;

/**
 * Measures how long the thread was busy at a time: a timer of 5 ms, and by how much it is late. What happens between
 * `pause` and `resume` is not measured. Source: `monitorEventLoopDelay` misses a stall that starts right after `enable()`.
 */
export class StallProbe {
  readonly #clock: () => number;
  readonly #lateMs = new Samples();
  #timer: ReturnType<typeof setInterval> | undefined;
  #expectedAt = 0;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  resume(): void {
    this.pause();
    this.#expectedAt = this.#clock() + INTERVAL_MS;
    this.#timer = setInterval(() => this.#tick(), INTERVAL_MS);
  }

  pause(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    // What ran just now may have kept a tick from coming.
    const lateMs = this.#clock() - this.#expectedAt;
    if (lateMs > 0) this.#lateMs.add(lateMs);
  }

  /** Milliseconds by which each tick was late. */
  get lateMs(): Samples {
    return this.#lateMs;
  }

  #tick(): void {
    const now = this.#clock();
    this.#lateMs.add(Math.max(0, now - this.#expectedAt));
    this.#expectedAt = now + INTERVAL_MS;
  }
}
