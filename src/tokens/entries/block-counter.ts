import type { ContentBlock, IContent } from '../../content/content.ts';
import { madeOnce } from '../../content/group-by.ts';
import { createTokenizer } from '../index.ts';
import { familyOfModel } from '../models.ts';
import { answerTokens, countBlock } from './entry.ts';

/** Tokens of one block. */
export type CountBlock = (block: ContentBlock) => number;

/** A counter for the blocks of a model's prompts; it caches the count of each block by identity. */
export function blockCounter(model: string): CountBlock {
  const tokenizer = createTokenizer(familyOfModel(model));
  const known = new WeakMap<ContentBlock, number>();
  return (block) => madeOnce(known, block, () => countBlock(block, tokenizer));
}

/** A counter for the entries of a model's prompts: `countEntry`, with the counts of its blocks by `count`. */
export function entryCounter(model: string, count: CountBlock = blockCounter(model)): (entry: IContent) => number {
  const family = familyOfModel(model);
  return (entry) => {
    const tokens = entry.blocks.reduce((sum, block) => sum + count(block), 0);
    return Math.max(tokens, answerTokens(entry, family));
  };
}
