import type { PromptChange } from '../contract.ts';

/** So far it is looked for where two histories go on alike. */
const MOST_MESSAGES = 64;

/** The hashes of the messages of two requests. They are the same up to `shared`, and the last request goes on after that. */
interface Histories {
  readonly before: readonly string[];
  readonly now: readonly string[];
  readonly shared: number;
}

/** What became of earlier messages. Quadratic in `MOST_MESSAGES` at most. */
export function historyChange({ before, now, shared }: Histories): PromptChange {
  const back = before.length - shared;
  const where = `${back} ${back === 1 ? 'message' : 'messages'} back`;
  const { removed, added } = goesOnAlike({ before, now, shared }) ?? {};
  return { kind: 'history', what: words(removed, added, back), where };
}

function words(removed: number | undefined, added: number | undefined, back: number): string {
  const count = (number: number): readonly [string, string] =>
    number === 1 ? ['a message', 'was'] : ['messages', 'were'];
  // After the last message nothing can go on alike.
  if (removed === undefined || added === undefined)
    return back === 1 ? 'a message was rewritten' : 'the agent left or replaced messages';
  const [what, were] = count(Math.max(removed, added));
  if (removed === 0) return `${what} ${were} inserted`;
  return added === 0 ? `${what} ${were} removed` : `${what} ${were} rewritten`;
}

/** The least that is between the shared start and the place from which both go on alike. */
function goesOnAlike({
  before,
  now,
  shared,
}: Histories): { readonly removed: number; readonly added: number } | undefined {
  const isAlike = (removed: number, added: number): boolean => {
    const [old, own] = [shared + removed, shared + added];
    if (old >= before.length || own >= now.length || before[old] !== now[own]) return false;
    return old + 1 === before.length || before[old + 1] === now[own + 1];
  };
  for (let both = 1; both <= MOST_MESSAGES; both++)
    for (const removed of nearestHalf(both))
      if (isAlike(removed, both - removed)) return { removed, added: both - removed };
  return undefined;
}

/** 0 to `count`; those that leave as many as they take first. */
const nearestHalf = (count: number): readonly number[] =>
  Array.from({ length: count + 1 }, (_, at) => at).sort(
    (one, other) => Math.abs(2 * one - count) - Math.abs(2 * other - count),
  );
