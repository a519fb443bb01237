import { HOUR_MS } from '../durations.ts';
import { type ModelPrice, ratesFor } from './prices.ts';
import { type CacheFacts, type CallPrompt, cachedTokensOf } from './prompt-cache.ts';

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

/** Tokens of the prompt. */
export const promptOf = ({ cachedTokens, writtenTokens, writtenHourTokens, uncachedTokens }: BilledTokens): number =>
  cachedTokens + writtenTokens + writtenHourTokens + uncachedTokens;

/** US dollars for the tokens of a call, at the tier of its prompt. */
export function callDollars(price: ModelPrice, call: BilledTokens): number {
  const { cachedTokens, writtenTokens, writtenHourTokens, uncachedTokens, outputTokens } = call;
  const rates = ratesFor(price, promptOf(call));
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

/** A bill without any call. */
export const NO_BILL: Bill = {
  promptTokens: 0,
  cachedTokens: 0,
  writtenTokens: 0,
  outputTokens: 0,
  rebilledTokens: 0,
  unboundThinkingTokens: 0,
  dollars: 0,
};

interface PlayedCall {
  readonly price: ModelPrice;
  /** What it costs beside its tokens; default: nothing. */
  readonly besideDollars?: number;
  readonly cache: CacheFacts;
  readonly outputTokens: number;
}

/** The bill with one more call, at these prices and with such a prompt cache. */
export function billWith(bill: Bill, prompt: CallPrompt, { price, besideDollars = 0, ...call }: PlayedCall): Bill {
  const billed = billedTokens(prompt, call);
  return {
    promptTokens: bill.promptTokens + prompt.promptTokens,
    cachedTokens: bill.cachedTokens + billed.cachedTokens,
    writtenTokens: bill.writtenTokens + prompt.promptTokens - billed.cachedTokens,
    outputTokens: bill.outputTokens + call.outputTokens,
    rebilledTokens: bill.rebilledTokens + prompt.rebilledTokens,
    unboundThinkingTokens: bill.unboundThinkingTokens + prompt.unboundThinkingTokens,
    dollars: bill.dollars + callDollars(price, billed) + besideDollars,
  };
}
