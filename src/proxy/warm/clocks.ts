import { pingAfterMs } from '../../economics/warm/keep-warm.ts';

/** A moment by two clocks: one can be set, and one may stop while the computer sleeps. */
export interface Moment {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

export const momentNow = (): Moment => ({ wallMs: Date.now(), monotonicMs: performance.now() });

/** Runs the work later; returns what cancels that. */
export type Timer = (waitMs: number, work: () => void) => () => void;

/** Keeps no process alive. */
export const usualTimer: Timer = (waitMs, work) => {
  const timer = setTimeout(work, waitMs);
  timer.unref();
  return () => clearTimeout(timer);
};

/**
 * True if both clocks say that a ping is due now, at most half of the margin before or after. The provider counts by its own clock: if these
 * two disagree, the prompt may have expired, and a ping would write it again.
 */
export function isInTime(from: Moment, now: Moment, lifetimeMs: number): boolean {
  const dueMs = pingAfterMs(lifetimeMs);
  const marginMs = lifetimeMs - dueMs;
  const isNear = (elapsedMs: number): boolean => Math.abs(elapsedMs - dueMs) <= marginMs / 2;
  return isNear(now.wallMs - from.wallMs) && isNear(now.monotonicMs - from.monotonicMs);
}
