import type { CostRules } from '../decision.ts';
import { ratesFor } from '../prices.ts';
import type { PastCall } from './past-calls.ts';

/** US dollars that pruning saved in these calls, at today's prices; below 0 if it cost more. Linear in calls. */
export function savedDollars(calls: readonly PastCall[], rules: CostRules): number {
  let saved = 0;
  let before: PastCall | undefined;
  for (const call of calls) {
    const { promptTokens, removedTokens, idleMs } = call;
    const isCold = before === undefined || (idleMs !== undefined && idleMs >= rules.lifetimeMs);
    const unpruned = promptTokens + removedTokens;
    const last = isCold ? 0 : before!.promptTokens + before!.removedTokens;
    const keptUnpruned = Math.min(unpruned, last, call.left?.unprunedTokens ?? last);
    const without = promptDollars(rules, { promptTokens: unpruned, cachedTokens: keptUnpruned });
    saved += without - promptDollars(rules, { promptTokens, cachedTokens: isCold ? 0 : call.keptTokens });
    before = call;
  }
  return saved;
}

interface CallInput {
  readonly promptTokens: number;
  /** The rest is written to the cache. */
  readonly cachedTokens: number;
}

/** US dollars for the prompt of a call, at its tier. The price of a write is that of the lifetime in force (`costRules`). */
export function promptDollars({ price }: Pick<CostRules, 'price'>, { promptTokens, cachedTokens }: CallInput): number {
  const { cachedRead, write } = ratesFor(price, promptTokens);
  return (cachedTokens * cachedRead + (promptTokens - cachedTokens) * write) / 1e6;
}
