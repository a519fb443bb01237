import { isRecord } from '../../content/foreign-value.ts';
import { anyAgent as vocabulary } from '../../content/vocabularies/vocabulary.ts';
import { sendable } from '../blocks/sendable.ts';
import { systemFacts } from '../blocks/system-facts.ts';
import type { Line, SessionFormat } from '../contract.ts';
import { headDocument } from '../json/json-file.ts';
import {
  creatorOf,
  documentFormat,
  findMessages,
  leading,
  type MessageDocument,
  placeAll,
} from '../messages/message-document.ts';
import type { Message } from '../messages/message-list.ts';
import { withProviderCuts } from '../provider-cuts.ts';
import { modelMessages as dialect } from './model-message.ts';

const listOf = (value: unknown): unknown => (isRecord(value) ? value['messages'] : value);

const isSystem = ({ role }: Message): boolean => role === 'system';

function open(lines: Iterable<Line>): MessageDocument {
  const isMessage = (one: unknown): boolean => isRecord(one) && 'role' in one;
  const found = findMessages(lines, { title: 'model messages of the AI SDK', keys: ['messages'], isMessage });
  return placeAll(found, dialect, leading(found.conversation.messages, isSystem).length);
}

const ROLES: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'tool']);
/** Types of parts that only this SDK writes. */
const OWN_PARTS: ReadonlySet<unknown> = new Set(['tool-call', 'tool-result', 'reasoning', 'file']);

function isModelMessageList(list: unknown): boolean {
  if (!Array.isArray(list)) return false;
  const messages = list.filter(isRecord);
  if (messages.some((message) => !ROLES.has(message['role']) || 'parts' in message || 'ts' in message)) return false;
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? content.filter(isRecord) : []));
  return parts.some(({ type, image }) => OWN_PARTS.has(type) || (type === 'image' && typeof image === 'string'));
}

/**
 * `ModelMessage[]` of Vercel's AI SDK, alone or as `messages` of a call. Each message is one entry, and each tool result
 * is one entry. Messages with only plain text look like OpenAI's and are read as those.
 * Source: `ai` 6, `modelMessageSchema`; https://ai-sdk.dev/docs/reference/ai-sdk-core/model-message
 */
export const aiSdkMessages: SessionFormat = withProviderCuts(
  documentFormat({
    name: 'ai-sdk-messages',
    title: 'AI SDK model messages',
    vocabulary,
    detect: (head) => isModelMessageList(listOf(headDocument(head))),
    open,
    facts: ({ around, conversation }) =>
      systemFacts([around['system'], ...leading(conversation.messages, isSystem).map(({ content }) => content)]),
    create: creatorOf((history) => ({ messages: dialect.create(sendable(history)) })),
  }),
);
