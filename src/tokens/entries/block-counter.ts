import type { ContentBlock, IContent } from '../../content/content.ts';
import { createTokenizer } from '../index.ts';
import { familyOfModel } from '../models.ts';
import { countBlock } from './entry.ts';

/** Tokens of one block. */
export type CountBlock = (block: ContentBlock) => number;

/** A counter for the blocks of a model's prompts; it caches the count of each block by identity. */
export function blockCounter(model: string): CountBlock {
  const tokenizer = createTokenizer(familyOfModel(model));
  const known = new WeakMap<ContentBlock, number>();
  return (block) => {
    const kept = known.get(block);
    if (kept !== undefined) return kept;
    const tokens = countBlock(block, tokenizer);
    known.set(block, tokens);
    return tokens;
  };
}

/** Tokens of an entry: the sum over its blocks. */
export function entryCounter(count: CountBlock): (entry: IContent) => number {
  return (entry) => entry.blocks.reduce((sum, block) => sum + count(block), 0);
}
