import type { DensityEdit, DensityResultMetadata } from './contract.ts';
import { EDIT_RULES } from './edit-reason.ts';

/**
 * True if the edit adds to its counter: a pair is counted at its call, an inclusion at its first block, and anything else
 * at each block.
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

/** The number of edits of each rule, in the units of `DensityResultMetadata`. Linear. */
export function countEdits(edits: readonly DensityEdit[]): DensityResultMetadata {
  const counts = { readWritePairs: 0, fileInclusions: 0, recency: 0, summarised: 0, dropped: 0 };
  for (const edit of edits) if (isCounted(edit)) counts[EDIT_RULES[edit.reason.rule].counter]++;
  return {
    readWritePairsPruned: counts.readWritePairs,
    fileDeduplicationsPruned: counts.fileInclusions,
    recencyPruned: counts.recency,
  };
}
