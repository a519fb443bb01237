import type { DensityEdit, DensityResultMetadata } from '../contract.ts';
import { COUNTER_ROWS, EDIT_RULES } from './edit-reason.ts';

/** True if the edit adds to the counter of its reason. */
export const isCounted = (edit: DensityEdit): boolean => EDIT_RULES[edit.reason.rule].row.isCounted?.(edit) ?? true;

/** The number of edits of each rule, in the units of `DensityResultMetadata`. Linear. */
export function countEdits(edits: readonly DensityEdit[]): DensityResultMetadata {
  const counts = { readWritePairsPruned: 0, fileDeduplicationsPruned: 0, recencyPruned: 0 };
  for (const edit of edits) {
    const { metadata } = COUNTER_ROWS[EDIT_RULES[edit.reason.rule].counter];
    if (metadata !== undefined && isCounted(edit)) counts[metadata]++;
  }
  return counts;
}
