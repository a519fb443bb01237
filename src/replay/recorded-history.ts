import type { IContent } from '../content/content.ts';
import type { SessionEvent } from '../formats/contract.ts';

/** The history as the recorded agent had it, unpruned, and its tokens. */
export class RecordedHistory {
  readonly #countEntry: (entry: IContent) => number;
  readonly #counts = new WeakMap<IContent, number>();
  #entries: IContent[] = [];
  #tokens = 0;
  #tokensAdded = 0;

  constructor(countEntry: (entry: IContent) => number) {
    this.#countEntry = countEntry;
  }

  get entries(): readonly IContent[] {
    return this.#entries;
  }

  get tokens(): number {
    return this.#tokens;
  }

  /** Tokens of everything that was ever in it, each entry once. */
  get tokensAdded(): number {
    return this.#tokensAdded;
  }

  play(event: SessionEvent): void {
    if (event.kind === 'add') {
      this.#entries.push(event.content);
      this.#tokens += this.#tokensOf(event.content);
      return;
    }
    this.#entries = [...event.contents];
    this.#tokens = this.#entries.reduce((sum, entry) => sum + this.#tokensOf(entry), 0);
  }

  #tokensOf(entry: IContent): number {
    const known = this.#counts.get(entry);
    if (known !== undefined) return known;
    const tokens = this.#countEntry(entry);
    this.#counts.set(entry, tokens);
    this.#tokensAdded += tokens;
    return tokens;
  }
}
