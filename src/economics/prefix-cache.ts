import type { IContent } from '../content/content.ts';
import type { PriceRow } from './prices.ts';

/** How long a provider keeps a prefix that is not asked for: five minutes, or an hour for a higher price. */
export type CacheLifetime = '5m' | '1h';

const LIFETIME_MS: Readonly<Record<CacheLifetime, number>> = { '5m': 5 * 60_000, '1h': 60 * 60_000 };
/** A shorter prompt is not cached. Source: Anthropic and OpenAI, prompt caching, 2025. */
const LEAST_CACHED_TOKENS = 1024;

/** What one model call sends, beside what the one before it sent. */
export interface CallPrompt {
  readonly promptTokens: number;
  /** From the start on, in common with the call before. */
  readonly sharedTokens: number;
  /** Since the call before; `Infinity` where there was none. */
  readonly idleMs: number;
  /** Tokens that were sent before and stand where something before them changed: taken in again. */
  readonly rebilledTokens: number;
  /** Of these, thinking that is bound to what stood before it: a provider may refuse or drop it. */
  readonly unboundThinkingTokens: number;
}

/**
 * A provider's prefix cache over the calls of one session: what a call has in common with the one before it, from the
 * first token on, is read from the cache while that is kept; the rest is written. `constantTokens` stand before every
 * history: the system prompt and the tools.
 */
export class PrefixCache {
  readonly #tokensOf: (entry: IContent) => number;
  readonly #thinkingTokensOf: (entry: IContent) => number;
  /** Those of the last call, the array that brought them, and tokens up to each, `constantTokens` included. */
  readonly #entries: IContent[] = [];
  #broughtBy: readonly IContent[] | undefined;
  readonly #tokensUpTo: number[];
  #last: { readonly atMs: number | undefined } | undefined;

  constructor({ tokensOf, thinkingTokensOf, constantTokens }: PrefixCacheOptions) {
    this.#tokensOf = tokensOf;
    this.#thinkingTokensOf = thinkingTokensOf;
    this.#tokensUpTo = [constantTokens];
  }

  /**
   * A call with these entries: an array that the call before had too has only grown since. Calls without a time follow
   * at once. Counts what follows the first entry that changed.
   */
  call(entries: readonly IContent[], atMs: number | undefined): CallPrompt {
    const lastMs = this.#last?.atMs;
    const idleMs = lastMs === undefined || atMs === undefined ? 0 : atMs - lastMs;
    const shared = entries === this.#broughtBy ? this.#entries.length : sharedLength(this.#entries, entries);
    this.#broughtBy = entries;
    const again = shared < this.#entries.length ? this.#sentAgain(entries, shared) : NOTHING;
    const tokensUpTo = this.#tokensUpTo;
    tokensUpTo.length = shared + 1;
    for (let at = shared; at < entries.length; at++) {
      this.#entries.push(entries[at]!);
      tokensUpTo.push(tokensUpTo[at]! + this.#tokensOf(entries[at]!));
    }
    const isFirst = this.#last === undefined;
    this.#last = { atMs };
    return {
      promptTokens: tokensUpTo[entries.length]!,
      sharedTokens: tokensUpTo[shared]!,
      idleMs: isFirst ? Number.POSITIVE_INFINITY : idleMs,
      ...again,
    };
  }

  /** Of the entries from `from` on those that the last call had there too; it is forgotten what that had. */
  #sentAgain(entries: readonly IContent[], from: number): Again {
    const before = new Set(this.#entries.splice(from));
    const again = entries.slice(from).filter((entry) => before.has(entry));
    return {
      rebilledTokens: again.reduce((sum, entry) => sum + this.#tokensOf(entry), 0),
      unboundThinkingTokens: again.reduce((sum, entry) => sum + this.#thinkingTokensOf(entry), 0),
    };
  }
}

type Again = Pick<CallPrompt, 'rebilledTokens' | 'unboundThinkingTokens'>;

const NOTHING: Again = { rebilledTokens: 0, unboundThinkingTokens: 0 };

/** The tokens of a prompt that are read from the cache where a prefix is kept for `lifetime`; the others are written. */
export function cachedTokensOf({ sharedTokens, idleMs }: CallPrompt, lifetime: CacheLifetime): number {
  return idleMs < LIFETIME_MS[lifetime] && sharedTokens >= LEAST_CACHED_TOKENS ? sharedTokens : 0;
}

interface PrefixCacheOptions {
  readonly tokensOf: (entry: IContent) => number;
  /** Tokens of thinking that carries a signature. */
  readonly thinkingTokensOf: (entry: IContent) => number;
  readonly constantTokens: number;
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

/** Adds up what calls take in and what that costs, at these prices and where a prefix is kept for `lifetime`. */
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

  /** As it stands after the calls so far. */
  get bill(): Bill {
    return this.#bill;
  }

  /** One call more, whose answer took `outputTokens`. */
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
