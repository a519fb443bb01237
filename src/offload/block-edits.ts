import type { ContentBlock, IContent } from '../content/content.ts';
import type { BlockEdit } from './protocol.ts';

/** `before` with these blocks edited; every other block and field is `before`'s own object. */
export function applyBlockEdits(before: IContent, edits: readonly BlockEdit[]): IContent {
  const becomes = new Map(edits.map((edit) => [edit.block, edit.becomes]));
  const blocks: ContentBlock[] = [];
  for (const [index, block] of before.blocks.entries()) {
    const now = becomes.get(index) ?? block;
    if (now !== 'nothing') blocks.push(now);
  }
  return { ...before, blocks };
}

/**
 * How `after` was made of `before` when blocks were only dropped or changed in place, found by the identity of those
 * that were kept; undefined when it was made otherwise.
 */
export function blockEdits(before: IContent, after: IContent): BlockEdit[] | undefined {
  if (before.speaker !== after.speaker || before.metadata !== after.metadata) return undefined;
  if (Object.keys(before).length !== Object.keys(after).length) return undefined;
  const edits: BlockEdit[] = [];
  let at = 0;
  for (const [index, block] of after.blocks.entries()) {
    const kept = before.blocks.indexOf(block, at);
    const nextKept = after.blocks.slice(index + 1).find((later) => before.blocks.includes(later, at));
    const limit = nextKept === undefined ? before.blocks.length : before.blocks.indexOf(nextKept, at);
    let place = kept;
    if (kept === -1) {
      place = at;
      while (place < limit && before.blocks[place]?.type !== block.type) place++;
      if (place >= limit) return undefined;
      edits.push({ block: place, becomes: block });
    }
    for (; at < place; at++) edits.push({ block: at, becomes: 'nothing' });
    at = place + 1;
  }
  for (; at < before.blocks.length; at++) edits.push({ block: at, becomes: 'nothing' });
  return edits;
}
