import type { ToolCallBlock } from '../../content/content.ts';
import { responseExtent } from '../../content/pairing.ts';
import type { DebugLogger } from '../contract.ts';
import type { HistoryDraft } from './draft.ts';
import { type HistoryIndex, NO_FILES } from './history-index.ts';

/**
 * Removes from `draft` every answered call that only read files which were all written by a later entry, with its
 * responses and what belongs to them; returns how many pairs went. Linear in calls and responses.
 * Source: REQ-HD-005; DESIGN section 4, rows 2, 7 and 12.
 */
export function pruneReadWritePairs(draft: HistoryDraft, index: HistoryIndex, logger?: DebugLogger): number {
  const { calls, links } = index;
  const { lastResponse } = links;
  const { entry: entryOf, files: filesOf } = calls;
  /** By file: the last entry that wrote it. */
  const latestWrite = new Int32Array(index.fileCount).fill(-1);
  const noteWrite = (file: number, entry: number): void => {
    if (latestWrite[file] === -1) latestWrite[file] = entry;
  };
  let pruned = 0;
  // It goes over all calls before each send: nearly all are of one file, and need no more than a few numbers.
  for (let call = filesOf.length - 1; call >= 0; call--) {
    const files = filesOf[call]!;
    const entry = entryOf[call]!;
    if (typeof files === 'number') {
      if (files < 0 && mayHaveHappened(index, call)) noteWrite(~files, entry);
      if (files < 0 || latestWrite[files]! <= entry || lastResponse[call] === -1) continue;
    } else {
      if (files === NO_FILES) continue;
      const { reads, writes, isPureRead, isUnrecognized } = files;
      if (isUnrecognized && logger) logUnrecognized(logger, draft, entry, calls.block[call]!);
      if (writes.length > 0 && mayHaveHappened(index, call)) for (const file of writes) noteWrite(file, entry);
      if (!isPureRead || lastResponse[call] === -1) continue;
      if (!reads.every((file) => latestWrite[file]! > entry)) continue;
    }
    removePair(draft, index, call);
    pruned++;
  }
  return pruned;
}

/** Whether a call did or may still do what it says: some response is no failure, or none has arrived. */
export function mayHaveHappened({ responses, links }: HistoryIndex, call: number): boolean {
  let response = links.lastResponse[call]!;
  if (response === -1) return true;
  for (; response !== -1; response = links.previousResponse[response]!) {
    if (!responses.isFailure[response]) return true;
  }
  return false;
}

/** Takes a call out of the draft, with its responses and what belongs to them. */
export function removePair(draft: HistoryDraft, { calls, responses, links }: HistoryIndex, call: number): void {
  draft.removeBlock(calls.entry[call]!, calls.block[call]!);
  for (let at = links.lastResponse[call]!; at !== -1; at = links.previousResponse[at]!) {
    const entry = responses.entry[at]!;
    const [start, end] = responseExtent(draft.history[entry]!, responses.block[at]!);
    for (let block = start; block < end; block++) draft.removeBlock(entry, block);
  }
}

/** Says that the parameters of a call name no file that its tool should read or write (EC-016). */
export function logUnrecognized(logger: DebugLogger, { history }: HistoryDraft, entry: number, block: number): void {
  const call = history[entry]!.blocks[block] as ToolCallBlock;
  logger.debug('No file recognised in the parameters of a tool call, so pruning skips it', {
    tool: call.name,
    callId: call.id,
    entry,
  });
}
