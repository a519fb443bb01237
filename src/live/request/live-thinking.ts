import { thinkingLength } from '../../content/block-text.ts';
import type { ContentBlock, ThinkingBlock } from '../../content/content.ts';
import type { JsonPath } from '../../formats/json/json-change.ts';
import { hashOf } from '../conversation/hash-of.ts';

/** The thinking of an answer, which can be left out as a whole. */
interface LiveThinking {
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

const THINKING = 'thinking ';

/** True for a name of thinking. */
export const isThinkingId = (id: string): boolean => id.startsWith(THINKING);

/** Names the thinking of an answer by its seals, which a recording has too; `undefined` if no provider sealed it. */
export function thinkingId(blocks: readonly ContentBlock[]): string | undefined {
  const seals = blocks
    .filter(isThinking)
    .flatMap(({ signature, encryptedContent }) => signature ?? encryptedContent ?? []);
  return seals.length === 0 ? undefined : `${THINKING}${hashOf(JSON.stringify(seals))}`;
}

/** The thinking among the blocks of an answer; `undefined` if it has none that a provider sealed. */
export function liveThinking(blocks: readonly ContentBlock[], places: readonly JsonPath[]): LiveThinking | undefined {
  const id = thinkingId(blocks);
  if (id === undefined) return undefined;
  const thoughts = blocks.filter(isThinking);
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
