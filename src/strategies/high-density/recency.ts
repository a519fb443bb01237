import type { ToolResponseBlock } from '../../content/content.ts';
import { PRUNED_RESULT } from '../../content/pruned-result.ts';
import type { Recency } from '../edit-reason.ts';
import type { HistoryDraft } from './draft.ts';
import type { HistoryIndex } from './incremental/history-index.ts';
import type { Protection } from './protection.ts';

/**
 * Replaces the result of every response beyond the newest `retention` of its tool by the pointer. Results that already are the pointer, or that their agent cleared, are neither counted nor replaced;
 * those of protected tools stay.
 * Linear in responses.
 * Source: REQ-HD-007; docs/readings.md, rows 3, 5 and 7.
 */
export function pruneByRecency(
  draft: HistoryDraft,
  { responses, toolCount }: HistoryIndex,
  { retention, protection }: { retention: number; protection: Protection },
): void {
  const seen = new Uint32Array(toolCount);
  const reasons: Recency[] = [];
  for (let at = responses.entry.length - 1; at >= 0; at--) {
    const tool = responses.tool[at]!;
    const [entry, block] = [responses.entry[at]!, responses.block[at]!];
    if (tool === -1 || draft.isRemoved(entry, block)) continue;
    const count = ++seen[tool]!;
    if (count <= retention) continue;
    const item = draft.blockAt(entry, block) as ToolResponseBlock;
    if (protection.coversTool(item.toolName)) continue;
    reasons[tool] ??= { rule: 'recency', tool: item.toolName, retention };
    draft.replaceBlock(entry, block, { by: { ...item, result: PRUNED_RESULT }, reason: reasons[tool] });
  }
}

/** How many results of each tool to keep: a whole number, at least 1 (REQ-HD-013.6; docs/readings.md, row 31). */
export function retainedResults(recencyRetention: number): number {
  return Number.isNaN(recencyRetention) ? 1 : Math.max(1, Math.floor(recencyRetention));
}
