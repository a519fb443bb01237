import type { IContent } from '../../content/content.ts';
import { counted } from '../../content/counted.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { gemini as vocabulary } from '../../content/vocabularies/gemini.ts';
import { timeOf } from '../blocks/iso-time.ts';
import type { Line, NewSession, Session, SessionFormat, SkippedLine } from '../contract.ts';
import { headDocument } from '../detection.ts';
import { noMessages, readDocument } from '../json/json-document.ts';
import { jsonText } from '../json/json-text.ts';
import { assertRestartable } from '../lines/lines.ts';
import {
  type Conversation,
  eventsOf,
  type Message,
  type MessageDialect,
  type PlacedMessage,
  placeMessages,
  writeMessages,
} from '../messages/message-list.ts';
import { newHeader, newMessages } from './create.ts';
import { recordedMessages } from './message.ts';
import { sessionFacts } from './recording.ts';
import { USAGE_REPORTS } from './usage.ts';

const NAME = 'gemini-cli-json';
const TITLE = 'a Gemini CLI recording';
const INDENT = 2;

interface Opened {
  readonly bytes: Uint8Array;
  readonly around: Message;
  readonly dialect: MessageDialect;
  readonly conversation: Conversation;
  readonly placed: readonly PlacedMessage[];
  readonly skipped: readonly SkippedLine[];
}

const isRecording = (value: unknown): value is Message & { messages: readonly unknown[] } =>
  isRecord(value) &&
  typeof value['sessionId'] === 'string' &&
  'projectHash' in value &&
  Array.isArray(value['messages']);

function open(lines: Iterable<Line>): Opened {
  const { bytes, value: around } = readDocument(lines, TITLE);
  if (!isRecord(around) || !Array.isArray(around['messages']))
    throw noMessages(TITLE, `${counted(bytes.length, 'byte')} of JSON`);
  const conversation = { path: ['messages'], messages: around['messages'] };
  const startedAt = timeOf(around['lastUpdated']) ?? 0;
  const dialect = recordedMessages((entries) => newMessages(entries, { seed: String(around['sessionId']), startedAt }));
  const skipped: SkippedLine[] = [];
  const placed = placeMessages(conversation, { dialect, start: 0, prefix: '', skipped });
  return { bytes, around, dialect, conversation, placed, skipped };
}

function read(lines: Iterable<Line>): Session {
  const { around, conversation, placed, skipped } = open(lines);
  return { format: NAME, ...sessionFacts(around, conversation.messages), events: eventsOf([placed]), skipped };
}

function* write(lines: Iterable<Line>, history: readonly IContent[]): Generator<Uint8Array> {
  assertRestartable(lines);
  const { bytes, conversation, placed, dialect } = open(lines);
  yield writeMessages(bytes, conversation, { placed, history, dialect });
}

function* create(history: readonly IContent[], session: NewSession): Generator<Uint8Array> {
  const messages = newMessages(history, { seed: session.id, startedAt: session.startedAt, model: session.model });
  const { kind, directories, ...header } = newHeader(session);
  jsonText(messages, 'the messages');
  const text = JSON.stringify({ ...header, messages, kind, directories }, null, INDENT);
  yield new TextEncoder().encode(text);
}

/**
 * Chats of Gemini CLI as one JSON document, `~/.gemini/tmp/<project>/chats/session-*.json`, written until early 2026. A call
 * and its result are one object. `displayContent`, `resultDisplay`, thoughts, and messages of the types info, error and
 * warning are for the screen: the model saw none of them.
 * Source: recordings of 2026; google-gemini/gemini-cli, packages/core/src/services/chatRecordingService.ts
 */
export const geminiCliJson: SessionFormat = {
  name: NAME,
  title: 'Gemini CLI recording (JSON)',
  vocabulary,
  detect: (head) => isRecording(headDocument(head)),
  read,
  write,
  usageReports: { ...USAGE_REPORTS, isDocument: true },
  create,
};
