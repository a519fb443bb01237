import type { ToolResponseBlock } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { anthropicDialect } from '../../formats/anthropic/anthropic-messages.ts';
import { CallsOfResults } from '../../formats/blocks/calls-of-results.ts';
import { contentText } from '../../formats/blocks/text-list.ts';
import { responseText, splitError } from '../../formats/blocks/tool-result.ts';
import { type RecordedCall, readItem } from '../../formats/codex/item.ts';
import { outputText, readOutput } from '../../formats/codex/output.ts';
import { geminiContents } from '../../formats/gemini/gemini-content.ts';
import { type JsonPath, valueAt } from '../../formats/json/json-change.ts';
import type { Message } from '../../formats/messages/message-list.ts';
import type { MessagePart } from '../../formats/messages/message-part.ts';
import { openaiChatDialect } from '../../formats/openai-chat/openai-chat.ts';
import type { LiveApi } from '../contract.ts';

/** How the requests of an API are read: the list in them, its elements, and the text of results. */
export interface LiveDialect {
  /** The field with the list. */
  readonly listKey: string;
  /** Reads the elements of one conversation, in order. */
  reader(): (element: Message) => readonly MessagePart[];
  /** The path below a result to its text, or to the list with its texts; `undefined` for an element that is not ours to change. */
  textPath(element: Message, result: JsonPath): JsonPath | undefined;
  /** The text that is sent for a result that a rule changed. */
  textOf?(block: ToolResponseBlock, before: string): string;
  /** The result that is read from such a text in the place of a result. */
  resultOf?(text: string, before: ToolResponseBlock): unknown;
  /** True if thinking of earlier turns may be left out of a request. */
  readonly canOmitThinking?: true;
  /** Fields of a request whose history is not in the list. */
  readonly elsewhere: readonly string[];
  /** True for an element that only lists of this API have. */
  isOwn(element: Message): boolean;
}

/** A part of the history is on the server: the request is not ours to change. */
export class HistoryElsewhere extends Error {}

/** One entry per item: an answer need not be one entry for pruning. */
function itemReader(): (item: Message) => readonly MessagePart[] {
  const calls = new CallsOfResults<RecordedCall>();
  return (item) => {
    if (item['type'] === 'item_reference') throw new HistoryElsewhere();
    const read = readItem('type' in item || !('role' in item) ? item : { ...item, type: 'message' }, calls);
    return read && read.blocks.length > 0 ? [{ speaker: read.speaker, blocks: read.blocks, places: read.places }] : [];
  };
}

/** Outputs of a free form. What a hosted tool says has its own fields. */
const TEXT_OUTPUTS: ReadonlySet<unknown> = new Set(['function_call_output', 'custom_tool_call_output']);

const ANTHROPIC_BLOCKS: ReadonlySet<unknown> = new Set(['tool_use', 'tool_result', 'thinking', 'redacted_thinking']);

export const LIVE_DIALECTS: Readonly<Record<LiveApi, LiveDialect>> = {
  'anthropic-messages': {
    listKey: 'messages',
    reader: () => anthropicDialect.reader(),
    textPath: (_, result) => [...result, 'content'],
    // The first line of a failed result is read as its error.
    textOf: responseText,
    resultOf: (text, { error }) => (error === undefined ? text : splitError(text).result),
    canOmitThinking: true,
    elsewhere: ['thread'],
    isOwn: ({ content }) => Array.isArray(content) && content.some((one) => ANTHROPIC_BLOCKS.has(one?.type)),
  },
  'openai-chat': {
    listKey: 'messages',
    reader: () => openaiChatDialect.reader(),
    textPath: () => ['content'],
    elsewhere: [],
    isOwn: ({ role, tool_calls: calls }) => role === 'tool' || calls !== undefined,
  },
  'openai-responses': {
    listKey: 'input',
    reader: itemReader,
    textPath: ({ type }) => (TEXT_OUTPUTS.has(type) ? ['output'] : undefined),
    textOf: (block, before) => outputText(block, before),
    resultOf: (text) => readOutput(text, []).result,
    elsewhere: ['previous_response_id', 'conversation'],
    isOwn: ({ type }) => typeof type === 'string',
  },
  'gemini-api': {
    listKey: 'contents',
    reader: () => geminiContents.reader(),
    textPath: (content, result) => {
      const response = [...result, 'functionResponse', 'response'];
      // The AI SDK names it `content`.
      return [...response, valueAt(content, [...response, 'output']) === undefined ? 'content' : 'output'];
    },
    elsewhere: ['cachedContent', 'cached_content'],
    isOwn: ({ parts }) => Array.isArray(parts),
  },
};

/** The API whose requests contain such a list; undefined for one without calls, in which nothing can be shortened. */
export function apiOfList(list: readonly unknown[]): LiveApi | undefined {
  const dialects = Object.entries(LIVE_DIALECTS) as [LiveApi, LiveDialect][];
  for (const element of list) {
    const found = dialects.find(([, dialect]) => isRecord(element) && dialect.isOwn(element));
    if (found) return found[0];
  }
  return undefined;
}

/** The text at `path`: a string, or the texts of a list. */
export const textAt = (element: Message, path: JsonPath): string | undefined => contentText(valueAt(element, path));
