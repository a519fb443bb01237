import type { CostRules } from '../decision.ts';
import type { PastCall } from './past-calls.ts';
import { promptDollars } from './prompt-dollars.ts';

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
