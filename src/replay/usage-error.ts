import type { Usage } from '../content/content.ts';
import { Samples } from './samples.ts';

/** Growth that is smaller says more about what an agent adds to each call than about counting. */
const LEAST_GROWTH_TOKENS = 50;

/**
 * Compares our count with what the provider reported: by how much the prompt grew from one call to the next, so that
 * system prompt and tool definitions, which are not recorded, cancel out.
 */
export class UsageComparison {
  readonly #errors = new Samples();
  #last: { readonly promptTokens: number; readonly tokens: number } | undefined;

  /** A call was made with a history of `tokens` by our count, and `usage` was recorded for it. */
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

  /** The history was rebuilt: growth across that says nothing. */
  forget(): void {
    this.#last = undefined;
  }

  /** The median of the relative errors and how many calls it stands on; undefined when none could be compared. */
  result(): { readonly median: number; readonly calls: number } | undefined {
    return this.#errors.count === 0 ? undefined : { median: this.#errors.percentile(0.5), calls: this.#errors.count };
  }
}
