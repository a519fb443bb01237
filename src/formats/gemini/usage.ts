import { isRecord } from '../../content/foreign-value.ts';
import { type JsonPath, valueAt } from '../json/json-splice.ts';
import { type UsageReports, usageAt } from '../usage/usage-report.ts';

/** The lists of messages in a document, and in a line that replaces all messages. */
const LISTS: readonly JsonPath[] = [['messages'], ['$set', 'messages']];

export const USAGE_REPORTS: UsageReports = {
  read: usageAt({
    prompt: [['input'], ['tool']],
    completion: [['output'], ['thoughts']],
    cached: [['cached']],
    total: [['total']],
  }),
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
