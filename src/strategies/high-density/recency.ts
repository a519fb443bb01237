import { CLEARED_RESULT } from '../../content/cleared-result.ts';
import type { HistoryDraft } from './draft.ts';

/** What stands in place of a pruned result. Source: REQ-HD-007.2. */
export const PRUNED_RESULT = '[Result pruned — re-run tool to retrieve]';

/** Whether a result is gone already: pruned by this strategy, or cleared by the agent itself. */
export function isPruned(result: unknown): boolean {
  return result === PRUNED_RESULT || result === CLEARED_RESULT;
}

/**
 * Replaces the result of every response beyond the newest `retention` of its tool by the pointer; returns how many
 * were replaced. Results that already are the pointer, or that their agent cleared, are neither counted nor replaced. Linear in blocks.
 * Source: REQ-HD-007; DESIGN section 4, rows 3, 5 and 7.
 */
export function pruneByRecency(draft: HistoryDraft, retention: number): number {
  const seen = new Map<string, number>();
  let pruned = 0;
  for (let entry = draft.history.length - 1; entry >= 0; entry--) {
    for (let block = draft.history[entry]!.blocks.length - 1; block >= 0; block--) {
      const item = draft.blockAt(entry, block);
      if (item?.type !== 'tool_response' || isPruned(item.result)) continue;
      const count = (seen.get(item.toolName) ?? 0) + 1;
      seen.set(item.toolName, count);
      if (count <= retention) continue;
      draft.replaceBlock(entry, block, { ...item, result: PRUNED_RESULT });
      pruned++;
    }
  }
  return pruned;
}

/** How many results of each tool to keep: a whole number, at least 1 (REQ-HD-013.6; DESIGN section 4, row 31). */
export function retainedResults(recencyRetention: number): number {
  return Number.isNaN(recencyRetention) ? 1 : Math.max(1, Math.floor(recencyRetention));
}
