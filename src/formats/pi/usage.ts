import type { Usage } from '../../content/content.ts';
import { asCount, isRecord } from '../../content/foreign-value.ts';
import { valueAt } from '../json/value-at.ts';
import type { UsageReports } from '../usage/usage-reports.ts';

function usageOf(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const cachedTokens = asCount(usage['cacheRead']);
  const writtenTokens = asCount(usage['cacheWrite']);
  const promptTokens = asCount(usage['input']) + cachedTokens + writtenTokens;
  const completionTokens = asCount(usage['output']);
  const totalTokens = promptTokens + completionTokens;
  if (totalTokens === 0) return undefined;
  return { promptTokens, completionTokens, totalTokens, cachedTokens, ...(writtenTokens > 0 && { writtenTokens }) };
}

export const USAGE_REPORTS: UsageReports = {
  read: usageOf,
  prompt: ['input'],
  parts: [['cacheRead'], ['cacheWrite']],
  total: ['totalTokens'],
  placesIn: (line) => (isRecord(valueAt(line, ['message', 'usage'])) ? [['message', 'usage']] : []),
};
