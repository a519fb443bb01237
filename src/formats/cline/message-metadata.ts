import type { ContentMetadata } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { recordedMetadata } from '../blocks/entry-metadata.ts';
import { type JsonPath, valueAt } from '../json/json-change.ts';
import type { Message } from '../messages/message-list.ts';
import { recordedUsage, type UsageReports, usageBeyondZero } from '../usage/usage-report.ts';

/** `inputTokens` of the SDK includes what was cached. */
const sdkUsage = usageBeyondZero({
  prompt: [['inputTokens']],
  completion: [['outputTokens']],
  cached: [['cacheReadTokens']],
});

/** `tokens.prompt` of the extension excludes it. */
const extensionUsage = usageBeyondZero({
  prompt: [
    ['tokens', 'prompt'],
    ['tokens', 'cached'],
  ],
  completion: [['tokens', 'completion']],
  cached: [['tokens', 'cached']],
});

export const USAGE_REPORTS: UsageReports = {
  read: (metrics) => sdkUsage(metrics) ?? extensionUsage(metrics),
  prompt: ['inputTokens'],
  parts: [['cacheReadTokens'], ['tokens', 'prompt'], ['tokens', 'cached']],
  isDocument: true,
  placesIn(document) {
    const path = Array.isArray(document) ? [] : ['messages'];
    const messages = valueAt(document, path);
    if (!Array.isArray(messages)) return [];
    return messages
      .map((_, index): JsonPath => [...path, index, 'metrics'])
      .filter((place) => isRecord(valueAt(document, place)));
  },
};

/** The metadata of the entries of a message; model and usage only of an answer. */
export function metadataOf(message: Message, isAnswer: boolean): ContentMetadata {
  const { ts, modelInfo, metrics, isSummary } = message;
  const usage = isAnswer ? recordedUsage(metrics, USAGE_REPORTS) : undefined;
  const model = isAnswer && isRecord(modelInfo) ? (modelInfo['id'] ?? modelInfo['modelId']) : undefined;
  return recordedMetadata({ timestamp: ts, model, usage, isSummary: isSummary === true });
}
