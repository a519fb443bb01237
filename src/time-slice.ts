import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';

/** How long work may block the thread before timers and input run. Source: no section over 4 ms, one long step included. */
const SLICE_MS = 2;

/** Cuts long synchronous work into slices of a few milliseconds. */
export class TimeSlice {
  readonly #lengthMs: number;
  #endsAtMs: number;

  constructor(lengthMs = SLICE_MS) {
    this.#lengthMs = lengthMs;
    this.#endsAtMs = performance.now() + lengthMs;
  }

  /** Whether the slice is used up; costs one clock reading. */
  isOver(): boolean {
    return performance.now() >= this.#endsAtMs;
  }

  /** Lets the event loop turn once and starts the next slice. */
  async next(): Promise<void> {
    await nextEventLoopTurn();
    this.#endsAtMs = performance.now() + this.#lengthMs;
  }
}
