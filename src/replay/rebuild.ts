import type { IContent } from '../content/content.ts';

/**
 * The history to go on with after the recorded agent rebuilt its own from `rebuilt`: what was pruned stays pruned.
 * `recorded` is what the agent had before, `current` what we had made of it; entries are matched by `metadata.id`.
 * An entry that we dropped does not come back, one that we changed keeps our form, one that the agent changed or
 * wrote anew is taken as it is.
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
