import { setTimeout as delay } from 'node:timers/promises';
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
export class RetryingProvider implements IProvider {
  readonly name: string;
  readonly #provider: IProvider;
  readonly #options: Required<RetryOptions>;

  constructor(provider: IProvider, options: RetryOptions = {}) {
    this.name = provider.name;
    this.#provider = provider;
    this.#options = {
      maxRetries: options.maxRetries ?? DEFAULT_MAX_RETRIES,
      deadlineMs: options.deadlineMs ?? DEFAULT_DEADLINE_MS,
      wait: options.wait ?? ((ms, signal) => delay(ms, undefined, { signal })),
      jitter: options.jitter ?? Math.random,
    };
  }

  async summarize(request: SummaryRequest): Promise<SummaryOutcome> {
    const { maxRetries, deadlineMs } = this.#options;
    const endsAtMs = performance.now() + deadlineMs;
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), deadlineMs);
    const signal = request.signal === undefined ? deadline.signal : AbortSignal.any([request.signal, deadline.signal]);
    let last: FailedSummary | undefined;
    try {
      for (let retries = 0; ; retries++) {
        const outcome = await this.#provider.summarize({ ...request, signal });
        if (outcome.kind === 'summary' || outcome.failure !== 'transient' || retries >= maxRetries) return outcome;
        last = outcome;
        const pauseMs = this.#pauseMs(outcome, retries);
        if (performance.now() + pauseMs >= endsAtMs) return outcome;
        await this.#options.wait(pauseMs, signal);
      }
    } catch (error) {
      request.signal?.throwIfAborted();
      if (!deadline.signal.aborted) throw error;
      const message = `${this.name}: no summary within ${deadlineMs / 1000} s`;
      return last ?? { kind: 'failed', failure: 'transient', message };
    } finally {
      clearTimeout(timer);
    }
  }

  #pauseMs({ retryAfterMs }: FailedSummary, retries: number): number {
    if (retryAfterMs !== undefined) return retryAfterMs;
    return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retries) * (0.5 + this.#options.jitter() / 2);
  }
}
