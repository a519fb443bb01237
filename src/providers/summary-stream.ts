import type { LanguageModel } from 'ai';
import { counted } from '../content/counted.ts';
import type { SummaryOutcome, SummaryRequest } from '../strategies/contract.ts';
import { readStream, usageOf } from './model-stream.ts';

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
  const { instructions, input, maxOutputTokens, signal } = request;
  const settings = { model, system: instructions, prompt: input, maxOutputTokens };
  let text = '';
  return readStream<SummaryOutcome>({ vendor, signal, onProgress, settings }, (part, fail) => {
    if (part.type === 'text-delta') {
      text += part.text;
      if (text.length <= maxOutputTokens * LARGEST_TOKEN_CHARS) return undefined;
      const most = counted(maxOutputTokens, 'token');
      return fail('malformed', `expected an answer of at most ${most}, got a longer one`);
    }
    if (part.type !== 'finish') return undefined;
    const usage = usageOf(part.totalUsage);
    if (part.finishReason === 'stop' || part.finishReason === 'length') {
      const isTruncated = part.finishReason === 'length';
      return { kind: 'summary', text, isTruncated, ...(usage !== undefined && { usage }) };
    }
    if (part.finishReason === 'content-filter') return fail('refused', 'the model declined to answer');
    return text === ''
      ? fail('malformed', 'expected an answer, got none')
      : fail('transient', 'the answer broke off before its end');
  });
}
