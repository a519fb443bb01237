import { append } from '../../content/append.ts';
import { isRecord } from '../../content/foreign-value.ts';
import type { ContextCut, SessionEvent } from '../../content/session-event.ts';
import { opencode as vocabulary } from '../../content/vocabularies/opencode.ts';
import { CompressionStrategyError } from '../../errors.ts';
import type { Line, Session, SessionFormat } from '../contract.ts';
import { headDocument, noMessages, readDocument } from '../json/json-file.ts';
import { creatorOf, type MessageDocument, placeAll, writerOf } from '../messages/message-document.ts';
import { contentsOf, type Message, type MessageDialect, type PlacedMessage } from '../messages/message-list.ts';
import { messagesBetween, newExport } from './create.ts';
import { hasPart, infoOf, messageChanges, readMessage, USAGE_REPORTS } from './message.ts';

const NAME = 'opencode';
const TITLE = 'an opencode export';

/** True for a single message or part from the storage folder. */
function isStored(value: unknown): value is Message {
  return isRecord(value) && /^(msg|prt)_/.test(String(value['id'])) && typeof value['sessionID'] === 'string';
}

function open(lines: Iterable<Line>): MessageDocument {
  const { bytes, value } = readDocument(lines, TITLE);
  if (isStored(value))
    throw new CompressionStrategyError(
      `Expected a whole session of opencode, got one ${'messageID' in value ? 'part' : 'message'} of ${String(value['sessionID'])} from its storage folder. Write the session to one file with \`opencode export ${String(value['sessionID'])}\`.`,
      'SESSION_UNREADABLE',
    );
  const messages = isRecord(value) ? value['messages'] : undefined;
  if (!isRecord(value) || !Array.isArray(messages) || !messages.some((message) => 'role' in infoOf(message)))
    throw noMessages(TITLE, bytes);
  const info = infoOf(value);
  const dialect: MessageDialect = {
    reader: () => readMessage,
    changes: messageChanges,
    create: (entries, between = {}) => messagesBetween(entries, between, info),
  };
  return placeAll({ bytes, around: info, conversation: { path: ['messages'], messages } }, dialect);
}

/** How the compaction that this message asks for was started. */
function triggerOf(message: unknown): Pick<ContextCut, 'trigger'> {
  const parts = isRecord(message) && Array.isArray(message['parts']) ? message['parts'] : [];
  const auto = parts.filter(isRecord).find(({ type }) => type === 'compaction')?.['auto'];
  return typeof auto === 'boolean' ? { trigger: auto ? 'auto' : 'manual' } : {};
}

/** The index of the request of the compaction that this message finished. */
function compactedFrom(message: unknown, messages: readonly unknown[]): number | undefined {
  const { role, summary, finish, parentID } = infoOf(message);
  if (role !== 'assistant' || summary !== true || finish === undefined) return undefined;
  const place = messages.findLastIndex((other) => infoOf(other)['id'] === parentID && hasPart(other, 'compaction'));
  return place === -1 ? undefined : place;
}

/** The events of a session: a finished compaction leaves its summary; `revert` removes messages that are still in the file. */
function follow({ placed, around, conversation: { messages } }: MessageDocument): {
  readonly events: SessionEvent[];
  readonly live: readonly PlacedMessage[];
} {
  const events: SessionEvent[] = [];
  let start = 0;
  const placedAt = new Map(placed.map((one) => [one.index, one]));
  for (const [index, message] of messages.entries()) {
    const from = compactedFrom(message, messages);
    const entries = placedAt.get(index)?.entries ?? [];
    if (from === undefined)
      append(
        events,
        entries.map(({ entry }): SessionEvent => ({ kind: 'add', content: entry })),
      );
    else {
      start = from;
      const since = placed.filter((one) => one.index >= from && one.index <= index);
      const by: ContextCut = { kind: 'compaction', ...triggerOf(messages[from]) };
      events.push({ kind: 'replace', contents: contentsOf(since), by });
    }
  }
  const { revert } = around;
  const undone = isRecord(revert) && revert['partID'] === undefined ? revert['messageID'] : undefined;
  const found = messages.findIndex((message) => infoOf(message)['id'] === undone);
  const end = undone === undefined || found === -1 ? messages.length : found;
  const live = placed.filter(({ index }) => index >= start && index < end);
  if (end < messages.length) events.push({ kind: 'replace', contents: contentsOf(live) });
  return { events, live };
}

function read(lines: Iterable<Line>): Session {
  const opened = open(lines);
  const { around, conversation, skipped } = opened;
  const { id, directory } = around;
  const model = conversation.messages
    .map((message) => infoOf(message)['modelID'])
    .findLast((name) => typeof name === 'string');
  return {
    format: NAME,
    ...(typeof id === 'string' && { id }),
    ...(typeof model === 'string' && { model }),
    ...(typeof directory === 'string' && { workspaceRoot: directory }),
    events: follow(opened).events,
    skipped,
  };
}

/** True for an export, whose start may be cut before its messages, or for a stored message or part. */
function isExport(document: unknown): boolean {
  if (!isRecord(document)) return false;
  return isStored(document) || (/^ses_/.test(String(infoOf(document)['id'])) && !('steps' in document));
}

/**
 * Sessions of `opencode export` and `opencode import`: `{info, messages: [{info, parts}]}`. A call and its result are one
 * part. Messages are always kept, because others refer to them; a pruned result gets opencode's own
 * `state.time.compacted` and keeps its text in the file. A file of the storage folder is rejected with advice.
 * Source: exports of 1.3.7 to 1.4.3; anomalyco/opencode, packages/opencode/src/session/message-v2.ts
 */
export const opencode: SessionFormat = {
  name: NAME,
  title: 'opencode export',
  vocabulary,
  detect: (head) => isExport(headDocument(head)),
  read,
  write: writerOf((lines) => {
    const opened = open(lines);
    return { ...opened, placed: follow(opened).live };
  }),
  usageReports: USAGE_REPORTS,
  create: creatorOf(newExport),
};
