import { setTimeout as delay } from 'node:timers/promises';
import { deadlineSignal } from '../../deadline.ts';
import type { FailedSummary, IProvider, SummaryOutcome, SummaryRequest } from '../../strategies/contract.ts';

const DEFAULT_MAX_RETRIES = 3;
const DEFAULT_DEADLINE_MS = 300_000;
/** The pause before the first retry; each next one is twice as long, up to the longest. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

export interface RetryOptions {
  /** Attempts after the first one; 0 for none. */
  readonly maxRetries?: number;
  /** Time for all attempts and pauses together. */
  readonly deadlineMs?: number;
  /** Waits between attempts; throws if the signal is aborted. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A number from 0 to 1 that spreads the retries of many clients. */
  readonly jitter?: () => number;
}

/**
 * Retries `transient` failures until the deadline, after the pause that the vendor requests, or else with increasing pauses.
 * It does not start a pause that would exceed the deadline.
 */
export function retryingProvider(provider: IProvider, options: RetryOptions = {}): IProvider {
  const { maxRetries = DEFAULT_MAX_RETRIES, deadlineMs = DEFAULT_DEADLINE_MS, jitter = Math.random } = options;
  const { wait = (ms, signal) => delay(ms, undefined, { signal }) } = options;
  const { name } = provider;
  const pauseOf = ({ retryAfterMs }: FailedSummary, retries: number): number =>
    retryAfterMs ?? Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retries) * (0.5 + jitter() / 2);
  const summarize = async (request: SummaryRequest): Promise<SummaryOutcome> => {
    const endsAtMs = performance.now() + deadlineMs;
    const message = `${name}: no summary within ${deadlineMs / 1000} s`;
    const deadline = deadlineSignal(deadlineMs, { signals: [request.signal], message });
    const { signal } = deadline;
    let last: FailedSummary | undefined;
    try {
      for (let retries = 0; ; retries++) {
        const outcome = await provider.summarize({ ...request, signal });
        if (outcome.kind === 'summary' || outcome.failure !== 'transient' || retries >= maxRetries) return outcome;
        last = outcome;
        const pauseMs = pauseOf(outcome, retries);
        if (performance.now() + pauseMs >= endsAtMs) return outcome;
        await wait(pauseMs, signal);
      }
    } catch (error) {
      request.signal?.throwIfAborted();
      if (!deadline.expired.aborted) throw error;
      return last ?? { kind: 'failed', failure: 'transient', message };
    } finally {
      deadline.clear();
    }
  };
  return { name, summarize };
}
