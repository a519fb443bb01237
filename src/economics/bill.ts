import type { PriceRow } from './prices.ts';
import { type CacheLifetime, type CallPrompt, cachedTokensOf } from './prompt-cache.ts';

/** Token counts over all calls of a session, and their price in US dollars. */
export interface Bill {
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly writtenTokens: number;
  readonly outputTokens: number;
  readonly rebilledTokens: number;
  readonly unboundThinkingTokens: number;
  readonly dollars: number;
}

/** Adds up the bill of calls, at these prices and with a prompt cache of this lifetime. */
export class Billing {
  readonly #prices: PriceRow;
  readonly #lifetime: CacheLifetime;
  readonly #bill = {
    promptTokens: 0,
    cachedTokens: 0,
    writtenTokens: 0,
    outputTokens: 0,
    rebilledTokens: 0,
    unboundThinkingTokens: 0,
    dollars: 0,
  };

  constructor(prices: PriceRow, lifetime: CacheLifetime) {
    this.#prices = prices;
    this.#lifetime = lifetime;
  }

  /** The bill of the calls so far. */
  get bill(): Bill {
    return this.#bill;
  }

  add(prompt: CallPrompt, outputTokens: number): void {
    const prices = this.#prices;
    const bill = this.#bill;
    const cachedTokens = cachedTokensOf(prompt, this.#lifetime);
    const writtenTokens = prompt.promptTokens - cachedTokens;
    const writePrice = this.#lifetime === '1h' ? prices.cacheWriteHour : prices.cacheWrite;
    bill.promptTokens += prompt.promptTokens;
    bill.cachedTokens += cachedTokens;
    bill.writtenTokens += writtenTokens;
    bill.outputTokens += outputTokens;
    bill.rebilledTokens += prompt.rebilledTokens;
    bill.unboundThinkingTokens += prompt.unboundThinkingTokens;
    bill.dollars +=
      (cachedTokens * prices.cachedRead + writtenTokens * writePrice + outputTokens * prices.output) / 1e6;
  }
}
