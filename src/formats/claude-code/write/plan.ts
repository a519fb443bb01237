import type { IContent } from '../../../content/content.ts';
import type { Line } from '../../contract.ts';
import { compareHistories } from '../../lines/edits.ts';
import { followConversation } from '../conversation.ts';
import { type Recording, readRecording } from '../recording.ts';
import type { TreeLine } from '../tree-line.ts';
import { type Clearing, clearingOf } from './clearing.ts';
import { draftContent } from './draft.ts';
import { type LinePlan, LinePlans } from './line-plans.ts';
import { PathPlanner } from './path-planner.ts';

/** The changes of a session file. */
export interface WritePlan {
  readonly recording: Recording;
  /** By line number. Lines that are not listed are written unchanged. */
  readonly lines: ReadonlyMap<number, LinePlan>;
  /** New entries after the last one. */
  readonly atEnd: readonly IContent[];
  /** The leaf, if the file does not end with it any more and must name it. */
  readonly leafToName: TreeLine | undefined;
  /** Results that a clearing line of the agent clears. */
  readonly clearing: Clearing | undefined;
}

/**
 * The changes of a session file after which it is read as `history`.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` if the file cannot contain a part of it.
 */
export function planWrite(
  lines: Iterable<Line>,
  history: readonly IContent[],
  { mayClear = true }: { mayClear?: boolean } = {},
): WritePlan {
  const recording = readRecording(lines);
  const conversation = followConversation(recording);
  const { live } = conversation;
  const edits = compareHistories(live.map(draftContent), history);
  const plans = new LinePlans();
  const path = new PathPlanner(plans, { recording, live });
  const clearing = mayClear
    ? clearingOf(conversation, edits.entries, { recording, isOnPath: path.isOnPath })
    : undefined;
  for (const draft of live) if (!clearing?.drafts.has(draft)) plans.entry(draft, edits.entries.get(draft.id)!);
  for (const { content } of edits.added) plans.keepUncleared(content);
  plans.restoreCleared(recording.tree, live);
  for (const draft of live) if (draft.speaker === 'ai' && draft.lines.length > 1) path.reroute(draft);
  for (const draft of live) path.moveWords(draft);
  for (const { content, afterId } of edits.added) path.insert(content, afterId);
  if (clearing) plans.clear(clearing);
  return { recording, lines: plans.byNumber, atEnd: path.atEnd, leafToName: path.leafToName(), clearing };
}
