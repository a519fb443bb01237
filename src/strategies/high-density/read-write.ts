import { fileAccess } from '../../content/file-access.ts';
import { isFailure, type PairedCall, pairCalls, responseExtent } from '../../content/pairing.ts';
import type { ToolVocabulary } from '../../content/vocabulary.ts';
import type { DebugLogger } from '../contract.ts';
import type { HistoryDraft } from './draft.ts';

/**
 * Removes from `draft` every answered call that only read files which were all written by a later entry, with its
 * responses and what belongs to them; returns how many pairs went. Linear in blocks.
 * Source: REQ-HD-005; DESIGN section 4, rows 2, 7 and 12.
 */
export function pruneReadWritePairs(
  draft: HistoryDraft,
  { vocabulary, workspaceRoot, logger }: { vocabulary: ToolVocabulary; workspaceRoot: string; logger?: DebugLogger },
): number {
  const latestWrite = new Map<string, number>();
  const pureReads: { paired: PairedCall; files: readonly string[] }[] = [];
  for (const paired of pairCalls(draft.history).calls) {
    const access = fileAccess(paired.call, vocabulary, workspaceRoot);
    if (access.isUnrecognized) {
      logger?.debug('No file recognised in the parameters of a tool call, so pruning skips it', {
        tool: paired.call.name,
        callId: paired.call.id,
        entry: paired.entry,
      });
    }
    if (access.writes.length > 0 && mayHaveHappened(paired)) {
      for (const file of access.writes) latestWrite.set(file, paired.entry);
    }
    if (access.isPureRead && paired.responses.length > 0) pureReads.push({ paired, files: access.reads });
  }
  let pruned = 0;
  for (const { paired, files } of pureReads) {
    if (!files.every((file) => (latestWrite.get(file) ?? -1) > paired.entry)) continue;
    removePair(draft, paired);
    pruned++;
  }
  return pruned;
}

/** Whether a call did or may still do what it says: some response is no failure, or none has arrived. */
function mayHaveHappened({ responses }: PairedCall): boolean {
  return responses.length === 0 || responses.some(({ response }) => !isFailure(response));
}

function removePair(draft: HistoryDraft, { entry, block, responses }: PairedCall): void {
  draft.removeBlock(entry, block);
  for (const response of responses) {
    const [start, end] = responseExtent(draft.history[response.entry]!, response.block);
    for (let at = start; at < end; at++) draft.removeBlock(response.entry, at);
  }
}
