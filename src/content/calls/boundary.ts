import type { IContent } from '../content.ts';
import { type Pairing, pairCalls } from './pairing.ts';

/**
 * For each entry, the index of the first entry of its group. Two entries are in one group if one contains a result of a
 * call in the other, directly or through further pairs: removing whole groups splits no pair. Near linear.
 */
export function pairGroups(history: readonly IContent[], pairing: Pairing = pairCalls(history)): Int32Array {
  const leader = Int32Array.from(history, (_, entry) => entry);
  const find = (entry: number): number => {
    let root = entry;
    while (leader[root] !== root) root = leader[root]!;
    for (let at = entry; at !== root; ) {
      const next = leader[at]!;
      leader[at] = root;
      at = next;
    }
    return root;
  };
  for (const { entry, call } of pairing.responses) {
    if (call === undefined) continue;
    const first = find(call.entry);
    const second = find(entry);
    leader[Math.max(first, second)] = Math.min(first, second);
  }
  for (let entry = 0; entry < history.length; entry++) leader[entry] = leader[leader[entry]!]!;
  return leader;
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
 * only; `pairSafeIndex` is right for any history. Source: docs/history-service.md.
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
  const [answered, called] = [new Set<string>(), new Set<string>()];
  for (const block of content.blocks) {
    if (block.type === 'tool_call') called.add(block.id);
    else if (block.type === 'tool_response') answered.add(block.callId);
  }
  return [...called].some((id) => !answered.has(id));
}
