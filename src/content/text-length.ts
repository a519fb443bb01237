import { blockTexts } from './block-text.ts';
import type { IContent } from './content.ts';

/** UTF-16 units of all texts of an entry that a model reads. */
export function textLength({ blocks }: IContent): number {
  let length = 0;
  for (const block of blocks) for (const text of blockTexts(block)) length += text.length;
  return length;
}
