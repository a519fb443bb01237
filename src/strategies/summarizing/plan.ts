import { pairGroups } from '../../content/calls/boundary.ts';
import type { IContent } from '../../content/content.ts';
import { clamped, hasHumanWords, wholeGroups } from '../kept-groups.ts';
import { isSnapshotEntry } from './snapshot.ts';

/** The plan for each entry when a part of a history is summarised; all are indices, ascending. */
export interface SummaryPlan {
  /** Kept unchanged: the top, the tail, their pairs, the last words of a person. */
  readonly kept: readonly number[];
  /** Earlier summaries, which the new one replaces. */
  readonly snapshots: readonly number[];
  /** Removed and summarised. */
  readonly summarized: readonly number[];
  /** The entries with words of a person. */
  readonly humans: readonly number[];
  /** Where the share that is kept at the end begins. */
  readonly tailStart: number;
  /** Entries kept for the top and for the tail; those of the top's pairs, wherever they are, count for the top. */
  readonly topCount: number;
  readonly tailCount: number;
}

/**
 * The entries that a summary replaces: all except `topRatio` of them at the start, `tailRatio` at the end, both enlarged
 * so that no pair is split, and the last human words. Earlier summaries are always replaced. Near linear.
 * Source: docs/readings.md, row 15.
 */
export function planSummary(
  history: readonly IContent[],
  { topRatio, tailRatio }: { topRatio: number; tailRatio: number },
): SummaryPlan {
  const count = history.length;
  const topEnd = Math.ceil(count * clamped(topRatio));
  const tailStart = Math.max(topEnd, count - Math.ceil(count * clamped(tailRatio)));
  const isSnapshot = history.map(isSnapshotEntry);
  const lastWords = history.findLastIndex((entry, at) => !isSnapshot[at] && hasHumanWords(entry));
  const groups = pairGroups(history);
  const chosen = (isChosen: (entry: number) => boolean): Uint8Array =>
    wholeGroups(groups, (entry) => !isSnapshot[entry] && isChosen(entry));
  const isOfTop = chosen((entry) => entry < topEnd);
  const isOfTail = chosen((entry) => entry >= tailStart);
  const isKept = chosen((entry) => isOfTop[entry] === 1 || isOfTail[entry] === 1 || entry === lastWords);
  const indices = [...history.keys()];
  const summarized = indices.filter((entry) => !isSnapshot[entry] && isKept[entry] === 0);
  return {
    kept: indices.filter((entry) => isKept[entry] === 1),
    snapshots: indices.filter((entry) => isSnapshot[entry]),
    summarized,
    humans: summarized.filter((entry) => hasHumanWords(history[entry]!)),
    tailStart,
    topCount: indices.filter((entry) => isOfTop[entry] === 1).length,
    tailCount: indices.filter((entry) => isOfTail[entry] === 1 && isOfTop[entry] === 0).length,
  };
}
