import { describe, expect, test } from 'vitest';
import { type RetryOptions, retryingProvider } from '../../../src/providers/failures/retrying-provider.ts';
import type { FailedSummary, IProvider, SummaryOutcome, SummaryRequest } from '../../../src/strategies/contract.ts';

const REQUEST: SummaryRequest = { instructions: '', input: '', maxOutputTokens: 10 };
const WRITTEN: SummaryOutcome = { kind: 'summary', text: 'done', isTruncated: false };
const busy = (more: Partial<FailedSummary> = {}): FailedSummary => ({
  kind: 'failed',
  failure: 'transient',
  message: 'busy',
  ...more,
});

/** Gives these outcomes in turn, the last one forever; a function is called with the request. */
class Scripted implements IProvider {
  readonly name = 'scripted';
  calls = 0;
  readonly #outcomes: (SummaryOutcome | ((request: SummaryRequest) => Promise<SummaryOutcome>))[];

  constructor(...outcomes: (SummaryOutcome | ((request: SummaryRequest) => Promise<SummaryOutcome>))[]) {
    this.#outcomes = outcomes;
  }

  async summarize(request: SummaryRequest): Promise<SummaryOutcome> {
    const outcome = this.#outcomes[Math.min(this.calls++, this.#outcomes.length - 1)]!;
    return typeof outcome === 'function' ? outcome(request) : outcome;
  }
}

/** Never answers; ends when it is aborted. */
const silent = ({ signal }: SummaryRequest): Promise<SummaryOutcome> =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));

function retrying(provider: IProvider, options: RetryOptions = {}): { asked: IProvider; pauses: number[] } {
  const pauses: number[] = [];
  const wait = async (ms: number): Promise<void> => void pauses.push(ms);
  return { asked: retryingProvider(provider, { wait, jitter: () => 1, ...options }), pauses };
}

describe('asking again', () => {
  test('retries transient failures, with increasing pauses', async () => {
    const provider = new Scripted(busy(), busy(), busy(), WRITTEN);
    const { asked, pauses } = retrying(provider);
    expect(await asked.summarize(REQUEST)).toBe(WRITTEN);
    expect([provider.calls, pauses]).toEqual([4, [1000, 2000, 4000]]);
  });

  test('spreads the pauses', async () => {
    const { asked, pauses } = retrying(new Scripted(busy(), WRITTEN), { jitter: () => 0 });
    await asked.summarize(REQUEST);
    expect(pauses).toEqual([500]);
  });

  test('waits as long as the vendor requests', async () => {
    const { asked, pauses } = retrying(new Scripted(busy({ retryAfterMs: 7000 }), WRITTEN));
    expect(await asked.summarize(REQUEST)).toBe(WRITTEN);
    expect(pauses).toEqual([7000]);
  });

  test('does not start a pause that outlasts the deadline', async () => {
    const late = busy({ retryAfterMs: 3_600_000 });
    const provider = new Scripted(late, WRITTEN);
    const { asked, pauses } = retrying(provider);
    expect(await asked.summarize(REQUEST)).toBe(late);
    expect([provider.calls, pauses]).toEqual([1, []]);
  });

  test('ends after the retries that are allowed, with the last failure', async () => {
    const provider = new Scripted(busy());
    const { asked } = retrying(provider, { maxRetries: 2 });
    expect(await asked.summarize(REQUEST)).toEqual(busy());
    expect(provider.calls).toBe(3);
    const once = new Scripted(busy());
    await retrying(once, { maxRetries: 0 }).asked.summarize(REQUEST);
    expect(once.calls).toBe(1);
  });

  test.each(['overflow', 'refused', 'malformed'] as const)('does not repeat what is %s', async (failure) => {
    const provider = new Scripted(busy({ failure }), WRITTEN);
    expect(await retrying(provider).asked.summarize(REQUEST)).toMatchObject({ failure });
    expect(provider.calls).toBe(1);
  });

  test('stops waiting for a silent provider at the deadline, as a value', async () => {
    const { asked } = retrying(new Scripted(silent), { deadlineMs: 20 });
    expect(await asked.summarize(REQUEST)).toEqual({
      kind: 'failed',
      failure: 'transient',
      message: 'scripted: no summary within 0.02 s',
    });
  });

  test('an abort ends an attempt and a pause with its reason', async () => {
    const reason = new Error('enough');
    const inAttempt = new AbortController();
    const first = retrying(new Scripted(silent)).asked.summarize({ ...REQUEST, signal: inAttempt.signal });
    inAttempt.abort(reason);
    await expect(first).rejects.toBe(reason);

    const inPause = new AbortController();
    const second = retryingProvider(new Scripted(busy({ retryAfterMs: 60_000 })), {});
    const outcome = second.summarize({ ...REQUEST, signal: inPause.signal });
    setImmediate(() => inPause.abort(reason));
    await expect(outcome).rejects.toBe(reason);
  });
});
