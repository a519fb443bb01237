import type { IContent } from '../content/content.ts';
import type { DensityResult } from '../strategies/contract.ts';

/** A history after the edits of a checked result. One pass. */
export function applyEdits(
  history: readonly IContent[],
  { removals, replacements }: Pick<DensityResult, 'removals' | 'replacements'>,
): IContent[] {
  const edited = history.slice();
  for (const [index, entry] of replacements) edited[index] = entry;
  removeFromBoth(removals, edited, edited);
  return edited;
}

/** Removes what is at `removals` from two parallel lists, or from one that is given twice. One pass that reads no item. */
export function removeFromBoth(removals: readonly number[], items: unknown[], others: unknown[]): void {
  if (removals.length === 0) return;
  const removed = new Uint8Array(items.length);
  let kept = items.length;
  for (const index of removals) {
    removed[index] = 1;
    if (index < kept) kept = index;
  }
  for (let index = kept; index < items.length; index++) {
    if (removed[index] !== 0) continue;
    others[kept] = others[index];
    items[kept++] = items[index];
  }
  items.length = kept;
  others.length = kept;
}
