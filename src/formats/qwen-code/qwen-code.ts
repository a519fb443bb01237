import { isRecord } from '../../content/foreign-value.ts';
import type { SessionEvent } from '../../content/session-event.ts';
import { qwenCode as vocabulary } from '../../content/vocabularies/gemini.ts';
import { recordedMetadata } from '../blocks/entry-metadata.ts';
import type { Line, Session, SessionFormat } from '../contract.ts';
import { geminiContents } from '../gemini/gemini-content.ts';
import type { JsonPath } from '../json/json-change.ts';
import { headLines } from '../json/json-file.ts';
import type { LineMessage } from '../lines/line-messages.ts';
import { contentsOf, entriesAt, type Message } from '../messages/message-list.ts';
import { recordedUsage, type UsageReports, usageAt } from '../usage/usage-report.ts';
import { isQwenRecord, type QwenRecord, recordsOf } from './records.ts';

const USAGE_REPORTS: UsageReports = {
  read: usageAt({
    prompt: [['promptTokenCount']],
    completion: [['candidatesTokenCount']],
    cached: [['cachedContentTokenCount']],
    total: [['totalTokenCount']],
  }),
  prompt: ['promptTokenCount'],
  parts: [['cachedContentTokenCount']],
  total: ['totalTokenCount'],
  placesIn: (value) => (isRecord(value) && isRecord(value['usageMetadata']) ? [['usageMetadata']] : []),
};

const NAME = 'qwen-code';

/** What a compaction puts in place of all that was said before. */
function compressedHistory({ subtype, systemPayload }: QwenRecord): readonly unknown[] | undefined {
  const history = subtype === 'chat_compression' && isRecord(systemPayload) && systemPayload['compressedHistory'];
  return Array.isArray(history) ? history : undefined;
}

function read(lines: Iterable<Line>): Session {
  const { placed, skipped } = recordsOf(lines);
  const readContent = geminiContents.reader();
  const taken = new Set<string>();
  const messageAt = (message: Message, line: number, path: JsonPath, facts = {}): LineMessage => {
    const parts = readContent(message).map((part) => ({ ...part, metadata: recordedMetadata(facts) }));
    const name = path.length === 0 ? `line-${line}` : `line-${line}-${path.at(-1)}`;
    return { message, entries: entriesAt(parts, name, taken), places: [{ line, path }] };
  };
  const events = placed.flatMap(({ record, line }): SessionEvent[] => {
    const history = compressedHistory(record);
    if (history) {
      const kept = history.map((one, at) => messageAt(isRecord(one) ? one : {}, line, ['compressedHistory', at]));
      return [{ kind: 'replace', contents: contentsOf(kept), by: { kind: 'compaction' } }];
    }
    const { message, type, timestamp, model, subtype } = record;
    if (type === 'system' || subtype === 'realtime_message' || !isRecord(message)) return [];
    const usage = recordedUsage(record['usageMetadata'], USAGE_REPORTS);
    const facts = { timestamp, model, usage };
    return contentsOf([messageAt(message, line, [], facts)]).map((content) => ({ kind: 'add', content }));
  });
  const records = placed.map(({ record }) => record);
  const [first] = records;
  const model = records.findLast((record) => typeof record['model'] === 'string')?.['model'];
  return {
    format: NAME,
    id: String(first?.['sessionId']),
    ...(typeof model === 'string' && { model }),
    ...(typeof first?.['cwd'] === 'string' && { workspaceRoot: first['cwd'] }),
    events,
    skipped,
  };
}

/**
 * Sessions of Qwen Code, `~/.qwen/projects/<project>/chats/<id>.jsonl`: records that name the one before, with turns of
 * the Gemini API whatever the provider. What was said on a branch that a rewind left is not read.
 * Source: recordings of Qwen Code 0.24.4
 */
export const qwenCode: SessionFormat = {
  name: NAME,
  title: 'Qwen Code session',
  vocabulary,
  detect: (head) => isQwenRecord(headLines(head)[0]),
  read,
};
