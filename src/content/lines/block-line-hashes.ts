import { blockTexts } from '../block-text.ts';
import type { ContentBlock } from '../content.ts';
import { madeOnce } from '../group-by.ts';
import { lineHashes } from './line-hash.ts';

const cache = new WeakMap<ContentBlock, readonly number[]>();

/** `lineHashes` of all texts of a block, cached for the life of the block: blocks are immutable. */
export const blockLineHashes = (block: ContentBlock): readonly number[] =>
  // A copy has no room to grow, which a list that grew keeps.
  madeOnce(cache, block, () => lineHashes(blockTexts(block)).slice());
