import type { CostRules } from '../decision.ts';
import type { PastCall } from './past-calls.ts';
import { promptDollars } from './prompt-dollars.ts';

/** US dollars for the prompts of a conversation so far: what they would cost without pruning, and what pruning saved of that. */
export interface Account {
  readonly spent: number;
  /** Below 0 if pruning cost more than it saved. */
  readonly saved: number;
}

/** The account of these calls at today's prices. Linear in calls. */
export function accountOf(calls: readonly PastCall[], rules: CostRules): Account {
  let [spent, saved] = [0, 0];
  let before: PastCall | undefined;
  for (const call of calls) {
    const { promptTokens, removedTokens, idleMs } = call;
    const isCold = before === undefined || (idleMs !== undefined && idleMs >= rules.lifetimeMs);
    const unpruned = promptTokens + removedTokens;
    const last = isCold ? 0 : before!.promptTokens + before!.removedTokens;
    const keptUnpruned = Math.min(unpruned, last, call.left?.unprunedTokens ?? last);
    const without = promptDollars(rules, { promptTokens: unpruned, cachedTokens: keptUnpruned });
    spent += without;
    saved += without - promptDollars(rules, { promptTokens, cachedTokens: isCold ? 0 : call.keptTokens });
    before = call;
  }
  return { spent, saved };
}
