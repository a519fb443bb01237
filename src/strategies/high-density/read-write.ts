import { responseExtent } from '../../content/calls/pairing.ts';
import type { EditReason } from '../edit-reason.ts';
import type { HistoryDraft } from './draft.ts';
import type { HistoryIndex } from './incremental/history-index.ts';
import type { ReadDecisions } from './incremental/read-decisions.ts';

/**
 * Removes from `draft` every answered call that only read files which were all written by a later entry, with its
 * responses and what belongs to them, as far as the rules in force let it go, and reads or lines of them that they
 * give up beside: as was decided.
 * Source: REQ-HD-005; docs/readings.md, rows 2, 7 and 12.
 */
export function pruneReads(draft: HistoryDraft, index: HistoryIndex, decisions: ReadDecisions): void {
  for (const [call, decision] of decisions.all) {
    if ('rule' in decision) removePair(draft, index, { call, reason: decision });
    else for (const { entry, block, by, reason } of decision) draft.replaceBlock(entry, block, { by, reason });
  }
}

/** Removes a call from the draft, with its responses and what belongs to them. */
function removePair(
  draft: HistoryDraft,
  { calls, responses, links }: HistoryIndex,
  { call, reason }: { call: number; reason: EditReason },
): void {
  draft.removeBlock(calls.entry[call]!, calls.block[call]!, reason);
  for (let at = links.lastResponse[call]!; at !== -1; at = links.previousResponse[at]!) {
    const entry = responses.entry[at]!;
    const [start, end] = responseExtent(draft.history[entry]!, responses.block[at]!);
    for (let block = start; block < end; block++) draft.removeBlock(entry, block, reason);
  }
}
