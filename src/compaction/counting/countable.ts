import type { ContentBlock, IContent } from '../../content/content.ts';
import { readItem } from '../../formats/anthropic/anthropic-content.ts';
import { blocksOf, type MessageLike } from '../message.ts';
import { leavesOf } from './leaves.ts';

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

/** The approximate length of the text of an entry, an estimate of the time to count it. */
export function textLength({ blocks }: IContent): number {
  return blocks.reduce((sum, block) => sum + unitsOf(block), 0);
}

function unitsOf(block: ContentBlock): number {
  if (block.type === 'text') return block.text.length;
  if (block.type === 'thinking') return block.thought.length;
  if (block.type !== 'tool_call') return 0;
  return leavesOf(block.parameters).reduce((sum: number, leaf) => sum + (isString(leaf) ? leaf.length : 1), 0);
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
