import { counted } from '../../content/counted.ts';
import { deadlineSignal, pause, raced } from '../../deadline.ts';
import { messageOf } from '../../errors.ts';
import { saysOverflow } from '../../providers/failures/overflow.ts';
import type { Logger } from '../contract.ts';
import type { Summarizer } from '../summarizer.ts';

/** The pause before the first retry; each next one is twice as long. */
const FIRST_PAUSE_MS = 500;
/** The part of the conversation that is kept after a model rejects it as too long: our count is an estimate. */
const OVERFLOW_SHARE = 0.7;

interface SummarizeSettings {
  readonly client: Summarizer;
  /** The prompt for a conversation that is shortened to this share of the tokens that fit. */
  readonly promptOf: (share: number) => Promise<string>;
  readonly model: string;
  readonly maxRetries: number;
  readonly callDeadlineMs: number;
  readonly maxOutputTokens: number;
  readonly logger: Logger | undefined;
  /** If aborted, no more attempts are made. */
  readonly signal: AbortSignal;
}

async function attempt(share: number, settings: SummarizeSettings): Promise<string> {
  const { client, model, callDeadlineMs, maxOutputTokens } = settings;
  const prompt = await settings.promptOf(share);
  const deadline = deadlineSignal(callDeadlineMs, {
    signals: [settings.signal],
    message: `The model did not answer within ${callDeadlineMs / 1000} s.`,
  });
  const { signal } = deadline;
  try {
    const summary = await raced(client.summarize(prompt, model, { maxOutputTokens, signal }), signal);
    if (typeof summary === 'string' && summary.trim() !== '') return summary;
    throw new TypeError('Expected a summary, got an empty answer.');
  } finally {
    deadline.clear();
  }
}

const isOverflow = (error: unknown): boolean =>
  error instanceof Error && ('isOverflow' in error ? error.isOverflow === true : saysOverflow(error.message));
const isFinal = (error: unknown): boolean =>
  error instanceof Error && 'isRetryable' in error && error.isRetryable === false;

/**
 * The model's summary; `undefined` if every attempt failed. Each failure is logged. There is no retry after an error with
 * `isRetryable: false`; after an error for a too long prompt, a shorter one is sent.
 * @throws the reason of `signal` if it is aborted. Source: docs/requirements.md, F-008.
 */
export async function summarize(settings: SummarizeSettings): Promise<string | undefined> {
  const { maxRetries, logger, signal } = settings;
  let share = 1;
  for (let retries = 0; ; retries++) {
    try {
      return await attempt(share, settings);
    } catch (error) {
      signal.throwIfAborted();
      const reason = messageOf(error);
      if (retries >= maxRetries || isFinal(error)) {
        logger?.error(`No summary after ${counted(retries + 1, 'attempt')}: ${reason}`, error);
        return undefined;
      }
      if (isOverflow(error)) share *= OVERFLOW_SHARE;
      const pauseMs = FIRST_PAUSE_MS * 2 ** retries;
      logger?.warn(`The summary failed; retry ${retries + 1} of ${maxRetries} in ${pauseMs} ms: ${reason}`, error);
      await pause(pauseMs, signal);
    }
  }
}
