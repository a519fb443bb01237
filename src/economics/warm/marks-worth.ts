import { type ModelPrice, ratesFor } from '../prices.ts';

/** The tokens of a call that its provider neither read from the cache nor wrote to it. */
interface UncachedTokens {
  /** All of the call. */
  readonly promptTokens: number;
  readonly uncachedTokens: number;
  /** Those that the call before had sent too, within the lifetime: a mark at its end would have had them in the cache. */
  readonly repeatedTokens: number;
}

/** US dollars that marks at the end of this call and the one before would have saved: reading costs less than input, and writing more. */
export function marksWorth(price: ModelPrice, tokens: UncachedTokens): number {
  const { promptTokens, uncachedTokens, repeatedTokens } = tokens;
  const { input, write, cachedRead } = ratesFor(price, promptTokens);
  const read = Math.min(repeatedTokens, uncachedTokens);
  return (read * (input - cachedRead) - (uncachedTokens - read) * (write - input)) / 1e6;
}
