import { type Fields, isRecord } from '../../content/foreign-value.ts';
import { valueAt } from '../json/json-change.ts';
import { withBeside } from '../usage/anthropic-beside.ts';
import { type UsageReports, usageAt } from '../usage/usage-report.ts';

/** Claude Code skips lines of types that it does not know. ccusage reads the usage of every line, and counts one per answer: the largest. */
const RECORDED = 'high-density-usage';
const KEPT = ['sessionId', 'version', 'cwd', 'timestamp', 'requestId', 'isSidechain'];
const KEPT_OF_MESSAGE = ['id', 'model', 'usage'];

const only = (value: unknown, keys: readonly string[]): Fields =>
  isRecord(value) ? Object.fromEntries(keys.filter((key) => key in value).map((key) => [key, value[key]])) : {};

/** The message of a line of an answer, without its content. */
export const paidMessage = (line: Fields): Fields => only(line['message'], KEPT_OF_MESSAGE);

/** What the provider reported in a line of an answer, in a line that is in no tree. */
const recordedLine = (line: Fields): Fields => ({
  type: RECORDED,
  ...only(line, KEPT),
  message: paidMessage(line),
});

/** In each line of an answer; the lines of a streamed answer report growing numbers. */
export const USAGE_REPORTS: UsageReports = {
  read: withBeside(
    usageAt({
      prompt: [['input_tokens'], ['cache_read_input_tokens'], ['cache_creation_input_tokens']],
      completion: [['output_tokens']],
      cached: [['cache_read_input_tokens']],
      written: [['cache_creation_input_tokens']],
      writtenHour: [['cache_creation', 'ephemeral_1h_input_tokens']],
    }),
  ),
  prompt: ['input_tokens'],
  parts: [
    ['cache_read_input_tokens'],
    ['cache_creation_input_tokens'],
    ['cache_creation', 'ephemeral_5m_input_tokens'],
    ['cache_creation', 'ephemeral_1h_input_tokens'],
  ],
  placesIn: (line) =>
    valueAt(line, ['type']) === 'assistant' && isRecord(valueAt(line, ['message', 'usage']))
      ? [['message', 'usage']]
      : [],
  recordedLine,
};
