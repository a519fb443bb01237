import type { IContent } from '../../../content/content.ts';
import type { Fields } from '../../../content/foreign-value.ts';
import { CLEARED_RESULT, PRUNED_RESULT } from '../../../content/pruned-result.ts';
import type { BlockEdit, HistoryEdits } from '../../lines/edits.ts';
import type { RecordedConversation } from '../conversation.ts';
import type { Recording } from '../recording.ts';
import type { TreeLine } from '../tree-line.ts';
import { type Draft, draftBlocks } from './draft.ts';

/** Results to be cleared as Claude Code does, and the line before which the clearing line is written. */
export interface Clearing {
  readonly before: TreeLine;
  readonly callIds: readonly string[];
  /** Drafts that are unchanged in the file, because the clearing line covers them. */
  readonly drafts: ReadonlySet<Draft>;
}

/** True if the edits only prune the results of a draft, which a clearing line can express. */
function isPruning(draft: Draft, edits: readonly BlockEdit[]): boolean {
  if (draft.speaker !== 'tool' || draft.isCleared) return false;
  return draftBlocks(draft).every(({ block }, index) => {
    const became = edits[index];
    if (block.type !== 'tool_response') return became?.kind === 'drop';
    return (
      block.error === undefined &&
      became?.kind === 'change' &&
      became.block.type === 'tool_response' &&
      became.block.error === undefined &&
      became.block.result === PRUNED_RESULT
    );
  });
}

const callIdsOf = (draft: Draft): string[] =>
  draftBlocks(draft).flatMap(({ block }) => (block.type === 'tool_response' ? block.callId : []));

const numberOf = ({ lines }: TreeLine): number => lines[0] ?? 0;

/**
 * The line with which Claude Code clears old results, on the path before the last answer, as if the agent had cleared them
 * for that call. It does not cover results after it, or ids that several results share. `undefined` if there is nothing
 * to clear, or the version of the file has no such lines.
 */
export function clearingOf(
  { live }: RecordedConversation,
  edits: HistoryEdits['entries'],
  { recording, isOnPath }: { recording: Recording; isOnPath: (line: TreeLine) => boolean },
): Clearing | undefined {
  if (!recording.knowsClearing) return undefined;
  const before = live.findLast(({ speaker }) => speaker === 'ai')?.lines[0];
  if (!before || !isOnPath(before)) return undefined;
  const pruned = live.filter(
    (draft) => isPruning(draft, edits.get(draft.id)!) && draft.lines.every((line) => numberOf(line) < numberOf(before)),
  );
  const staying = live.filter((draft) => draft.speaker === 'tool' && !draft.isCleared && !pruned.includes(draft));
  const shared = new Set(staying.flatMap(callIdsOf));
  const drafts = pruned.filter((draft) => !callIdsOf(draft).some((id) => shared.has(id)));
  const callIds = [...new Set(drafts.flatMap(callIdsOf))];
  return callIds.length === 0 ? undefined : { before, callIds, drafts: new Set(drafts) };
}

/** The history that is read after the write: a cleared result contains the marker that Claude Code sends. */
export function asCleared(history: readonly IContent[], clearing: Clearing | undefined): readonly IContent[] {
  if (!clearing) return history;
  const ids = new Set([...clearing.drafts].map(({ id }) => id));
  return history.map((entry) =>
    ids.has(entry.metadata?.id ?? '')
      ? {
          ...entry,
          blocks: entry.blocks.map((block) =>
            block.type === 'tool_response' ? { ...block, result: CLEARED_RESULT } : block,
          ),
        }
      : entry,
  );
}

/** The fields of a clearing line in addition to those of every line. */
export const clearingFields = (compactedToolIds: readonly string[]): Fields => ({
  type: 'system',
  subtype: 'microcompact_boundary',
  content: 'Context microcompacted',
  isMeta: false,
  level: 'info',
  microcompactMetadata: { trigger: 'auto', preTokens: 0, tokensSaved: 0, compactedToolIds, clearedAttachmentUUIDs: [] },
});
