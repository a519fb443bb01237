import { blockTexts } from '../block-text.ts';
import type { ContentBlock } from '../content.ts';
import { lineHashes } from './line-hash.ts';

const cache = new WeakMap<ContentBlock, readonly number[]>();

/** `lineHashes` of all texts of a block, cached for the life of the block: blocks are immutable. */
export function blockLineHashes(block: ContentBlock): readonly number[] {
  let hashes = cache.get(block);
  if (hashes === undefined) {
    // A copy has no room to grow, which a list that grew keeps.
    hashes = lineHashes(blockTexts(block)).slice();
    cache.set(block, hashes);
  }
  return hashes;
}
