import type { IContent } from '../../content/content.ts';
import { counted } from '../../content/counted.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { anyAgent as vocabulary } from '../../content/vocabularies/vocabulary.ts';
import { sendable } from '../blocks/sendable.ts';
import type { Line, NewSession, Session, SessionFormat, SkippedLine } from '../contract.ts';
import { headDocument } from '../detection.ts';
import { noMessages, readDocument } from '../json/json-document.ts';
import { jsonText } from '../json/json-text.ts';
import { assertRestartable } from '../lines/lines.ts';
import { leading } from '../messages/message-document.ts';
import {
  type Conversation,
  eventsOf,
  type MessageDialect,
  type PlacedMessage,
  placeMessages,
  writeMessages,
} from '../messages/message-list.ts';
import { isCutLoggedCall } from '../openhands/logged-call.ts';
import { chatShape } from './chat-shape.ts';
import { newMessages } from './create.ts';
import { contentText, type Message, messageChanges, readMessage } from './message.ts';

const NAME = 'openai-chat';
const TITLE = 'OpenAI chat messages';

/** The messages of the Chat Completions API. */
export const openaiChatDialect: MessageDialect = {
  reader() {
    const toolNames = new Map<string, string>();
    return (message) => {
      const read = readMessage(message, toolNames);
      if (!read) return [];
      const { role } = message;
      return [role === 'system' || role === 'developer' ? { ...read, metadata: { role } } : read];
    };
  },
  changes(message, edits) {
    const read = { blocks: edits.map(({ block }) => block), places: edits.map(({ path }) => path) };
    const speaker = message['role'] === 'assistant' ? 'ai' : message['role'] === 'tool' ? 'tool' : 'human';
    return messageChanges(
      message,
      { ...read, speaker },
      edits.map(({ edit }) => edit),
    );
  },
  create: (entries) => entries.flatMap((entry) => newMessages(entry)),
};

/** The conversations of a document: a list of messages, `{messages}`, or a list of `{traj}` with one each. */
function conversationsOf(value: unknown): Conversation[] {
  if (isRecord(value)) {
    const key = Array.isArray(value['messages']) ? 'messages' : 'traj';
    return Array.isArray(value[key]) ? [{ path: [key], messages: value[key] }] : [];
  }
  if (!Array.isArray(value)) return [];
  const found = value.flatMap((element, index) =>
    isRecord(element) && Array.isArray(element['traj']) ? [{ path: [index, 'traj'], messages: element['traj'] }] : [],
  );
  return found.length > 0 ? found : [{ path: [], messages: value }];
}

interface Opened {
  readonly bytes: Uint8Array;
  readonly value: unknown;
  readonly conversations: readonly { readonly conversation: Conversation; readonly placed: readonly PlacedMessage[] }[];
  readonly skipped: readonly SkippedLine[];
}

/** The system and developer messages at the start of a conversation: its system text, not its history. */
const instructionsOf = ({ messages }: Conversation): Message[] =>
  leading(messages, ({ role }) => role === 'system' || role === 'developer');

function open(lines: Iterable<Line>): Opened {
  const { bytes, value } = readDocument(lines, TITLE);
  const skipped: SkippedLine[] = [];
  const found = conversationsOf(value);
  const conversations = found.map((conversation, index) => {
    const start = instructionsOf(conversation).length;
    const prefix = found.length > 1 ? `${index}.` : '';
    return {
      conversation,
      placed: placeMessages(conversation, { dialect: openaiChatDialect, start, prefix, skipped }),
    };
  });
  if (conversations.every(({ conversation }) => !conversation.messages.some((one) => isRecord(one) && 'role' in one)))
    throw noMessages(TITLE, `${counted(bytes.length, 'byte')} of JSON without any`);
  return { bytes, value, conversations, skipped };
}

function read(lines: Iterable<Line>): Session {
  const { value, conversations, skipped } = open(lines);
  const around = isRecord(value) ? value : {};
  const last = conversations.at(-1);
  const system = last ? instructionsOf(last.conversation).map(({ content }) => contentText(content)) : [];
  const tools = Array.isArray(around['tools']) && around['tools'].length > 0 ? [JSON.stringify(around['tools'])] : [];
  const systemText = [...system, ...tools].join('\n');
  return {
    format: NAME,
    ...(typeof around['id'] === 'string' && { id: around['id'] }),
    ...(typeof around['model'] === 'string' && { model: around['model'] }),
    ...(systemText !== '' && { systemText }),
    events: eventsOf(conversations.map(({ placed }) => placed)),
    skipped,
  };
}

function* write(lines: Iterable<Line>, history: readonly IContent[]): Generator<Uint8Array> {
  assertRestartable(lines);
  const { bytes, conversations } = open(lines);
  const last = conversations.at(-1);
  yield last
    ? writeMessages(bytes, last.conversation, { placed: last.placed, history, dialect: openaiChatDialect })
    : bytes;
}

function* create(history: readonly IContent[], { model, systemText }: NewSession): Generator<Uint8Array> {
  const system = systemText === undefined ? [] : [{ role: 'system', content: systemText }];
  const messages = [...system, ...openaiChatDialect.create(sendable(history))];
  const text = jsonText({ ...(model !== undefined && { model }), messages }, 'the messages');
  yield new TextEncoder().encode(`${text}\n`);
}

const isTrajectories = (value: unknown): boolean =>
  Array.isArray(value) && isRecord(value[0]) && 'traj' in value[0] && chatShape(value[0]['traj']) === 'openai';

/**
 * Messages of OpenAI's Chat Completions API: a list, a request body or another object with `messages`, or a list of
 * `{task_id, traj}`, each a new conversation, of which the last is live. System and developer messages at the start are the
 * system text; later ones are human entries. One entry per message.
 */
export const openaiChat: SessionFormat = {
  name: NAME,
  title: TITLE,
  vocabulary,
  detect(head) {
    const document = headDocument(head);
    if (chatShape(document) === 'openai') return !isCutLoggedCall(head, document);
    return isTrajectories(document);
  },
  read,
  write,
  create,
};
