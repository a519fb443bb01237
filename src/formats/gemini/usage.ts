import type { Usage } from '../../content/content.ts';
import { asCount, isRecord } from '../../content/foreign-value.ts';
import { type JsonPath, valueAt } from '../json/value-at.ts';
import type { UsageReports } from '../usage/usage-reports.ts';

function usageOf(tokens: unknown): Usage | undefined {
  if (!isRecord(tokens) || typeof tokens['input'] !== 'number') return undefined;
  const promptTokens = asCount(tokens['input']) + asCount(tokens['tool']);
  const completionTokens = asCount(tokens['output']) + asCount(tokens['thoughts']);
  const totalTokens = asCount(tokens['total']) || promptTokens + completionTokens;
  return { promptTokens, completionTokens, totalTokens, cachedTokens: asCount(tokens['cached']) };
}

/** The lists of messages in a document, and in a line that replaces all messages. */
const LISTS: readonly JsonPath[] = [['messages'], ['$set', 'messages']];

export const USAGE_REPORTS: UsageReports = {
  read: usageOf,
  prompt: ['input'],
  parts: [['tool'], ['cached']],
  total: ['total'],
  placesIn(value) {
    const listed = LISTS.flatMap((path) => {
      const messages = valueAt(value, path);
      return Array.isArray(messages) ? messages.map((_, index): JsonPath => [...path, index]) : [];
    });
    return [[], ...listed]
      .map((path): JsonPath => [...path, 'tokens'])
      .filter((path) => isRecord(valueAt(value, path)));
  },
};
