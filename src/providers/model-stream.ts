import type { LanguageModelUsage, streamText, TextStreamPart, ToolSet } from 'ai';
import type { Usage } from '../content/content.ts';
import type { FailedSummary } from '../strategies/contract.ts';
import { failureOf } from './failures/failure.ts';

/** Ends the request with a failure. */
type Fail = (failure: FailedSummary['failure'], message: string) => FailedSummary;

interface Streaming {
  readonly vendor: string;
  readonly signal: AbortSignal | undefined;
  /** Called for every part of the answer. */
  readonly onProgress: () => void;
  readonly settings: Parameters<typeof streamText>[0];
}

/**
 * The outcome of one request to a model: what `read` makes of the first part that has one.
 * @throws the signal's reason if it is aborted.
 */
export async function readStream<Outcome>(
  { vendor, signal, onProgress, settings }: Streaming,
  read: (part: TextStreamPart<ToolSet>, fail: Fail) => Outcome | FailedSummary | undefined,
): Promise<Outcome | FailedSummary> {
  const { streamText } = await import('ai');
  signal?.throwIfAborted();
  const stop = new AbortController();
  const { fullStream } = streamText({
    ...settings,
    maxRetries: 0,
    abortSignal: signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]),
    // Failures are parts of the stream; the library would also print them.
    onError: () => {},
  });
  const fail: Fail = (failure, message) => {
    stop.abort();
    return { kind: 'failed', failure, message: `${vendor}: ${message}` };
  };
  try {
    for await (const part of fullStream) {
      signal?.throwIfAborted();
      onProgress();
      if (part.type === 'error') {
        stop.abort();
        return failureOf(vendor, part.error);
      }
      const outcome = read(part, fail);
      if (outcome !== undefined) return outcome;
    }
  } catch (error) {
    signal?.throwIfAborted();
    return failureOf(vendor, error);
  }
  signal?.throwIfAborted();
  return fail('transient', 'the connection closed before the answer ended');
}

/** The usage that a vendor reported for one call; `undefined` if it reported none. */
export const usageOf = ({ inputTokens, outputTokens, cachedInputTokens }: LanguageModelUsage): Usage | undefined => {
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  return {
    promptTokens: inputTokens,
    completionTokens: outputTokens,
    totalTokens: inputTokens + outputTokens,
    ...(cachedInputTokens !== undefined && { cachedTokens: cachedInputTokens }),
  };
};
