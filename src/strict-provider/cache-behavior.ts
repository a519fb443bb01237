import { MINUTE_MS } from '../durations.ts';

/** In what a provider differs from the documents. */
export interface CacheBehavior {
  /** How long a prefix of five minutes is kept; the other lifetimes change by the same factor. */
  readonly lifetimeMs?: number;
  /** The share of requests whose reads renew the lifetime of what they read; default: 1, all. */
  readonly renewShare?: number;
  /** The share of requests of the Messages API that find nothing in the cache although its lifetime has not ended. Default: none. */
  readonly losses?: Losses;
  /** True: a request for at most one token neither reads nor writes the cache, and all its tokens are billed as new. */
  readonly billsPingsInFull?: boolean;
  /** Of the random numbers for the two shares. */
  readonly seed?: number;
}

interface Losses {
  /** Of requests whose last message has a result. */
  readonly afterTool: number;
  readonly afterPerson: number;
}

/**
 * What recorded sessions of Claude Code lost within the lifetime.
 * Source: docs/provider.md#a-provider-of-another-kind
 */
export const RECORDED_LOSSES: Losses = { afterTool: 0.003, afterPerson: 0.138 };

/** What happens to the cache at one request. */
export interface CacheEvent {
  readonly isLost: boolean;
  readonly renews: boolean;
}

/** Draws what happens to the cache at each request; always alike for one seed. */
export class CacheChance {
  readonly #renewShare: number;
  readonly #losses: Losses;
  #state: number;

  constructor({ renewShare = 1, losses = { afterTool: 0, afterPerson: 0 }, seed = 1 }: CacheBehavior) {
    this.#renewShare = renewShare;
    this.#losses = losses;
    this.#state = seed;
  }

  /** `followsTool`: `undefined` where it is unknown, so that nothing is lost. */
  next(followsTool: boolean | undefined): CacheEvent {
    const { afterTool, afterPerson } = this.#losses;
    const loss = followsTool === undefined ? 0 : followsTool ? afterTool : afterPerson;
    return { isLost: this.#random() < loss, renews: this.#random() < this.#renewShare };
  }

  /** A number from 0 to below 1. Source: mulberry32, https://github.com/bryc/code/blob/master/jshash/PRNGs.md */
  #random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

/** The factor of all lifetimes. */
export const lifetimeFactor = ({ lifetimeMs = 5 * MINUTE_MS }: CacheBehavior): number => lifetimeMs / (5 * MINUTE_MS);
