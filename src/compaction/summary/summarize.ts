import { messageOf } from '../../errors.ts';
import { saysOverflow } from '../../providers/failures/overflow.ts';
import { type Summarizer, SummaryFailedError } from '../client.ts';
import type { Logger } from '../contract.ts';
import { deadlineSignal, pause, raced } from '../deadline.ts';

/** The pause before the first retry; each further one is twice as long. */
const FIRST_PAUSE_MS = 500;
/** What is left of the conversation when a model says that it is too long: our count was an estimate. */
const OVERFLOW_SHARE = 0.7;

export interface SummarizeSettings {
  readonly client: Summarizer;
  /** The prompt; of a conversation shortened to this share of what fits by our count. */
  readonly promptOf: (share: number) => Promise<string>;
  readonly model: string;
  readonly maxRetries: number;
  readonly callDeadlineMs: number;
  readonly maxOutputTokens: number;
  readonly logger: Logger | undefined;
  /** Aborted: no attempt is made any more. */
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
  error instanceof SummaryFailedError ? error.isOverflow : error instanceof Error && saysOverflow(error.message);
const isFinal = (error: unknown): boolean =>
  error instanceof Error && 'isRetryable' in error && error.isRetryable === false;

/**
 * The model's summary; undefined when every attempt failed, each of which is logged. An error that says of itself
 * `isRetryable: false` is not tried again; after one that says the prompt is too long a shorter one is sent.
 * @throws the reason of `signal` when it is aborted. Source: docs/requirements.md, F-008.
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
        logger?.error(`No summary after ${retries + 1} attempts: ${reason}`, error);
        return undefined;
      }
      if (isOverflow(error)) share *= OVERFLOW_SHARE;
      const pauseMs = FIRST_PAUSE_MS * 2 ** retries;
      logger?.warn(
        `Summarising failed, trying again in ${pauseMs} ms (${retries + 1} of ${maxRetries}): ${reason}`,
        error,
      );
      await pause(pauseMs, signal);
    }
  }
}
