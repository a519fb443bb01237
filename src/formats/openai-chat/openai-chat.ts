import { isRecord } from '../../content/foreign-value.ts';
import { anyAgent as vocabulary } from '../../content/vocabularies/vocabulary.ts';
import { CallsOfResults } from '../blocks/calls-of-results.ts';
import { sendable } from '../blocks/sendable.ts';
import { systemFacts } from '../blocks/system-facts.ts';
import type { Line, SessionFormat, SkippedLine } from '../contract.ts';
import { headDocument, noMessages, readDocument } from '../json/json-file.ts';
import { creatorOf, documentFormat, leading, type MessageDocument } from '../messages/message-document.ts';
import { type Message, type MessageDialect, type MessageList, placeMessages } from '../messages/message-list.ts';
import { isCutLoggedCall } from '../openhands/logged-call.ts';
import { chatShape } from './chat-shape.ts';
import { newMessages } from './create.ts';
import { contentText, messageChanges, readMessage } from './message.ts';

const TITLE = 'OpenAI chat messages';

/** The messages of the Chat Completions API. */
export const openaiChatDialect: MessageDialect = {
  reader() {
    const calls = new CallsOfResults();
    return (message) => {
      const read = readMessage(message, calls);
      if (!read) return [];
      const { role } = message;
      return [role === 'system' || role === 'developer' ? { ...read, metadata: { role } } : read];
    };
  },
  changes: messageChanges,
  create: (entries) => entries.flatMap((entry) => newMessages(entry)),
};

/** The conversations of a document: a list of messages, `{messages}`, or a list of `{traj}` with one each. */
function conversationsOf(value: unknown): MessageList[] {
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

/** The system and developer messages at the start of a conversation: its system text, not its history. */
const instructionsOf = ({ messages }: MessageList): Message[] =>
  leading(messages, ({ role }) => role === 'system' || role === 'developer');

function open(lines: Iterable<Line>): MessageDocument {
  const { bytes, value } = readDocument(lines, TITLE);
  const skipped: SkippedLine[] = [];
  const dialect = openaiChatDialect;
  const found = conversationsOf(value);
  const earlier = found.map((conversation, index) => {
    const start = instructionsOf(conversation).length;
    const prefix = found.length > 1 ? `${index}.` : '';
    return placeMessages(conversation, { dialect, start, prefix, skipped });
  });
  const conversation = found.at(-1);
  const placed = earlier.pop();
  if (!conversation || !placed || !found.some(({ messages }) => messages.some((one) => isRecord(one) && 'role' in one)))
    throw noMessages(TITLE, bytes);
  return { bytes, around: isRecord(value) ? value : {}, conversation, dialect, earlier, placed, skipped };
}

const isTrajectories = (value: unknown): boolean =>
  Array.isArray(value) && isRecord(value[0]) && 'traj' in value[0] && chatShape(value[0]['traj']) === 'openai';

/**
 * Messages of OpenAI's Chat Completions API: a list, a request body or another object with `messages`, or a list of
 * `{task_id, traj}`, each a new conversation, of which the last is live. System and developer messages at the start are the
 * system text; later ones are human entries. One entry per message.
 */
export const openaiChat: SessionFormat = documentFormat({
  name: 'openai-chat',
  title: TITLE,
  vocabulary,
  detect(head) {
    const document = headDocument(head);
    if (chatShape(document) === 'openai') return !isCutLoggedCall(head, document);
    return isTrajectories(document);
  },
  open,
  facts: ({ around: { id, model, tools }, conversation }) => ({
    ...(typeof id === 'string' && { id }),
    ...(typeof model === 'string' && { model }),
    ...systemFacts(
      instructionsOf(conversation).map(({ content }) => contentText(content)),
      tools,
    ),
  }),
  create: creatorOf((history, { model, systemText }) => {
    const system = systemText === undefined ? [] : [{ role: 'system', content: systemText }];
    const messages = [...system, ...openaiChatDialect.create(sendable(history))];
    return { ...(model !== undefined && { model }), messages };
  }),
});
