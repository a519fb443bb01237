import type { IContent } from '../content.ts';
import { type Pairing, pairCalls } from './pairing.ts';

/** Numbers below a count in groups, which `join` unites. `leaderOf`: the lowest number of the group of another one. Near linear. */
export function numberGroups(count: number): {
  leaderOf(number: number): number;
  join(one: number, other: number): void;
} {
  const leader = Int32Array.from({ length: count }, (_, number) => number);
  const leaderOf = (number: number): number => {
    let root = number;
    while (leader[root] !== root) {
      leader[root] = leader[leader[root]!]!;
      root = leader[root]!;
    }
    return root;
  };
  const join = (one: number, other: number): void => {
    const leaders = [leaderOf(one), leaderOf(other)];
    leader[Math.max(...leaders)] = Math.min(...leaders);
  };
  return { leaderOf, join };
}

/**
 * For each entry, the index of the first entry of its group. Two entries are in one group if one contains a result of a
 * call in the other, directly or through further pairs: removing whole groups splits no pair. Near linear.
 */
export function pairGroups(history: readonly IContent[], pairing: Pairing = pairCalls(history)): Int32Array {
  const { leaderOf, join } = numberGroups(history.length);
  for (const { entry, call } of pairing.responses) if (call !== undefined) join(call.entry, entry);
  return Int32Array.from(history, (_, entry) => leaderOf(entry));
}

/**
 * The index nearest to `index` in `direction` at which a cut splits no pair of call and result, in any history. `0` and
 * `history.length` always qualify. Linear.
 */
export function pairSafeIndex(
  history: readonly IContent[],
  index: number,
  { direction, pairing = pairCalls(history) }: { direction: 'earlier' | 'later'; pairing?: Pairing },
): number {
  const opened = new Int32Array(history.length + 1);
  for (const { entry, call } of pairing.responses) {
    if (call === undefined) continue;
    opened[call.entry + 1]!++;
    opened[entry + 1]!--;
  }
  let open = 0;
  let safe = 0;
  for (let at = 0; at <= history.length; at++) {
    open += opened[at]!;
    if (open !== 0) continue;
    if (at >= index) return at === index || direction === 'later' ? at : safe;
    safe = at;
  }
  return direction === 'later' ? history.length : safe;
}

/**
 * The index nearest to `index` at which a kept part may start: after the tool entries at `index`, or one earlier if the
 * entry before has unanswered calls; if only tool entries follow, before the entry that they answer. It sees neighbours
 * only; `pairSafeIndex` is right for any history. Source: docs/library.md.
 */
export function adjustForToolCallBoundary(history: readonly IContent[], index: number): number {
  if (index <= 0) return 0;
  if (index >= history.length) return history.length;
  let start = index;
  while (start < history.length && history[start]!.speaker === 'tool') start++;
  if (start === history.length) {
    start = index;
    while (start > 0 && history[start]!.speaker === 'tool') start--;
    return start;
  }
  return hasOpenCall(history, start - 1) ? start - 1 : start;
}

/** True if the entry at `entry` is by the ai and contains a call without a result in the same entry. */
function hasOpenCall(history: readonly IContent[], entry: number): boolean {
  const content = history[entry];
  if (content?.speaker !== 'ai') return false;
  const answered = new Set(content.blocks.map((block) => block.type === 'tool_response' && block.callId));
  return content.blocks.some((block) => block.type === 'tool_call' && !answered.has(block.id));
}
