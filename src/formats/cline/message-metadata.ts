import type { ContentMetadata, Usage } from '../../content/content.ts';
import { asCount, isRecord } from '../../content/foreign-value.ts';
import { recordedMetadata } from '../blocks/entry-metadata.ts';
import type { Message } from '../messages/message-list.ts';

/** `tokens.prompt` of the extension excludes what was cached; `inputTokens` of the SDK includes it. */
function usageOf(metrics: unknown): Usage | undefined {
  if (!isRecord(metrics)) return undefined;
  const tokens = isRecord(metrics['tokens']) ? metrics['tokens'] : {};
  const promptTokens =
    metrics['inputTokens'] === undefined
      ? asCount(tokens['prompt']) + asCount(tokens['cached'])
      : asCount(metrics['inputTokens']);
  const completionTokens = asCount(metrics['outputTokens'] ?? tokens['completion']);
  if (promptTokens === 0) return undefined;
  const cachedTokens = asCount(metrics['cacheReadTokens'] ?? tokens['cached']);
  return { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens, cachedTokens };
}

/** The metadata of the entries of a message; model and usage only of an answer. */
export function metadataOf(message: Message, isAnswer: boolean): ContentMetadata {
  const { ts, modelInfo, metrics, isSummary } = message;
  const usage = isAnswer ? usageOf(metrics) : undefined;
  const model = isAnswer && isRecord(modelInfo) ? (modelInfo['id'] ?? modelInfo['modelId']) : undefined;
  const timestamp = typeof ts === 'number' ? ts : undefined;
  return recordedMetadata({ timestamp, model, usage, isSummary: isSummary === true });
}
