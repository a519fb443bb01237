import type { IContent } from '../content/content.ts';
import type { SessionEvent } from '../content/session-event.ts';

/** How an agent rebuilt its context: it replaced earlier entries by a summary (`compaction`), or changed, cleared or left them (`edit`). */
export type RebuildKind = 'compaction' | 'edit';

/** The kind of an event that replaced the entries `before`. Linear. */
export function rebuildKind(
  before: readonly IContent[],
  { contents, by }: Extract<SessionEvent, { kind: 'replace' }>,
): RebuildKind {
  if (by !== undefined) return by.kind === 'compaction' ? 'compaction' : 'edit';
  const known = new Set(before);
  return contents.some((entry) => entry.metadata?.isSummary === true && !known.has(entry)) ? 'compaction' : 'edit';
}
