import type { Usage } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { type JsonPath, valueAt } from '../json/value-at.ts';
import type { UsageReports } from '../usage/usage-reports.ts';

/** The usage in an entry, or in those of a line that sets the history. */
export const USAGE_REPORTS: UsageReports = {
  // A line is checked when it is read.
  read: (report) => report as Usage,
  prompt: ['promptTokens'],
  parts: [['cachedTokens'], ['writtenTokens']],
  total: ['totalTokens'],
  reported: 'reported',
  placesIn(line) {
    const history = valueAt(line, ['history']);
    const listed = Array.isArray(history) ? history.map((_, index): JsonPath => ['history', index]) : [];
    return [[], ...listed]
      .map((path): JsonPath => [...path, 'metadata', 'usage'])
      .filter((path) => isRecord(valueAt(line, path)));
  },
};
