import type { DensityEdit, DensityResultMetadata } from './contract.ts';
import { EDIT_RULES } from './edit-reason.ts';

/**
 * Whether an edit is the one that its counter counts: a pair counts with its call, an inclusion with the block that it
 * starts in, anything else with each block.
 */
export function isCounted({ entry, block, reason }: DensityEdit): boolean {
  switch (reason.rule) {
    case 'staleRead':
    case 'supersededRead':
      return reason.read.entry === entry && reason.read.block === block;
    case 'repeatedInclusion':
      return reason.inclusion.start.block === block;
    default:
      return true;
  }
}

/** How often each rule acted, in the units of `DensityResultMetadata`. Linear. */
export function countEdits(edits: readonly DensityEdit[]): DensityResultMetadata {
  const counts = { readWritePairs: 0, fileInclusions: 0, recency: 0, summarised: 0, dropped: 0 };
  for (const edit of edits) if (isCounted(edit)) counts[EDIT_RULES[edit.reason.rule].counter]++;
  return {
    readWritePairsPruned: counts.readWritePairs,
    fileDeduplicationsPruned: counts.fileInclusions,
    recencyPruned: counts.recency,
  };
}
