import type { ContentMetadata, IContent, Usage } from '../../content/content.ts';
import { isRecord } from '../../content/vocabulary.ts';
import { partChanges, readParts, userParts } from '../gemini-content.ts';
import { timeOf } from '../iso-time.ts';
import type { JsonChange } from '../json-splice.ts';
import type { Message, MessageDialect } from '../message-list.ts';
import { type MessagePart, type PlacedEdit, partOf } from '../message-part.ts';
import { CallIds } from './call-ids.ts';
import { readToolCall, toolCallChanges } from './tool-call.ts';

type Fields = Readonly<Record<string, unknown>>;

const asCount = (value: unknown): number => (typeof value === 'number' && value >= 0 ? value : 0);

function usageOf(tokens: unknown): Usage | undefined {
  if (!isRecord(tokens) || typeof tokens['input'] !== 'number') return undefined;
  const promptTokens = asCount(tokens['input']) + asCount(tokens['tool']);
  const completionTokens = asCount(tokens['output']) + asCount(tokens['thoughts']);
  const totalTokens = asCount(tokens['total']) || promptTokens + completionTokens;
  return { promptTokens, completionTokens, totalTokens, cachedTokens: asCount(tokens['cached']) };
}

function metadataOf(message: Message): ContentMetadata {
  const timestamp = timeOf(message['timestamp']);
  return {
    ...(typeof message['id'] === 'string' && { id: message['id'] }),
    ...(timestamp !== undefined && { timestamp }),
  };
}

const callsOf = (message: Message): readonly unknown[] =>
  Array.isArray(message['toolCalls']) ? message['toolCalls'] : [];

/** The answer and one entry for each result in it. Thoughts are notes for the screen: the agent sends none of them again. */
function answerParts(message: Message, ids: CallIds): MessagePart[] {
  ids.turn();
  const { thoughts, model } = message;
  const usage = usageOf(message['tokens']);
  const { id, ...when } = metadataOf(message);
  const words = readParts(message['content'], ['content'], ids);
  const calls = callsOf(message).flatMap((call, index) =>
    isRecord(call) ? readToolCall(call, ['toolCalls', index], ids) : [],
  );
  const said = [...words, ...calls.map(({ call }) => call)];
  if (said.length === 0) return [];
  const metadata: ContentMetadata = {
    ...(id !== undefined && { id }),
    ...when,
    ...(typeof model === 'string' && { model }),
    ...(usage && { usage }),
    ...(Array.isArray(thoughts) && thoughts.length > 0 && { thoughts }),
  };
  const results = calls.flatMap(({ response }) => {
    const [first] = response;
    const callId = first?.block.type === 'tool_response' ? first.block.callId : '';
    return first ? partOf('tool', response, { ...when, ...(id !== undefined && { id: `${id}#${callId}` }) }) : [];
  });
  return [partOf('ai', said, metadata), ...results];
}

function questionParts(message: Message, ids: CallIds): MessagePart[] {
  const { id, ...when } = metadataOf(message);
  return userParts(readParts(message['content'], ['content'], ids)).map((part, index) => {
    const own = id !== undefined && { id: index === 0 ? id : `${id}#${index}` };
    return { ...part, metadata: { ...own, ...when } };
  });
}

/** How the words of a message change: text alone becomes empty, parts of a list go one by one. */
function wordChanges(content: unknown, edits: readonly PlacedEdit[]): JsonChange[] {
  return edits.flatMap((one): JsonChange[] => {
    const [, index] = one.path;
    if (index !== undefined) return partChanges((content as Fields)[index], one.path, one);
    if (one.edit.kind === 'drop') return [{ kind: 'set', path: one.path, value: '' }];
    return partChanges(content, one.path, one);
  });
}

function changes(message: Message, edits: readonly PlacedEdit[]): 'remove' | JsonChange[] {
  if (edits.every(({ edit }) => edit.kind === 'drop')) return 'remove';
  const isCall = ({ path }: PlacedEdit): boolean => path[0] === 'toolCalls';
  const found = wordChanges(
    message['content'],
    edits.filter((one) => !isCall(one)),
  );
  for (const [index, call] of callsOf(message).entries()) {
    const own = edits.filter((one) => isCall(one) && one.path[1] === index);
    if (!isRecord(call) || own.every(({ edit }) => edit.kind === 'keep')) continue;
    const path = ['toolCalls', index];
    const called = toolCallChanges(call, path, own);
    found.push(...(called === 'remove' ? [{ kind: 'remove' as const, path }] : called));
  }
  return found;
}

/** Messages as Gemini CLI records them; `create` makes new ones. */
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
