import type { IContent } from '../content/content.ts';

/**
 * The history after the recorded agent replaced its own by `rebuilt`. `recorded` is the agent's history before that,
 * `current` our pruned one; entries are matched by `metadata.id`. An entry that we removed is not added again, an entry
 * that we changed keeps our change, and an entry that the agent changed or added is used unchanged.
 */
export function rebuildPruned(
  rebuilt: readonly IContent[],
  recorded: readonly IContent[],
  current: readonly IContent[],
): IContent[] {
  const known = new Map(recorded.map((entry) => [entry.metadata?.id, entry]));
  const ours = new Map(current.map((entry) => [entry.metadata?.id, entry]));
  return rebuilt.flatMap((entry) => {
    const before = known.get(entry.metadata?.id);
    if (before === undefined) return [entry];
    const kept = ours.get(entry.metadata?.id);
    if (kept === undefined) return [];
    return [kept === before ? entry : kept];
  });
}
