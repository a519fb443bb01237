import type { IContent } from '../content/content.ts';

/**
 * How an agent rebuilt its context: from a summary or from nothing that was sent before (`compaction`), or with earlier
 * entries changed, cleared or left (`edit`). Linear.
 */
export type RebuildKind = 'compaction' | 'edit';

/** The kind of a rebuilt context `after` in place of `before`. An entry that was kept is the same object in both. */
export function rebuildKind(before: readonly IContent[], after: readonly IContent[]): RebuildKind {
  const known = new Set(before);
  const hasNewSummary = after.some((entry) => entry.metadata?.isSummary === true && !known.has(entry));
  const keepsStart = after.length > 0 && after[0] === before[0];
  return hasNewSummary || (!keepsStart && after.length < before.length) ? 'compaction' : 'edit';
}
