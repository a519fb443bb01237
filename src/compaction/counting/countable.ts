import type { ContentBlock, IContent } from '../../content/content.ts';
import { readItem } from '../../formats/anthropic/anthropic-content.ts';
import { blocksOf, type MessageLike } from '../message.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The content of a message that is counted, and the unknown types of its blocks, which are not counted. */
export interface Countable {
  readonly entry: IContent;
  readonly unknownTypes: readonly string[];
}

const isString = (value: unknown): value is string => typeof value === 'string';
const textBlock = (text: string): ContentBlock => ({ type: 'text', text });

/** Nested blocks below this level are not counted; in practice there are a few levels. */
const MAX_LEVELS = 32;

class Reading {
  readonly blocks: ContentBlock[] = [];
  readonly unknownTypes = new Set<string>();

  content(content: unknown, level: number): void {
    if (level > MAX_LEVELS) return;
    for (const block of blocksOf({ content })) this.#block(block, level);
  }

  #texts(...values: readonly unknown[]): void {
    for (const text of values.filter(isString)) this.blocks.push(textBlock(text));
  }

  #block(block: Fields, level: number): void {
    const { type } = block;
    switch (type) {
      case 'text':
        this.#texts(block['text']);
        return;
      case 'tool_use':
      case 'server_tool_use':
      case 'mcp_tool_use':
        this.blocks.push({
          type: 'tool_call',
          id: '',
          name: isString(block['name']) ? block['name'] : '',
          parameters: block['input'],
        });
        return;
      case 'tool_result':
      case 'mcp_tool_result':
        this.content(block['content'], level + 1);
        return;
      case 'search_result':
        this.#texts(block['title'], block['source']);
        this.content(block['content'], level + 1);
        return;
      case 'document':
        this.#document(block, level);
        return;
      case 'image':
      case 'thinking':
      case 'redacted_thinking':
        this.blocks.push(...readItem(block, [], () => '').map((placed) => placed.block));
        return;
      default:
        this.unknownTypes.add(isString(type) ? type : typeof type);
    }
  }

  #document(block: Fields, level: number): void {
    this.#texts(block['title'], block['context']);
    const source = block['source'] as Fields | undefined;
    if (source?.['type'] === 'text') this.#texts(source['data']);
    else if (source?.['type'] === 'content') this.content(source['content'], level + 1);
    else this.blocks.push(...readItem(block, [], () => '').map((placed) => placed.block));
  }
}

/**
 * The counted content of a message: texts, names and inputs of tool calls, results with their blocks, thoughts, images and
 * documents. Source: docs/requirements.md, F-001.
 */
export function countableOf(message: MessageLike): Countable {
  const reading = new Reading();
  reading.content(message.content, 0);
  return { entry: { speaker: 'human', blocks: reading.blocks }, unknownTypes: [...reading.unknownTypes] };
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
      leaves.push(...keys, keys.length);
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
