import { pairGroups } from '../../content/calls/boundary.ts';
import type { IContent } from '../../content/content.ts';
import { wholeGroups } from '../tail.ts';
import { isSnapshotEntry } from './snapshot.ts';

/** What becomes of each entry when a part of a history is summarised; all are indices, ascending. */
export interface SummaryPlan {
  /** Stay as they are: the top, the tail, their pairs, the last thing that a person said. */
  readonly kept: readonly number[];
  /** Earlier summaries; the new one takes their place. */
  readonly snapshots: readonly number[];
  /** Go, and are summarised. */
  readonly summarized: readonly number[];
  /** Those of them in which a person speaks. */
  readonly humans: readonly number[];
  /** Entries at the start and at the end that were asked to stay. */
  readonly topCount: number;
  readonly tailCount: number;
}

/**
 * Which entries a summary replaces: all but `topRatio` of them at the start and `tailRatio` at the end, both enlarged
 * so that no pair is split, and the last human words. Earlier summaries always go. Near linear.
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
  const stays = wholeGroups(
    pairGroups(history),
    (entry) => !isSnapshot[entry] && (entry < topCount || entry >= count - tailCount || entry === lastWords),
  );
  const indices = [...history.keys()];
  const summarized = indices.filter((entry) => !isSnapshot[entry] && stays[entry] === 0);
  return {
    kept: indices.filter((entry) => stays[entry] === 1),
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
