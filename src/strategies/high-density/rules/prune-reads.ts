import { responseExtent } from '../../../content/calls/pairing.ts';
import type { ToolVocabulary } from '../../../content/vocabularies/vocabulary.ts';
import type { HistoryDraft } from '../draft.ts';
import type { RulesInForce } from '../rules-in-force.ts';
import type { FileCall } from './file-call.ts';
import { type ReadDecision, ReadPass } from './read-pass.ts';

/**
 * Removes every answered call that only read files which were all written by a later entry, with its responses and what
 * belongs to them, as far as the rules in force allow; and reads, or lines of them, that later calls show again. Linear in
 * calls and in text. Source: REQ-HD-005; docs/readings.md, rows 2, 7 and 12.
 */
export function pruneReads(
  draft: HistoryDraft,
  calls: readonly FileCall[],
  { inForce, vocabulary }: { readonly inForce: RulesInForce; readonly vocabulary: ToolVocabulary },
): void {
  const pass = new ReadPass(draft.history, inForce, vocabulary);
  for (const call of calls.toReversed()) {
    const decision = pass.decide(call);
    if (decision !== undefined) applyDecision(draft, call, decision);
  }
}

/** Applies the decision on a read to the draft. */
export function applyDecision(draft: HistoryDraft, read: FileCall, decision: ReadDecision): void {
  if (!('rule' in decision)) {
    for (const { entry, block, by, reason } of decision) draft.replaceBlock(entry, block, { by, reason });
    return;
  }
  draft.removeBlock(read.entry, read.block, decision);
  for (const response of read.responses) {
    const [start, end] = responseExtent(draft.history[response.entry]!, response.block);
    for (let block = start; block < end; block++) draft.removeBlock(response.entry, block, decision);
  }
}
