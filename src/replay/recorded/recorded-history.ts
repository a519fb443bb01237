import type { IContent } from '../../content/content.ts';
import { entriesOf, type SessionEvent } from '../../content/session-event.ts';
import type { TokensOf } from '../../strategies/removals.ts';

/** The unpruned history of the recorded agent, and its tokens at the last `count`. */
export class RecordedHistory {
  readonly #tokensOf: TokensOf;
  readonly #seen = new WeakSet<IContent>();
  entries: IContent[] = [];
  tokens = 0;
  /** Tokens of every entry that was ever in it, each counted once. */
  tokensAdded = 0;
  /** Entries added since the last `count`. */
  #uncounted: IContent[] = [];
  #added: IContent[] = [];
  #isRebuilt = false;

  /** `tokensOf` should cache: all entries of a rebuilt history are counted again. */
  constructor(tokensOf: TokensOf) {
    this.#tokensOf = tokensOf;
  }

  play(event: SessionEvent): void {
    for (const entry of entriesOf(event)) this.#see(entry);
    if (event.kind === 'add') {
      this.entries.push(event.content);
      this.#added.push(event.content);
      return;
    }
    this.entries = [...event.contents];
    this.#isRebuilt = true;
  }

  /** Updates the tokens to the current entries. */
  async count(): Promise<void> {
    const { tokens } = this;
    const uncounted = this.#uncounted;
    const added = this.#added;
    const isRebuilt = this.#isRebuilt;
    this.#uncounted = [];
    this.#added = [];
    this.#isRebuilt = false;
    this.tokensAdded += await this.#tokensOf(uncounted);
    this.tokens = isRebuilt ? await this.#tokensOf(this.entries) : tokens + (await this.#tokensOf(added));
  }

  #see(entry: IContent): void {
    if (this.#seen.has(entry)) return;
    this.#seen.add(entry);
    this.#uncounted.push(entry);
  }
}
