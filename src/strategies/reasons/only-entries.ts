import type { DensityResult } from '../contract.ts';
import { countEdits } from './edit-counts.ts';

/** The part of a result that changes only these entries. */
export function onlyEntries(result: DensityResult, entries: ReadonlySet<number>): DensityResult {
  const edits = result.edits?.filter(({ entry }) => entries.has(entry));
  return {
    removals: result.removals.filter((index) => entries.has(index)),
    replacements: new Map([...result.replacements].filter(([index]) => entries.has(index))),
    metadata: edits === undefined ? result.metadata : countEdits(edits),
    ...(edits && { edits }),
  };
}
