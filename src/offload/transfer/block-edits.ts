import type { ContentBlock, IContent } from '../../content/content.ts';
import { addTo } from '../../content/group-by.ts';
import type { BlockEdit } from '../protocol.ts';

/** `before` with these blocks edited; every other block and field is `before`'s own object. */
export function applyBlockEdits(before: IContent, edits: readonly BlockEdit[]): IContent {
  const becomes = new Map(edits.map((edit) => [edit.block, edit.becomes]));
  const blocks: ContentBlock[] = [];
  for (const [index, block] of before.blocks.entries()) {
    const edit = becomes.get(index);
    if (edit === undefined) blocks.push(block);
    else if (edit !== 'nothing') blocks.push(withFields(block, edit));
  }
  return { ...before, blocks };
}

/**
 * How `after` was made of `before` when blocks were only dropped or changed in place, found by the identity of those
 * that were kept; undefined when it was made otherwise. Linear in blocks.
 */
export function blockEdits(before: IContent, after: IContent): BlockEdit[] | undefined {
  if (!differsInBlocksOnly(before, after)) return undefined;
  const keptAt = keptPlaces(before.blocks, after.blocks);
  const limits = nextKeptPlaces(keptAt, before.blocks.length);
  const edits: BlockEdit[] = [];
  let at = 0;
  for (const [index, block] of after.blocks.entries()) {
    let place = keptAt[index]!;
    if (place === -1) {
      place = at;
      while (place < limits[index]! && before.blocks[place]!.type !== block.type) place++;
      if (place === limits[index]!) return undefined;
    }
    for (; at < place; at++) edits.push({ block: at, becomes: 'nothing' });
    if (keptAt[index] === -1) edits.push({ block: place, becomes: changedFields(before.blocks[place]!, block) });
    at = place + 1;
  }
  for (; at < before.blocks.length; at++) edits.push({ block: at, becomes: 'nothing' });
  return edits;
}

function differsInBlocksOnly(before: IContent, after: IContent): boolean {
  const keys = Object.keys(after) as (keyof IContent)[];
  return (
    keys.length === Object.keys(before).length && keys.every((key) => key === 'blocks' || before[key] === after[key])
  );
}

/** For each block of `after` the place of the same object in `before`, ascending; -1 for none. */
function keptPlaces(before: readonly ContentBlock[], after: readonly ContentBlock[]): number[] {
  const places = new Map<ContentBlock, number[]>();
  for (let index = before.length - 1; index >= 0; index--) addTo(places, before[index]!, index);
  let from = 0;
  return after.map((block) => {
    const own = places.get(block) ?? [];
    let place = own.pop();
    while (place !== undefined && place < from) place = own.pop();
    if (place === undefined) return -1;
    from = place + 1;
    return place;
  });
}

/** For each block or entry the place of the next kept one after it, `end` when there is none; -1 is none of the kept. */
export function nextKeptPlaces(keptAt: readonly number[], end: number): number[] {
  const limits = new Array<number>(keptAt.length);
  let limit = end;
  for (let index = keptAt.length - 1; index >= 0; index--) {
    limits[index] = limit;
    if (keptAt[index] !== -1) limit = keptAt[index]!;
  }
  return limits;
}

function changedFields(before: ContentBlock, after: ContentBlock): Exclude<BlockEdit['becomes'], 'nothing'> {
  const changed = Object.entries(after).filter(([key, value]) => before[key as keyof ContentBlock] !== value);
  return {
    set: Object.fromEntries(changed),
    unset: Object.keys(before).filter((key) => !Object.hasOwn(after, key)),
  };
}

function withFields(block: ContentBlock, { set, unset }: Exclude<BlockEdit['becomes'], 'nothing'>): ContentBlock {
  const changed = { ...block, ...set } as ContentBlock;
  for (const key of unset) Reflect.deleteProperty(changed, key);
  return changed;
}
