import type { LanguageModel } from 'ai';
import { counted } from '../content/counted.ts';
import type { FailedSummary, SummaryOutcome, SummaryRequest } from '../strategies/contract.ts';
import { failureOf } from './failures/failure.ts';
import { usageOf } from './usage.ts';

/** An answer with more characters than this per allowed token is from a server that ignores the limit. */
const LARGEST_TOKEN_CHARS = 16;

/**
 * The outcome of one request for a summary. `onProgress` is called for every part of the answer.
 * @throws the signal's reason if it is aborted.
 */
export async function streamSummary(
  model: LanguageModel,
  { vendor, request, onProgress }: { vendor: string; request: SummaryRequest; onProgress: () => void },
): Promise<SummaryOutcome> {
  const { streamText } = await import('ai');
  const { instructions, input, maxOutputTokens, signal } = request;
  signal?.throwIfAborted();
  const stop = new AbortController();
  const { fullStream } = streamText({
    model,
    system: instructions,
    prompt: input,
    maxOutputTokens,
    maxRetries: 0,
    abortSignal: signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]),
    // Failures are parts of the stream; the library would also print them.
    onError: () => {},
  });
  const fail = (failure: FailedSummary['failure'], message: string): FailedSummary => {
    stop.abort();
    return { kind: 'failed', failure, message: `${vendor}: ${message}` };
  };
  let text = '';
  try {
    for await (const part of fullStream) {
      signal?.throwIfAborted();
      onProgress();
      switch (part.type) {
        case 'text-delta':
          text += part.text;
          if (text.length > maxOutputTokens * LARGEST_TOKEN_CHARS) {
            return fail(
              'malformed',
              `expected an answer of at most ${counted(maxOutputTokens, 'token')}, got a longer one`,
            );
          }
          break;
        case 'error':
          stop.abort();
          return failureOf(vendor, part.error);
        case 'finish': {
          const usage = usageOf(part.totalUsage);
          if (part.finishReason === 'stop' || part.finishReason === 'length') {
            const isTruncated = part.finishReason === 'length';
            return { kind: 'summary', text, isTruncated, ...(usage !== undefined && { usage }) };
          }
          if (part.finishReason === 'content-filter') return fail('refused', 'the model declined to answer');
          return text === ''
            ? fail('malformed', 'expected an answer, got none')
            : fail('transient', 'the answer broke off before its end');
        }
      }
    }
  } catch (error) {
    signal?.throwIfAborted();
    return failureOf(vendor, error);
  }
  signal?.throwIfAborted();
  return fail('transient', 'the connection closed before the answer ended');
}
