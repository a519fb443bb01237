import type { IContent } from '../content/content.ts';

/** What decides if a prefix is read from the cache; a `CacheRule` has these. */
export interface CacheFacts {
  /** How long an unused prefix is kept, in milliseconds. */
  readonly lifetimeMs: number;
  /** A shorter prefix is not cached. */
  readonly leastTokens: number;
  /** A hit is a multiple of this. */
  readonly stepTokens: number;
}

/** The prompt of one model call, compared with the previous call. */
export interface CallPrompt {
  readonly promptTokens: number;
  /** Tokens of the common prefix of both prompts. */
  readonly sharedTokens: number;
  /** Time since the previous call; `Infinity` for the first call. */
  readonly idleMs: number;
  /** Tokens that both prompts contain after the common prefix: billed again because earlier text changed. */
  readonly rebilledTokens: number;
  /** The part of these tokens that is signed thinking. It is bound to the text before it, and a provider may refuse or drop it. */
  readonly unboundThinkingTokens: number;
}

/**
 * A provider's prompt cache over the calls of one session: the prefix that a call shares with the previous one is read
 * from the cache during its lifetime; the rest is written. `constantTokens` precede every history: system prompt, tools.
 */
export class PromptCache {
  readonly #tokensOf: (entry: IContent) => number;
  readonly #thinkingTokensOf: (entry: IContent) => number;
  /** The entries of the last call, their array, and the tokens up to each of them, with `constantTokens`. */
  readonly #entries: IContent[] = [];
  #array: readonly IContent[] | undefined;
  readonly #tokensUpTo: number[];
  #last: { readonly atMs: number | undefined } | undefined;

  constructor({ tokensOf, thinkingTokensOf, constantTokens }: PromptCacheOptions) {
    this.#tokensOf = tokensOf;
    this.#thinkingTokensOf = thinkingTokensOf;
    this.#tokensUpTo = [constantTokens];
  }

  /**
   * Records a call with these entries. If the array is that of the previous call, entries were only added to it. A call
   * without a time follows at once. Counts only the entries from the first change on.
   */
  call(entries: readonly IContent[], atMs: number | undefined): CallPrompt {
    const lastMs = this.#last?.atMs;
    const idleMs = lastMs === undefined || atMs === undefined ? 0 : atMs - lastMs;
    const shared = entries === this.#array ? this.#entries.length : sharedLength(this.#entries, entries);
    this.#array = entries;
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

  /** The tokens of the entries from `from` on that the last call had there too. Drops that part of the last call. */
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

/** The tokens of a prompt that such a cache contains; the others are written to it. */
export function cachedTokensOf({ sharedTokens, idleMs }: CallPrompt, cache: CacheFacts): number {
  if (idleMs >= cache.lifetimeMs || sharedTokens < cache.leastTokens) return 0;
  return Math.floor(sharedTokens / cache.stepTokens) * cache.stepTokens;
}

interface PromptCacheOptions {
  readonly tokensOf: (entry: IContent) => number;
  /** Tokens of thinking that carries a signature. */
  readonly thinkingTokensOf: (entry: IContent) => number;
  readonly constantTokens: number;
}

/** The number of entries with which both begin. */
export function sharedLength(one: readonly IContent[], other: readonly IContent[]): number {
  let shared = 0;
  while (shared < one.length && shared < other.length && one[shared] === other[shared]) shared++;
  return shared;
}
