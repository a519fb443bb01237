import { pairGroups } from '../../content/calls/boundary.ts';
import type { IContent } from '../../content/content.ts';
import { wholeGroups } from '../tail.ts';
import { isSnapshotEntry } from './snapshot.ts';

/** The plan for each entry when a part of a history is summarised; all are indices, ascending. */
export interface SummaryPlan {
  /** Kept unchanged: the top, the tail, their pairs, the last words of a person. */
  readonly kept: readonly number[];
  /** Earlier summaries, which the new one replaces. */
  readonly snapshots: readonly number[];
  /** Removed and summarised. */
  readonly summarized: readonly number[];
  /** Those of them with words of a person. */
  readonly humans: readonly number[];
  /** Entries at the start and at the end that the ratios keep. */
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
  const topCount = Math.ceil(count * clamped(topRatio));
  const tailCount = Math.min(count - topCount, Math.ceil(count * clamped(tailRatio)));
  const isSnapshot = history.map(isSnapshotEntry);
  const lastWords = history.findLastIndex((entry, at) => !isSnapshot[at] && hasHumanWords(entry));
  const isKept = wholeGroups(
    pairGroups(history),
    (entry) => !isSnapshot[entry] && (entry < topCount || entry >= count - tailCount || entry === lastWords),
  );
  const indices = [...history.keys()];
  const summarized = indices.filter((entry) => !isSnapshot[entry] && isKept[entry] === 0);
  return {
    kept: indices.filter((entry) => isKept[entry] === 1),
    snapshots: indices.filter((entry) => isSnapshot[entry]),
    summarized,
    humans: summarized.filter((entry) => hasHumanWords(history[entry]!)),
    topCount,
    tailCount,
  };
}

const clamped = (ratio: number): number => Math.min(1, Math.max(0, ratio));

function hasHumanWords({ speaker, blocks }: IContent): boolean {
  return speaker === 'human' && blocks.some(({ type }) => type !== 'tool_response');
}
