import { isRecord } from '../../content/foreign-value.ts';
import { valueAt } from '../json/json-change.ts';
import { type UsageReports, usageBeyondZero } from '../usage/usage-report.ts';

/** In each line of an answer; the lines of a streamed answer report growing numbers. */
export const USAGE_REPORTS: UsageReports = {
  read: usageBeyondZero({
    prompt: [['input_tokens'], ['cache_read_input_tokens'], ['cache_creation_input_tokens']],
    completion: [['output_tokens']],
    cached: [['cache_read_input_tokens']],
    written: [['cache_creation_input_tokens']],
    writtenHour: [['cache_creation', 'ephemeral_1h_input_tokens']],
  }),
  prompt: ['input_tokens'],
  parts: [['cache_read_input_tokens'], ['cache_creation_input_tokens']],
  placesIn: (line) => (isRecord(valueAt(line, ['message', 'usage'])) ? [['message', 'usage']] : []),
};
