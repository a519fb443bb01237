import { Tokenizer } from 'ai-tokenizer';
import * as aiEncoding from 'ai-tokenizer/encoding/o200k_base';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { IContent } from '../src/content/content.ts';
import { countEntry } from '../src/tokens/entries/entry.ts';

type Count = (text: string) => number;

const ROUNDS = 3;

function fastestOf(counts: readonly [Count, Count], sample: readonly IContent[]): Count {
  const bestMs = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, count] of counts.entries()) {
      const startedAt = performance.now();
      for (const entry of sample) countEntry(entry, { family: 'o200k', count });
      bestMs[index] = Math.min(bestMs[index]!, performance.now() - startedAt);
    }
  }
  return bestMs[0]! <= bestMs[1]! ? counts[0] : counts[1];
}

/**
 * The naive reading of the specification: a list, and a gate that counts all of it again before every send, on the
 * calling thread, with whichever of the two fastest tokenizers of npm is faster on what it is given first.
 */
export class NaiveHistory {
  readonly #entries: IContent[];
  readonly #count: Count;

  constructor(entries: readonly IContent[]) {
    this.#entries = [...entries];
    const ai = new Tokenizer(aiEncoding);
    const none = new Set<string>();
    const gpt: Count = (text) => countTokens(text, { disallowedSpecial: none });
    this.#count = fastestOf([(text) => ai.count(text), gpt], entries.slice(0, 200));
  }

  add(entry: IContent): void {
    this.#entries.push(entry);
  }

  /** Tokens of all entries, counted again. */
  recount(): number {
    return this.#entries.reduce((sum, entry) => sum + countEntry(entry, { family: 'o200k', count: this.#count }), 0);
  }
}
