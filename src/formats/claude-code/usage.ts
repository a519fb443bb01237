import type { Usage } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { valueAt } from '../json/value-at.ts';
import type { UsageReports } from '../usage/usage-reports.ts';

function readUsage(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const count = (name: string): number => (typeof value[name] === 'number' ? value[name] : 0);
  const cachedTokens = count('cache_read_input_tokens');
  const writtenTokens = count('cache_creation_input_tokens');
  const split = value['cache_creation'];
  const hour = isRecord(split) ? split['ephemeral_1h_input_tokens'] : 0;
  const writtenHourTokens = typeof hour === 'number' ? hour : 0;
  const promptTokens = count('input_tokens') + cachedTokens + writtenTokens;
  const completionTokens = count('output_tokens');
  if (promptTokens + completionTokens === 0) return undefined;
  return {
    promptTokens,
    completionTokens,
    totalTokens: promptTokens + completionTokens,
    cachedTokens,
    ...(writtenTokens > 0 && { writtenTokens }),
    ...(writtenHourTokens > 0 && { writtenHourTokens }),
  };
}

/** In each line of an answer; the lines of a streamed answer report growing numbers. */
export const USAGE_REPORTS: UsageReports = {
  read: readUsage,
  prompt: ['input_tokens'],
  parts: [['cache_read_input_tokens'], ['cache_creation_input_tokens']],
  placesIn: (line) => (isRecord(valueAt(line, ['message', 'usage'])) ? [['message', 'usage']] : []),
};
