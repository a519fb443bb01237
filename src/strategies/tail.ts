import type { IContent } from '../content/content.ts';

/**
 * A 1 for each entry of the tail: the last `ceil(n × preserveRatio)` entries and all entries in a group with one of them,
 * so that no pair is split. `groups` is the result of `pairGroups`. Source: docs/readings.md, row 15.
 */
export function preservedTail(groups: Int32Array, preserveRatio: number): Uint8Array {
  const count = groups.length;
  const size = Math.ceil(count * Math.min(1, Math.max(0, preserveRatio)));
  return wholeGroups(groups, (entry) => entry >= count - size);
}

/** A 1 for each entry of every group with a chosen entry. */
export function wholeGroups(groups: Int32Array, isChosen: (entry: number) => boolean): Uint8Array {
  const chosen = new Uint8Array(groups.length);
  for (let entry = 0; entry < groups.length; entry++) if (isChosen(entry)) chosen[groups[entry]!] = 1;
  return Uint8Array.from(groups, (group) => chosen[group]!);
}

/** The index of the last entry with a person's words, or -1. Results in a human entry are not a person's words. */
export function lastHumanEntry(history: readonly IContent[]): number {
  return history.findLastIndex(
    ({ speaker, blocks }) => speaker === 'human' && blocks.some(({ type }) => type !== 'tool_response'),
  );
}
