import { isRecord } from '../../content/foreign-value.ts';
import { valueAt } from '../json/json-splice.ts';
import { type UsageReports, usageBeyondZero } from '../usage/usage-report.ts';

export const USAGE_REPORTS: UsageReports = {
  read: usageBeyondZero({
    prompt: [['input'], ['cacheRead'], ['cacheWrite']],
    completion: [['output']],
    cached: [['cacheRead']],
    written: [['cacheWrite']],
  }),
  prompt: ['input'],
  parts: [['cacheRead'], ['cacheWrite']],
  total: ['totalTokens'],
  placesIn: (line) => (isRecord(valueAt(line, ['message', 'usage'])) ? [['message', 'usage']] : []),
};
