import type { IContent } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { anyAgent as vocabulary } from '../../content/vocabularies/vocabulary.ts';
import { sendable } from '../blocks/sendable.ts';
import { systemFacts } from '../blocks/system-facts.ts';
import type { Line, SessionFormat } from '../contract.ts';
import { headDocument } from '../json/json-file.ts';
import { assertRestartable, linesOf } from '../lines/lines.ts';
import {
  creatorOf,
  documentFormat,
  findMessages,
  leading,
  type MessageDocument,
  placeAll,
} from '../messages/message-document.ts';
import { contentsOf, type Message, type MessageDialect, writeMessages } from '../messages/message-list.ts';
import { withProviderCuts } from '../provider-cuts.ts';
import { uiMessageChanges } from './ui-changes.ts';
import { newUiMessages } from './ui-create.ts';
import { isToolPart, partsOf, readUiMessage } from './ui-read.ts';
import { cutMessages, cutsFor } from './ui-split.ts';

/**
 * UI messages of the AI SDK, `{id, role, parts}`. A message of the assistant contains several steps; each is one answer
 * and its results, which share a part with their calls. Sources, data parts and incomplete calls are not sent.
 */
const dialect: MessageDialect = {
  reader: () => readUiMessage,
  changes: uiMessageChanges,
  create: newUiMessages,
};

const isSystem = ({ role }: Message): boolean => role === 'system';

function open(lines: Iterable<Line>): MessageDocument {
  const isMessage = (one: unknown): boolean => isRecord(one) && 'parts' in one;
  const found = findMessages(lines, { title: 'UI messages of the AI SDK', keys: ['messages'], isMessage });
  return placeAll(found, dialect, leading(found.conversation.messages, isSystem).length);
}

/** The same history with the ids of its entries after messages were split. */
function renamed(history: readonly IContent[], before: readonly IContent[], after: readonly IContent[]): IContent[] {
  const ids = new Map(before.map(({ metadata }, index) => [metadata?.id, after[index]?.metadata?.id]));
  return history.map((entry) => {
    const id = ids.get(entry.metadata?.id);
    return entry.metadata?.id === undefined || id === undefined
      ? entry
      : { ...entry, metadata: { ...entry.metadata, id } };
  });
}

function* write(lines: Iterable<Line>, history: readonly IContent[]): Generator<Uint8Array> {
  assertRestartable(lines);
  let opened = open(lines);
  let named = history;
  for (let cuts = cutsFor(opened.placed, named); cuts.length > 0; cuts = cutsFor(opened.placed, named)) {
    const bytes = cutMessages(opened.bytes, opened.conversation, cuts);
    const next = open(linesOf(() => [bytes]));
    named = renamed(named, contentsOf(opened.placed), contentsOf(next.placed));
    opened = next;
  }
  const { bytes, conversation, placed } = opened;
  yield writeMessages(bytes, conversation, { placed, history: named, dialect });
}

const ROLES: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant']);
const OWN_PARTS = /^(?:text|reasoning|file|source-url|source-document|step-start|data-.+)$/;

const isOwnPart = (part: unknown): boolean =>
  isToolPart(part) || (isRecord(part) && OWN_PARTS.test(String(part['type'])));

function isUiMessageList(document: unknown): boolean {
  const list = isRecord(document) ? document['messages'] : document;
  if (!Array.isArray(list) || list.length === 0) return false;
  const whole = list.length > 1 ? list.slice(0, -1) : list;
  return whole.every(
    (message) =>
      isRecord(message) &&
      ROLES.has(message['role']) &&
      Array.isArray(message['parts']) &&
      message['parts'].slice(0, list.length > 1 ? undefined : 1).every(isOwnPart),
  );
}

/**
 * `UIMessage[]` of Vercel's AI SDK, alone or as `messages` of a chat. One entry is one step of an answer, one result, or
 * one message of a user. A message is split in two if a new entry is between two of its steps.
 * Source: `ai` 6, `validateUIMessages`; https://ai-sdk.dev/docs/reference/ai-sdk-core/ui-message
 */
export const aiSdkUi: SessionFormat = withProviderCuts({
  ...documentFormat({
    name: 'ai-sdk-ui',
    title: 'AI SDK UI messages',
    vocabulary,
    detect: (head) => isUiMessageList(headDocument(head)),
    open,
    facts({ around: { id }, conversation }) {
      const parts = leading(conversation.messages, isSystem).flatMap(partsOf);
      const texts = parts.map((part) => isRecord(part) && part['text']);
      return { ...(typeof id === 'string' && { id }), ...systemFacts(texts) };
    },
    create: creatorOf((history) => dialect.create(sendable(history))),
  }),
  write,
});
