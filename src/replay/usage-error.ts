import type { Usage } from '../content/content.ts';
import { Samples } from './samples.ts';

/** Smaller growth is ignored: it shows what an agent adds to each call, not how well we count. */
const LEAST_GROWTH_TOKENS = 50;

/**
 * Compares our count with the provider's report, by the growth of the prompt from call to call. So the system prompt and
 * the tool definitions, which are not recorded, cancel out.
 */
export class UsageComparison {
  readonly #errors = new Samples();
  #last: { readonly promptTokens: number; readonly tokens: number } | undefined;

  /** Adds a call: `tokens` of its history by our count, and the recorded `usage`. */
  addCall(usage: Usage | undefined, tokens: number): void {
    if (usage === undefined) return;
    const grown = this.#last && {
      reported: usage.promptTokens - this.#last.promptTokens,
      counted: tokens - this.#last.tokens,
    };
    this.#last = { promptTokens: usage.promptTokens, tokens };
    if (grown === undefined || grown.reported < LEAST_GROWTH_TOKENS || grown.counted <= 0) return;
    this.#errors.add(Math.abs(grown.counted - grown.reported) / grown.reported);
  }

  /** Starts again after a rebuilt history, because growth across a rebuild says nothing. */
  forget(): void {
    this.#last = undefined;
  }

  /** The median of the relative errors, and the number of calls compared; undefined if no call could be compared. */
  result(): { readonly median: number; readonly calls: number } | undefined {
    return this.#errors.count === 0 ? undefined : { median: this.#errors.percentile(0.5), calls: this.#errors.count };
  }
}
