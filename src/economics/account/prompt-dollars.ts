import type { CostRules } from '../decision.ts';
import { ratesFor } from '../prices.ts';

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
