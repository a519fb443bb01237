import { isRecord } from '../../content/foreign-value.ts';
import { type JsonPath, valueAt } from '../json/json-splice.ts';
import { type UsageReports, usageAt } from '../usage/usage-report.ts';

const listAt = (value: unknown, path: JsonPath): readonly unknown[] => {
  const list = valueAt(value, path);
  return Array.isArray(list) ? list : [];
};

/** The usage of an answer, and of each of its steps. */
export const USAGE_REPORTS: UsageReports = {
  read: usageAt({
    prompt: [['input'], ['cache', 'read'], ['cache', 'write']],
    completion: [['output'], ['reasoning']],
    cached: [['cache', 'read']],
    written: [['cache', 'write']],
  }),
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
