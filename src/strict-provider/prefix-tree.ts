/** A prefix of a prompt: equal prefixes are one node. */
export class PrefixNode {
  readonly #children = new Map<string, PrefixNode>();
  /** When the cache of an account and a model loses this prefix, in milliseconds. */
  readonly #expiries = new Map<string, number>();

  /** The prefix that also has this part. */
  after(key: string): PrefixNode {
    let child = this.#children.get(key);
    if (child === undefined) {
      child = new PrefixNode();
      this.#children.set(key, child);
    }
    return child;
  }

  isCached(owner: string, nowMs: number): boolean {
    return (this.#expiries.get(owner) ?? Number.NEGATIVE_INFINITY) > nowMs;
  }

  /** Keeps the prefix until this time, or longer if it was kept longer. */
  keep(owner: string, untilMs: number): void {
    this.#expiries.set(owner, Math.max(untilMs, this.#expiries.get(owner) ?? 0));
  }
}
