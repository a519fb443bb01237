import { type ModelPrice, ratesFor } from './prices.ts';
import { type CacheFacts, type CallPrompt, cachedTokensOf } from './prompt-cache.ts';

const HOUR_MS = 60 * 60_000;

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

/** What a call was billed for. The prompt is the sum of all but the output. */
export interface BilledTokens {
  readonly cachedTokens: number;
  /** Written to the cache for five minutes (or as the provider does), and for an hour. */
  readonly writtenTokens: number;
  readonly writtenHourTokens: number;
  /** Neither read from the cache nor written to it. */
  readonly uncachedTokens: number;
  readonly outputTokens: number;
}

/** US dollars for a call, at the tier of its prompt. */
export function callDollars(price: ModelPrice, call: BilledTokens): number {
  const { cachedTokens, writtenTokens, writtenHourTokens, uncachedTokens, outputTokens } = call;
  const rates = ratesFor(price, cachedTokens + writtenTokens + writtenHourTokens + uncachedTokens);
  return (
    (cachedTokens * rates.cachedRead +
      writtenTokens * rates.write +
      writtenHourTokens * rates.writeHour +
      uncachedTokens * rates.input +
      outputTokens * rates.output) /
    1e6
  );
}

/** What a call is billed for with such a prompt cache: what it does not read from the cache, it writes. */
export function billedTokens(
  prompt: CallPrompt,
  { cache, outputTokens }: { readonly cache: CacheFacts; readonly outputTokens: number },
): BilledTokens {
  const cachedTokens = cachedTokensOf(prompt, cache);
  const written = prompt.promptTokens - cachedTokens;
  const isHour = cache.lifetimeMs >= HOUR_MS;
  return {
    cachedTokens,
    writtenTokens: isHour ? 0 : written,
    writtenHourTokens: isHour ? written : 0,
    uncachedTokens: 0,
    outputTokens,
  };
}

/** Adds up the bill of calls, at these prices and with such a prompt cache. */
export class Billing {
  readonly #price: ModelPrice;
  readonly #cache: CacheFacts;
  readonly #bill = {
    promptTokens: 0,
    cachedTokens: 0,
    writtenTokens: 0,
    outputTokens: 0,
    rebilledTokens: 0,
    unboundThinkingTokens: 0,
    dollars: 0,
  };

  constructor(price: ModelPrice, cache: CacheFacts) {
    this.#price = price;
    this.#cache = cache;
  }

  /** The bill of the calls so far. */
  get bill(): Bill {
    return this.#bill;
  }

  add(prompt: CallPrompt, outputTokens: number): void {
    const bill = this.#bill;
    const billed = billedTokens(prompt, { cache: this.#cache, outputTokens });
    bill.promptTokens += prompt.promptTokens;
    bill.cachedTokens += billed.cachedTokens;
    bill.writtenTokens += prompt.promptTokens - billed.cachedTokens;
    bill.outputTokens += outputTokens;
    bill.rebilledTokens += prompt.rebilledTokens;
    bill.unboundThinkingTokens += prompt.unboundThinkingTokens;
    bill.dollars += callDollars(this.#price, billed);
  }
}
