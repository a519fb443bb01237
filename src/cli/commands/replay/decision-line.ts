import { type ReplayResult, removalsOf } from '../../../replay/result.ts';
import { compactTokens, counted } from '../../../report/figures.ts';
import { sumOfWorths, type Worth, worthLine, worthOf } from '../../../report/worth-words.ts';
import type { ReplayedSession } from './replayed-session.ts';

/** Before how many calls edits waited, and why; `undefined` if none waited. Why the others applied is in the table of causes. */
export function decisionLine({
  decisions: { costs = 0, bound = 0 },
}: Pick<ReplayResult, 'decisions'>): string | undefined {
  const why = [
    ...(costs > 0 ? [`at ${counted(costs, 'call')} that would have cost more than it saved`] : []),
    ...(bound > 0 ? [`at ${counted(bound, 'call')} it would have invalidated signed thinking`] : []),
  ];
  return why.length === 0 ? undefined : `older text was not always removed: ${why.join(', and ')}`;
}

/** What `thinkingWhenCold: drop` would save in these sessions together, and how much thinking it would leave out; `undefined` if nothing waits for it. */
export function droppingLine(replayed: readonly ReplayedSession[]): string | undefined {
  const dropping = replayed.flatMap(({ dropping }) => dropping?.result ?? []);
  if (dropping.length === 0) return undefined;
  const worths = replayed.flatMap(worthWhenDropping);
  const thoughts = dropping.map(thinkingOf);
  const count = thoughts.reduce((sum, one) => sum + one.count, 0);
  const tokens = thoughts.reduce((sum, one) => sum + one.tokens, 0);
  return `with --thinking-when-cold drop: ${worthLine(sumOfWorths(worths))}; it would leave out ${counted(count, 'thought')} (${compactTokens(tokens)}) in ${counted(dropping.length, 'session')}`;
}

function worthWhenDropping({ results: [result], worths: [worth], dropping }: ReplayedSession): Worth[] {
  if (dropping?.worth !== undefined) return [worthOf(dropping.result, dropping.worth)];
  return result && worth ? [worthOf(result, worth)] : [];
}

const thinkingOf = (result: ReplayResult) => removalsOf(result).thinking;
