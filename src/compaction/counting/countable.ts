import type { ContentBlock, IContent } from '../../content/content.ts';
import { readItem } from '../../formats/anthropic/anthropic-content.ts';
import { blocksOf, type MessageLike } from '../message.ts';
import { leavesOf } from './leaves.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A message as what its tokens are counted of, and the types of its blocks that are not known and count nothing. */
export interface Countable {
  readonly entry: IContent;
  readonly unknownTypes: readonly string[];
}

const isString = (value: unknown): value is string => typeof value === 'string';
const textBlock = (text: string): ContentBlock => ({ type: 'text', text });

/** Blocks that hold others nest a few levels in practice; what is deeper is not sent by any API. */
const MOST_LEVELS = 32;

class Reading {
  readonly blocks: ContentBlock[] = [];
  readonly unknownTypes = new Set<string>();

  content(content: unknown, level: number): void {
    if (level > MOST_LEVELS) return;
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

/** Characters of text in an entry, near enough: how long counting takes. */
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
 * What of a message is counted: texts, names and inputs of tool calls, results with the blocks inside them, thoughts,
 * images and documents. Source: docs/requirements.md, F-001.
 */
export function countableOf(message: MessageLike): Countable {
  const reading = new Reading();
  reading.content(message.content, 0);
  return { entry: { speaker: 'human', blocks: reading.blocks }, unknownTypes: [...reading.unknownTypes] };
}
