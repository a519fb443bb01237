import { blockTexts } from './block-text.ts';
import type { ContentBlock } from './content.ts';
import { lineMarks } from './line-marks.ts';

const known = new WeakMap<ContentBlock, readonly number[]>();

/** `lineMarks` of all texts of a block, found once for as long as it lives: blocks are immutable. */
export function blockLineMarks(block: ContentBlock): readonly number[] {
  let marks = known.get(block);
  if (marks === undefined) {
    marks = lineMarks(blockTexts(block));
    known.set(block, marks);
  }
  return marks;
}
