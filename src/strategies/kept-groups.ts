import type { IContent } from '../content/content.ts';
import { addTo } from '../content/group-by.ts';

/**
 * A 1 for each entry of the tail: the last `ceil(n × preserveRatio)` entries and all entries in a group with one of them,
 * so that no pair is split. `groups` is the result of `pairGroups`. Source: docs/readings.md, row 15.
 */
export function preservedTail(groups: Int32Array, preserveRatio: number): Uint8Array {
  const count = groups.length;
  const size = Math.ceil(count * clamped(preserveRatio));
  return wholeGroups(groups, (entry) => entry >= count - size);
}

/** A ratio between 0 and 1. */
export const clamped = (ratio: number): number => Math.min(1, Math.max(0, ratio));

/** A 1 for each entry of every group with a chosen entry. */
export function wholeGroups(groups: Int32Array, isChosen: (entry: number) => boolean): Uint8Array {
  const chosen = new Uint8Array(groups.length);
  for (let entry = 0; entry < groups.length; entry++) if (isChosen(entry)) chosen[groups[entry]!] = 1;
  return Uint8Array.from(groups, (group) => chosen[group]!);
}

/** True for an entry with a person's words. Results in a human entry are not a person's words. */
export const hasHumanWords = ({ speaker, blocks }: IContent): boolean =>
  speaker === 'human' && blocks.some(({ type }) => type !== 'tool_response');

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
