import type { Usage } from '../../content/content.ts';
import { asCount, isRecord } from '../../content/foreign-value.ts';
import type { UsageReports } from '../usage/usage-reports.ts';

function usageOf(report: unknown): Usage | undefined {
  if (!isRecord(report) || typeof report['promptTokenCount'] !== 'number') return undefined;
  const promptTokens = asCount(report['promptTokenCount']);
  const completionTokens = asCount(report['candidatesTokenCount']);
  return {
    ...{ promptTokens, completionTokens },
    totalTokens: asCount(report['totalTokenCount']) || promptTokens + completionTokens,
    cachedTokens: asCount(report['cachedContentTokenCount']),
  };
}

export const USAGE_REPORTS: UsageReports = {
  read: usageOf,
  prompt: ['promptTokenCount'],
  parts: [['cachedContentTokenCount']],
  total: ['totalTokenCount'],
  placesIn: (value) => (isRecord(value) && isRecord(value['usageMetadata']) ? [['usageMetadata']] : []),
};
