import { responseExtent } from '../../../content/calls/pairing.ts';
import { isAttached, withoutLines, withResult } from './attached-read.ts';
import type { FileCall } from './file-call.ts';
import { CHANGED_LINES, type ChangedLines } from './reads/changed-lines.ts';
import { isRemoval, type ReadDecision, readPass } from './reads/read-pass.ts';
import { READ_SETTINGS, type ReadSettings } from './reads/read-settings.ts';
import { STALE_READ, type StaleRead } from './reads/stale-read.ts';
import { SUPERSEDED_READ, type SupersededRead } from './reads/superseded-read.ts';
import type { Draft, PruningRule, RuleContext } from './rule.ts';

type ReadReason = StaleRead | SupersededRead | ChangedLines;

export const pruneReads = {
  settings: READ_SETTINGS,
  reasons: { staleRead: STALE_READ, supersededRead: SUPERSEDED_READ, changedLines: CHANGED_LINES },
  isOn: ({ readWritePruning, rules }) => readWritePruning || rules.supersededReads,
  prune: removeReads,
} as const satisfies PruningRule<ReadReason, typeof READ_SETTINGS>;

/**
 * Removes every answered call that only read files which were all written by a later entry, with its responses and what
 * belongs to them, as far as the rules in force allow; and reads, or lines of them, that later calls show again. Linear in
 * calls and in text. Source: REQ-HD-005; docs/readings.md, rows 2, 7 and 12.
 */
function removeReads(draft: Draft<ReadReason>, { inForce, calls }: RuleContext<ReadSettings>): void {
  const pass = readPass(draft.history, inForce);
  for (const call of calls.toReversed()) {
    const decision = pass.decide(call);
    if (decision !== undefined) applyDecision(draft, call, decision);
  }
}

/** Applies the decision on a read to the draft. */
export function applyDecision(draft: Draft<ReadReason>, read: FileCall, decision: ReadDecision): void {
  if (!isRemoval(decision)) {
    for (const { entry, block, by, reason } of decision)
      draft.replaceBlock(entry, block, { by: withResult(draft.history[entry]!, block, by), reason });
    return;
  }
  if (isAttached(read.call)) {
    const by = withoutLines(draft.history[read.entry]!, read.block);
    if (by) draft.replaceBlock(read.entry, read.block, { by, reason: decision });
    return;
  }
  draft.removeBlock(read.entry, read.block, decision);
  for (const response of read.responses) {
    const [start, end] = responseExtent(draft.history[response.entry]!, response.block);
    for (let block = start; block < end; block++) draft.removeBlock(response.entry, block, decision);
  }
}
