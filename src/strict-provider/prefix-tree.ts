import { madeOnce } from '../content/group-by.ts';
/** A prefix of a prompt: equal prefixes are one node. */
export class PrefixNode {
  readonly #children = new Map<string, PrefixNode>();
  /** When the cache of an account and a model loses this prefix, in milliseconds. */
  readonly #expiries = new Map<string, number>();

  /** The prefix that also has this part. */
  after(key: string): PrefixNode {
    return madeOnce(this.#children, key, () => new PrefixNode());
  }

  isCached(owner: string, nowMs: number): boolean {
    return (this.#expiries.get(owner) ?? Number.NEGATIVE_INFINITY) > nowMs;
  }

  /** Keeps the prefix until this time, or longer if it was kept longer. */
  keep(owner: string, untilMs: number): void {
    this.#expiries.set(owner, Math.max(untilMs, this.#expiries.get(owner) ?? 0));
  }
}
