import type { IContent } from '../content/content.ts';
import { addTo } from '../content/group-by.ts';

/**
 * `history` without its oldest groups, until `excessTokens` are saved or no group can be dropped. A group with a `kept`
 * entry is never dropped, and no group is split. Each entry is counted at most once.
 * Source: docs/readings.md, row 13.
 */
export async function dropOldestGroups(
  history: readonly IContent[],
  {
    groups,
    kept,
    excessTokens,
    estimateTokens,
  }: {
    groups: Int32Array;
    kept: Uint8Array;
    excessTokens: number;
    estimateTokens: (contents: readonly IContent[]) => Promise<number>;
  },
): Promise<IContent[]> {
  const membersOf = new Map<number, IContent[]>();
  groups.forEach((group, entry) => {
    if (kept[entry]) return;
    addTo(membersOf, group, history[entry]!);
  });
  const dropped = new Set<number>();
  let savedTokens = 0;
  for (const [group, members] of membersOf) {
    if (savedTokens >= excessTokens) break;
    savedTokens += await estimateTokens(members);
    dropped.add(group);
  }
  return history.filter((_, entry) => !dropped.has(groups[entry]!));
}
