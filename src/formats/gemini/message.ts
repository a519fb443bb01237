import { append } from '../../content/append.ts';
import type { IContent } from '../../content/content.ts';
import { type Fields, isRecord } from '../../content/foreign-value.ts';
import { groupBy } from '../../content/group-by.ts';
import { recordedMetadata } from '../blocks/entry-metadata.ts';
import { type JsonChange, type JsonPath, valueAt } from '../json/json-change.ts';
import type { Message, MessageDialect } from '../messages/message-list.ts';
import { type MessagePart, type PlacedEdit, partOf } from '../messages/message-part.ts';
import { recordedUsage, type UsageReports, usageAt } from '../usage/usage-report.ts';
import { CallIds } from './call-ids.ts';
import { partChanges, readParts, userParts } from './gemini-content.ts';
import { namesakesBefore, type PlacedCall, readToolCall, toolCallChanges } from './tool-call.ts';

/** The lists of messages in a document, and in a line that replaces all messages. */
const LISTS: readonly JsonPath[] = [['messages'], ['$set', 'messages']];

export const USAGE_REPORTS: UsageReports = {
  read: usageAt({
    prompt: [['input'], ['tool']],
    completion: [['output'], ['thoughts']],
    cached: [['cached']],
    total: [['total']],
  }),
  prompt: ['input'],
  parts: [['tool'], ['cached']],
  total: ['total'],
  placesIn(value) {
    const listed = LISTS.flatMap((path) => {
      const messages = valueAt(value, path);
      return Array.isArray(messages) ? messages.map((_, index): JsonPath => [...path, index]) : [];
    });
    return [[], ...listed]
      .map((path): JsonPath => [...path, 'tokens'])
      .filter((path) => isRecord(valueAt(value, path)));
  },
};

const callsOf = (message: Message): readonly unknown[] =>
  Array.isArray(message['toolCalls']) ? message['toolCalls'] : [];

function placedCalls(message: Message): PlacedCall[] {
  const calls = callsOf(message);
  const before = namesakesBefore(calls);
  return calls.flatMap((call, index) =>
    isRecord(call) ? { call, path: ['toolCalls', index], before: before[index]! } : [],
  );
}

const partId = (id: unknown, part: string | number): string | undefined =>
  typeof id === 'string' ? `${id}#${part}` : undefined;

/** The answer, and one entry for each result in it. Thoughts are for the screen: the agent does not send them again. */
function answerParts(message: Message, ids: CallIds): MessagePart[] {
  ids.turn();
  const { id, model, thoughts, timestamp } = message;
  const placed = readParts(message['content'], ['content'], ids);
  // After a prompt that failed, the content contains the calls too.
  const inWords = new Set(placed.map(({ block }) => (block.type === 'tool_call' ? block.id : undefined)));
  const results: MessagePart[] = [];
  for (const placedCall of placedCalls(message)) {
    const { callId, call, response } = readToolCall(placedCall, ids);
    if (!inWords.has(callId)) placed.push(call);
    if (response.length > 0)
      results.push(partOf('tool', response, recordedMetadata({ id: partId(id, callId), timestamp })));
  }
  if (placed.length === 0) return [];
  const metadata = recordedMetadata({ id, timestamp, model, usage: recordedUsage(message['tokens'], USAGE_REPORTS) });
  if (Array.isArray(thoughts) && thoughts.length > 0) metadata['thoughts'] = thoughts;
  return [partOf('ai', placed, metadata), ...results];
}

function questionParts(message: Message, ids: CallIds): MessagePart[] {
  const { id, timestamp } = message;
  return userParts(readParts(message['content'], ['content'], ids)).map(({ speaker, blocks, places }, index) => {
    const metadata = recordedMetadata({ id: index === 0 ? id : partId(id, index), timestamp });
    return { speaker, blocks, places, metadata };
  });
}

/** The changes of the content of a message: a text becomes empty, parts of a list are removed one by one. */
function wordChanges(content: unknown, edits: readonly PlacedEdit[]): JsonChange[] {
  return edits.flatMap((one): JsonChange[] => {
    const [, index] = one.path;
    if (index !== undefined) return partChanges((content as Fields)[index], one);
    if (one.edit.kind === 'drop') return [{ kind: 'set', path: one.path, value: '' }];
    return partChanges(content, one);
  });
}

function changes(message: Message, edits: readonly PlacedEdit[]): 'remove' | JsonChange[] {
  if (edits.every(({ edit }) => edit.kind === 'drop')) return 'remove';
  const isCall = ({ path }: PlacedEdit): boolean => path[0] === 'toolCalls';
  const found = wordChanges(
    message['content'],
    edits.filter((one) => !isCall(one)),
  );
  const inCalls = groupBy(edits.filter(isCall), ({ path }) => path[1]);
  // The content can have the calls too, those with one id in the same order.
  const inWords = groupBy(
    edits.filter((one) => !isCall(one) && one.block.type === 'tool_call'),
    ({ block }) => block.type === 'tool_call' && block.id,
  );
  for (const placed of placedCalls(message)) {
    const { call, path, before } = placed;
    const asked = inWords.get(call['id'] as string)?.[before];
    const own = [...(asked ? [asked] : []), ...(inCalls.get(path[1]) ?? [])];
    if (own.every(({ edit }) => edit.kind === 'keep')) continue;
    const called = toolCallChanges(placed, own);
    append(found, called === 'remove' ? [{ kind: 'remove' as const, path }] : called);
  }
  return found;
}

/** The messages in recordings of Gemini CLI; `create` makes new ones. */
export function recordedMessages(create: (entries: readonly IContent[]) => readonly unknown[]): MessageDialect {
  return {
    reader() {
      const ids = new CallIds();
      return (message) => {
        if (message['type'] === 'gemini') return answerParts(message, ids);
        return message['type'] === 'user' ? questionParts(message, ids) : [];
      };
    },
    changes,
    create,
  };
}
