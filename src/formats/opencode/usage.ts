import type { Usage } from '../../content/content.ts';
import { asCount, isRecord } from '../../content/foreign-value.ts';
import { type JsonPath, valueAt } from '../json/value-at.ts';
import type { UsageReports } from '../usage/usage-reports.ts';

const listAt = (value: unknown, path: JsonPath): readonly unknown[] => {
  const list = valueAt(value, path);
  return Array.isArray(list) ? list : [];
};

function usageOf(tokens: unknown): Usage | undefined {
  if (!isRecord(tokens) || typeof tokens['input'] !== 'number') return undefined;
  const cache = isRecord(tokens['cache']) ? tokens['cache'] : {};
  const cachedTokens = asCount(cache['read']);
  const writtenTokens = asCount(cache['write']);
  const promptTokens = asCount(tokens['input']) + cachedTokens + writtenTokens;
  const completionTokens = asCount(tokens['output']) + asCount(tokens['reasoning']);
  const totalTokens = promptTokens + completionTokens;
  return { promptTokens, completionTokens, totalTokens, cachedTokens, ...(writtenTokens > 0 && { writtenTokens }) };
}

/** The usage of an answer, and of each of its steps. */
export const USAGE_REPORTS: UsageReports = {
  read: usageOf,
  prompt: ['input'],
  parts: [
    ['cache', 'read'],
    ['cache', 'write'],
  ],
  total: ['total'],
  isDocument: true,
  placesIn: (document) =>
    listAt(document, ['messages'])
      .flatMap((message, index): JsonPath[] => [
        ['messages', index, 'info', 'tokens'],
        ...listAt(message, ['parts']).map((_, at): JsonPath => ['messages', index, 'parts', at, 'tokens']),
      ])
      .filter((path) => isRecord(valueAt(document, path))),
};
