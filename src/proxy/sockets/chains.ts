/** All items up to the end of a response, each as its JSON. */
export interface Chain {
  /** As the agent has them. */
  readonly items: readonly Buffer[];
  /** As the provider has them: some with another text. */
  readonly sent: readonly Buffer[];
}

/** The most bytes of one connection. Chains that share items take less. An agent continues the last response of a stream, or a warm-up. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_RESPONSES = 32;

const EMPTY: Chain = { items: [], sent: [] };

/** What the responses of one connection continue: in memory, for as long as it is open. */
export class Chains {
  readonly #chains = new Map<string, Chain & { readonly sizeBytes: number }>();
  #sizeBytes = 0;

  /** An empty one before the first response; undefined if not every item before was seen whole. */
  before(previous: string | undefined): Chain | undefined {
    return previous === undefined ? EMPTY : this.#chains.get(previous);
  }

  /** Keeps the items up to the end of a response, and lets go of the oldest where there are too many. */
  add(id: string, chain: Chain): void {
    const sizeBytes = [chain.items, chain.sent].flat().reduce((sum, item) => sum + item.length, 0);
    this.#remove(id);
    this.#chains.set(id, { ...chain, sizeBytes });
    this.#sizeBytes += sizeBytes;
    for (const oldest of this.#chains.keys()) {
      if (this.#chains.size <= MAX_RESPONSES && this.#sizeBytes <= MAX_BYTES) break;
      this.#remove(oldest);
    }
  }

  clear(): void {
    this.#chains.clear();
    this.#sizeBytes = 0;
  }

  #remove(id: string): void {
    this.#sizeBytes -= this.#chains.get(id)?.sizeBytes ?? 0;
    this.#chains.delete(id);
  }
}
