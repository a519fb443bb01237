import { thinkingLength } from '../../content/block-text.ts';
import type { ContentBlock, ThinkingBlock } from '../../content/content.ts';
import type { JsonPath } from '../../formats/json/json-splice.ts';
import { hashOf } from '../conversation/hash-of.ts';

/** The thinking of an answer, which can be left out as a whole. */
export interface LiveThinking {
  readonly id: string;
  /** A text that a person can read; empty where the answer has its thinking only encrypted. */
  readonly block: ThinkingBlock;
  readonly callId: string;
  readonly name: string;
  readonly text: string;
  /** As long as its text, or where that is hidden as its bytes. */
  readonly length: number;
  readonly path: JsonPath;
  /** Where each block of it is. */
  readonly paths: readonly JsonPath[];
  readonly blockAt: number;
}

/** What is left of thinking in the entries that the rules read. */
export const NO_THINKING: ThinkingBlock = { type: 'thinking', thought: '' };

const isThinking = (block: ContentBlock): block is ThinkingBlock => block.type === 'thinking';

/** The thinking among the blocks of an answer; `undefined` if it has none that a provider sealed, which makes it different from all other. */
export function liveThinking(blocks: readonly ContentBlock[], places: readonly JsonPath[]): LiveThinking | undefined {
  const thoughts = blocks.filter(isThinking);
  if (!thoughts.some(({ signature, encryptedContent }) => signature ?? encryptedContent)) return undefined;
  const id = `thinking ${hashOf(JSON.stringify(thoughts))}`;
  const text = thoughts.flatMap(({ thought }) => (thought === '' ? [] : thought)).join('\n\n');
  const blockAt = blocks.findIndex(isThinking);
  return {
    id,
    block: { type: 'thinking', thought: text },
    callId: id,
    name: 'thinking',
    text,
    length: thoughts.reduce((sum, thought) => sum + thinkingLength(thought), 0),
    path: places[blockAt]!,
    paths: places.filter((_, at) => isThinking(blocks[at]!)),
    blockAt,
  };
}
