import { type CallLinks, linkCalls } from '../../content/call-links.ts';
import type { IContent, ToolCallBlock, ToolResponseBlock } from '../../content/content.ts';
import { fileAccess } from '../../content/file-access.ts';
import { isFailure, responseExtent } from '../../content/pairing.ts';
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
  const { history } = draft;
  const links = linkCalls(history);
  const latestWrite = new Map<string, number>();
  let pruned = 0;
  for (let at = links.callEntry.length - 1; at >= 0; at--) {
    const entry = links.callEntry[at]!;
    const call = history[entry]!.blocks[links.callBlock[at]!] as ToolCallBlock;
    const access = fileAccess(call, vocabulary, workspaceRoot);
    if (access.isUnrecognized) {
      logger?.debug('No file recognised in the parameters of a tool call, so pruning skips it', {
        tool: call.name,
        callId: call.id,
        entry,
      });
    }
    if (access.writes.length > 0 && mayHaveHappened(history, links, at)) {
      for (const file of access.writes) if (!latestWrite.has(file)) latestWrite.set(file, entry);
    }
    if (!access.isPureRead || links.lastResponse[at] === -1) continue;
    if (!access.reads.every((file) => (latestWrite.get(file) ?? -1) > entry)) continue;
    removePair(draft, links, at);
    pruned++;
  }
  return pruned;
}

/** Whether a call did or may still do what it says: some response is no failure, or none has arrived. */
function mayHaveHappened(history: readonly IContent[], links: CallLinks, call: number): boolean {
  let response = links.lastResponse[call]!;
  if (response === -1) return true;
  for (; response !== -1; response = links.previousResponse[response]!) {
    const block = history[links.responseEntry[response]!]!.blocks[links.responseBlock[response]!] as ToolResponseBlock;
    if (!isFailure(block)) return true;
  }
  return false;
}

function removePair(draft: HistoryDraft, links: CallLinks, call: number): void {
  draft.removeBlock(links.callEntry[call]!, links.callBlock[call]!);
  for (let at = links.lastResponse[call]!; at !== -1; at = links.previousResponse[at]!) {
    const entry = links.responseEntry[at]!;
    const [start, end] = responseExtent(draft.history[entry]!, links.responseBlock[at]!);
    for (let block = start; block < end; block++) draft.removeBlock(entry, block);
  }
}
