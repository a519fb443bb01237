import type { Usage } from '../../content/content.ts';
import { asCount, isRecord } from '../../content/foreign-value.ts';
import { type JsonPath, valueAt } from '../json/value-at.ts';
import type { UsageReports } from '../usage/usage-reports.ts';

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

export const USAGE_REPORTS: UsageReports = {
  read: usageOf,
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
