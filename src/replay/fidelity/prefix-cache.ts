import type { IContent } from '../../content/content.ts';
import type { PriceRow } from './prices.ts';

/** How long a provider keeps a prefix that is not asked for: five minutes, or an hour for a higher price. */
export type CacheLifetime = '5m' | '1h';

const LIFETIME_MS: Readonly<Record<CacheLifetime, number>> = { '5m': 5 * 60_000, '1h': 60 * 60_000 };
/** A shorter prompt is not cached. Source: Anthropic and OpenAI, prompt caching, 2025. */
const LEAST_CACHED_TOKENS = 1024;

/** What one model call takes in. Tokens of `cachedTokens` and `writtenTokens` together are the prompt. */
export interface CallIntake {
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly writtenTokens: number;
  /** Tokens that were sent before and stand where something before them changed: taken in again. */
  readonly rebilledTokens: number;
  /** Of these, thinking that is bound to what stood before it: a provider may refuse or drop it. */
  readonly unboundThinkingTokens: number;
}

interface Sent {
  readonly entries: readonly IContent[];
  readonly atMs: number | undefined;
}

/**
 * A provider's prefix cache over the calls of one session: what a call has in common with the one before it, from the
 * first token on, is read from the cache while that is kept; the rest is written. `constantTokens` stand before every
 * history: the system prompt and the tools.
 */
export class PrefixCache {
  readonly #tokensOf: (entry: IContent) => number;
  readonly #thinkingTokensOf: (entry: IContent) => number;
  readonly #lifetimeMs: number;
  #last: Sent | undefined;
  /** Tokens up to each entry of the last call, `constantTokens` included. */
  readonly #tokensUpTo: number[];

  constructor({ tokensOf, thinkingTokensOf, constantTokens, lifetime }: PrefixCacheOptions) {
    this.#tokensOf = tokensOf;
    this.#thinkingTokensOf = thinkingTokensOf;
    this.#lifetimeMs = LIFETIME_MS[lifetime];
    this.#tokensUpTo = [constantTokens];
  }

  /** A call with these entries. Calls without a time follow at once. Counts what follows the first entry that changed. */
  call(entries: readonly IContent[], atMs: number | undefined): CallIntake {
    const last = this.#last;
    this.#last = { entries: [...entries], atMs };
    const shared = last === undefined ? 0 : sharedLength(last.entries, entries);
    const idleMs = last?.atMs === undefined || atMs === undefined ? 0 : atMs - last.atMs;
    const isWarm = last !== undefined && idleMs < this.#lifetimeMs;
    const tokensUpTo = this.#tokensUpTo;
    tokensUpTo.length = shared + 1;
    for (let at = shared; at < entries.length; at++) tokensUpTo.push(tokensUpTo[at]! + this.#tokensOf(entries[at]!));
    const sharedTokens = tokensUpTo[shared]!;
    const promptTokens = tokensUpTo[entries.length]!;
    const cachedTokens = isWarm && sharedTokens >= LEAST_CACHED_TOKENS ? sharedTokens : 0;
    const isWhole = last === undefined || shared === last.entries.length;
    const before = new Set(isWhole ? [] : last.entries.slice(shared));
    const again = isWhole ? [] : entries.slice(shared).filter((entry) => before.has(entry));
    return {
      promptTokens,
      cachedTokens,
      writtenTokens: promptTokens - cachedTokens,
      rebilledTokens: again.reduce((sum, entry) => sum + this.#tokensOf(entry), 0),
      unboundThinkingTokens: again.reduce((sum, entry) => sum + this.#thinkingTokensOf(entry), 0),
    };
  }
}

interface PrefixCacheOptions {
  readonly tokensOf: (entry: IContent) => number;
  /** Tokens of thinking that carries a signature. */
  readonly thinkingTokensOf: (entry: IContent) => number;
  readonly constantTokens: number;
  readonly lifetime: CacheLifetime;
}

function sharedLength(one: readonly IContent[], other: readonly IContent[]): number {
  let shared = 0;
  while (shared < one.length && shared < other.length && one[shared] === other[shared]) shared++;
  return shared;
}

/** What the calls of a session took in, together, in tokens, and what that costs in US dollars. */
export interface Bill {
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly writtenTokens: number;
  readonly outputTokens: number;
  readonly rebilledTokens: number;
  readonly unboundThinkingTokens: number;
  readonly dollars: number;
}

export const EMPTY_BILL: Bill = {
  promptTokens: 0,
  cachedTokens: 0,
  writtenTokens: 0,
  outputTokens: 0,
  rebilledTokens: 0,
  unboundThinkingTokens: 0,
  dollars: 0,
};

/** `bill` and one call more, whose answer took `outputTokens`. */
export function billed(
  bill: Bill,
  intake: CallIntake,
  { outputTokens, prices, lifetime }: { outputTokens: number; prices: PriceRow; lifetime: CacheLifetime },
): Bill {
  const writePrice = lifetime === '1h' ? prices.cacheWriteHour : prices.cacheWrite;
  const dollars =
    intake.cachedTokens * prices.cachedRead + intake.writtenTokens * writePrice + outputTokens * prices.output;
  return {
    promptTokens: bill.promptTokens + intake.promptTokens,
    cachedTokens: bill.cachedTokens + intake.cachedTokens,
    writtenTokens: bill.writtenTokens + intake.writtenTokens,
    outputTokens: bill.outputTokens + outputTokens,
    rebilledTokens: bill.rebilledTokens + intake.rebilledTokens,
    unboundThinkingTokens: bill.unboundThinkingTokens + intake.unboundThinkingTokens,
    dollars: bill.dollars + dollars / 1e6,
  };
}
