import type { IContent } from '../content/content.ts';
import { llxprt as vocabulary } from '../content/vocabularies/llxprt.ts';
import { isRecord } from '../content/vocabulary.ts';
import { modelMessages as dialect } from './ai-sdk/model-message.ts';
import type { Line, Session, SessionFormat, SkippedLine } from './contract.ts';
import { headDocument } from './detection.ts';
import { noMessages, readDocument } from './json-document.ts';
import { jsonText } from './json-text.ts';
import { assertRestartable } from './lines.ts';
import { type Conversation, eventsOf, type PlacedMessage, placeMessages, writeMessages } from './message-list.ts';
import { sendable } from './sendable.ts';

const NAME = 'ai-sdk-messages';
const TITLE = 'model messages of the AI SDK';

interface Opened {
  readonly bytes: Uint8Array;
  readonly conversation: Conversation;
  readonly systemText: string;
  readonly placed: readonly PlacedMessage[];
  readonly skipped: readonly SkippedLine[];
}

const listOf = (value: unknown): unknown => (isRecord(value) ? value['messages'] : value);

/** How many messages at the start are the system prompt. */
function leading(messages: readonly unknown[]): number {
  const end = messages.findIndex((message) => !isRecord(message) || message['role'] !== 'system');
  return end === -1 ? messages.length : end;
}

function open(lines: Iterable<Line>): Opened {
  const { bytes, value } = readDocument(lines, TITLE);
  const messages = listOf(value);
  if (!Array.isArray(messages) || !messages.some((message) => isRecord(message) && 'role' in message))
    throw noMessages(TITLE, `${bytes.length} bytes of JSON without any`);
  const conversation = { path: isRecord(value) ? ['messages'] : [], messages };
  const start = leading(messages);
  const told = [
    isRecord(value) ? value['system'] : undefined,
    ...messages.slice(0, start).map(({ content }) => content),
  ];
  const systemText = told.filter((text) => typeof text === 'string').join('\n');
  const skipped: SkippedLine[] = [];
  const placed = placeMessages(conversation, { dialect, start, prefix: '', skipped });
  return { bytes, conversation, systemText, placed, skipped };
}

function read(lines: Iterable<Line>): Session {
  const { placed, systemText, skipped } = open(lines);
  return { format: NAME, ...(systemText !== '' && { systemText }), events: eventsOf([placed]), skipped };
}

function* write(lines: Iterable<Line>, history: readonly IContent[]): Generator<Uint8Array> {
  assertRestartable(lines);
  const { bytes, conversation, placed } = open(lines);
  yield writeMessages(bytes, conversation, { placed, history, dialect });
}

function* create(history: readonly IContent[]): Generator<Uint8Array> {
  yield new TextEncoder().encode(`${jsonText({ messages: dialect.create(sendable(history)) }, 'the messages')}\n`);
}

const ROLES: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'tool']);
/** Parts that only this SDK writes so. */
const OWN_PARTS: ReadonlySet<unknown> = new Set(['tool-call', 'tool-result', 'reasoning', 'file']);

function isModelMessageList(list: unknown): boolean {
  if (!Array.isArray(list)) return false;
  const messages = list.filter(isRecord);
  if (messages.some((message) => !ROLES.has(message['role']) || 'parts' in message || 'ts' in message)) return false;
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? content.filter(isRecord) : []));
  return parts.some(({ type, image }) => OWN_PARTS.has(type) || (type === 'image' && typeof image === 'string'));
}

/**
 * `ModelMessage[]` of Vercel's AI SDK, alone or as `messages` of a call. One entry is one message, but each tool result
 * is an entry of its own. Messages of plain text alone look like OpenAI's, and are taken for these.
 * Source: `ai` 6, `modelMessageSchema`; https://ai-sdk.dev/docs/reference/ai-sdk-core/model-message
 */
export const aiSdkMessages: SessionFormat = {
  name: NAME,
  title: 'AI SDK model messages',
  vocabulary,
  detect: (head) => isModelMessageList(listOf(headDocument(head))),
  read,
  write,
  create,
};
