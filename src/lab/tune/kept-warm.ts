import { cacheRuleOf } from '../../economics/cache-rules.ts';
import { priceOf } from '../../economics/prices.ts';
import type { ComparedFile } from '../compared-file.ts';
import { KEPT_WARM } from './candidates.ts';

/** What keeping the prompt cache warm would have done to the bills of sessions under `recommended`. */
export interface KeptWarm {
  /** Sessions whose provider keeps marked prefixes for a known time, at a known price. Dollars are of these. */
  readonly sessions: number;
  /** Those that would have cost over 1% more. */
  readonly moreExpensive: number;
  /** US dollars: without pruning, with `recommended`, with pings, and with pings also after each session's end. */
  readonly without: number;
  readonly recommended: number;
  readonly warm: number;
  readonly leftOpen: number;
}

/** `undefined` if no session can be kept warm. The files were played under no pruning, `recommended` and `KEPT_WARM`. */
export function keptWarm(files: readonly ComparedFile[]): KeptWarm | undefined {
  const sum = { sessions: 0, moreExpensive: 0, without: 0, recommended: 0, warm: 0, leftOpen: 0 };
  for (const { model, outcomes } of files) {
    const [none, recommended] = outcomes;
    const warm = outcomes.find(({ policy }) => policy === KEPT_WARM.name);
    const isKnown = priceOf(model).match !== 'unknown' && cacheRuleOf(model).marks !== undefined;
    if (!isKnown || none === undefined || recommended === undefined || warm === undefined) continue;
    sum.sessions++;
    if (warm.bill.dollars > 1.01 * recommended.bill.dollars) sum.moreExpensive++;
    sum.without += none.bill.dollars;
    sum.recommended += recommended.bill.dollars;
    sum.warm += warm.bill.dollars;
    sum.leftOpen += warm.bill.dollars + (warm.leftOpenDollars ?? 0);
  }
  return sum.sessions === 0 ? undefined : sum;
}
