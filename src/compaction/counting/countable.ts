import { append } from '../../content/append.ts';
import type { ContentBlock, IContent } from '../../content/content.ts';
import { readItem } from '../../formats/anthropic/anthropic-content.ts';
import type { MessageLike } from '../contract.ts';
import { blocksOf } from '../message.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The content of a message that is counted, and the unknown types of its blocks, which are not counted. */
export interface Countable {
  readonly entry: IContent;
  readonly unknownTypes: readonly string[];
}

const isString = (value: unknown): value is string => typeof value === 'string';
const textBlocks = (...values: readonly unknown[]): ContentBlock[] =>
  values.filter(isString).map((text) => ({ type: 'text', text }));
const readBlocks = (block: Fields): ContentBlock[] => readItem(block, [], () => '').map((placed) => placed.block);

/** Nested blocks below this level are not counted; in practice there are a few levels. */
const MAX_LEVELS = 32;

/** The counted blocks of a content. Types that are not known are added to `unknown`. */
function contentBlocks(content: unknown, level: number, unknown: Set<string>): ContentBlock[] {
  if (level > MAX_LEVELS) return [];
  return blocksOf({ content }).flatMap((block) => countedBlocks(block, level, unknown));
}

function countedBlocks(block: Fields, level: number, unknown: Set<string>): ContentBlock[] {
  const { type, name, input, content, title, source } = block;
  switch (type) {
    case 'text':
      return textBlocks(block['text']);
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return [{ type: 'tool_call', id: '', name: isString(name) ? name : '', parameters: input }];
    case 'tool_result':
    case 'mcp_tool_result':
      return contentBlocks(content, level + 1, unknown);
    case 'compaction':
      return textBlocks(content);
    case 'search_result':
      return [...textBlocks(title, source), ...contentBlocks(content, level + 1, unknown)];
    case 'document':
      return [...textBlocks(title, block['context']), ...documentBlocks(block, level, unknown)];
    case 'image':
    case 'thinking':
    case 'redacted_thinking':
      return readBlocks(block);
    default:
      unknown.add(isString(type) ? type : typeof type);
      return [];
  }
}

function documentBlocks(block: Fields, level: number, unknown: Set<string>): ContentBlock[] {
  const source = block['source'] as Fields | undefined;
  if (source?.['type'] === 'text') return textBlocks(source['data']);
  return source?.['type'] === 'content' ? contentBlocks(source['content'], level + 1, unknown) : readBlocks(block);
}

/**
 * The counted content of a message: texts, names and inputs of tool calls, results with their blocks, thoughts, images and
 * documents. Source: docs/requirements.md, F-001.
 */
export function countableOf(message: MessageLike): Countable {
  const unknown = new Set<string>();
  const blocks = contentBlocks(message.content, 0, unknown);
  return { entry: { speaker: 'human', blocks }, unknownTypes: [...unknown] };
}

/** A larger value is not compared: it counts as changed unless it is the same object. */
const MAX_VALUES = 100_000;

/**
 * The keys, scalars and list lengths of a value as a flat list. Equal lists mean equal values. Strings are not copied.
 */
export function leavesOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [value];
  const leaves: unknown[] = [];
  const pending: unknown[] = [value];
  while (pending.length > 0 && leaves.length < MAX_VALUES) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null) {
      leaves.push(next);
    } else if (Array.isArray(next)) {
      leaves.push(next.length);
      for (let index = next.length - 1; index >= 0; index--) pending.push(next[index]);
    } else {
      const keys = Object.keys(next);
      append(leaves, keys);
      leaves.push(keys.length);
      for (let index = keys.length - 1; index >= 0; index--) pending.push(Reflect.get(next, keys[index]!));
    }
  }
  // Too large: a new symbol makes this list unequal to any other.
  if (pending.length > 0) leaves.push(Symbol('unfinished'));
  // A copy without the spare capacity of a grown list: it lives as long as its message.
  return leaves.slice();
}

export function sameLeaves(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((leaf, index) => Object.is(leaf, right[index]));
}
