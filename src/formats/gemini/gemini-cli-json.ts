import type { IContent } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { gemini as vocabulary } from '../../content/vocabularies/gemini.ts';
import { timeOf } from '../blocks/iso-time.ts';
import type { Line, NewSession, SessionFormat } from '../contract.ts';
import { headDocument, noMessages, readDocument } from '../json/json-file.ts';
import { jsonText } from '../json/json-text.ts';
import { documentFormat, type MessageDocument, placeAll } from '../messages/message-document.ts';
import type { Message } from '../messages/message-list.ts';
import { newHeader, newMessages } from './create.ts';
import { recordedMessages, USAGE_REPORTS } from './message.ts';
import { sessionFacts } from './recording.ts';

const TITLE = 'a Gemini CLI recording';
const INDENT = 2;

const isRecording = (value: unknown): value is Message & { messages: readonly unknown[] } =>
  isRecord(value) &&
  typeof value['sessionId'] === 'string' &&
  'projectHash' in value &&
  Array.isArray(value['messages']);

function open(lines: Iterable<Line>): MessageDocument {
  const { bytes, value: around } = readDocument(lines, TITLE);
  if (!isRecord(around) || !Array.isArray(around['messages'])) throw noMessages(TITLE, bytes, '');
  const conversation = { path: ['messages'], messages: around['messages'] };
  const startedAt = timeOf(around['lastUpdated']) ?? 0;
  const dialect = recordedMessages((entries) => newMessages(entries, { seed: String(around['sessionId']), startedAt }));
  return placeAll({ bytes, around, conversation }, dialect);
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
export const geminiCliJson: SessionFormat = documentFormat({
  name: 'gemini-cli-json',
  title: 'Gemini CLI recording (JSON)',
  vocabulary,
  detect: (head) => isRecording(headDocument(head)),
  open,
  facts: ({ around, conversation }) => sessionFacts(around, conversation.messages),
  usageReports: { ...USAGE_REPORTS, isDocument: true },
  create,
});
