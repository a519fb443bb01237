import type { Usage } from '../content/content.ts';
import { Samples } from './samples.ts';

/** The error of a single call with less growth is ignored: it shows what an agent adds to each call, not how well we count. */
const MIN_GROWTH_TOKENS = 50;
/** The agent removed text without a record of it if the reported prompt becomes smaller by more than this share. */
const UNRECORDED_REMOVAL_RATIO = 0.1;

/** The errors of our count, relative to what the provider reported; 0.1 is a tenth. */
export interface UsageError {
  /** The error of the sum of all calls; below 0 if we count too few. */
  readonly total: number;
  /** The median and the 90th percentile of the size of the error of a single call, over `calls`. */
  readonly median: number;
  readonly p90: number;
  readonly calls: number;
}

interface Prompt {
  readonly reported: number;
  readonly counted: number;
}

/**
 * Compares our count with the provider's report, by the growth of the prompt from call to call. So the system prompt and
 * the tool definitions, which are not recorded, cancel out.
 */
export class UsageComparison {
  readonly #errors = new Samples();
  #last: Prompt | undefined;
  #reported = 0;
  #counted = 0;

  /** Adds a call: `tokens` of its history by our count, and the recorded `usage`. */
  addCall(usage: Usage | undefined, tokens: number): void {
    if (usage === undefined || usage.reported) return;
    const last = this.#last;
    this.#last = { reported: usage.promptTokens, counted: tokens };
    if (last === undefined || usage.promptTokens < (1 - UNRECORDED_REMOVAL_RATIO) * last.reported) return;
    const reported = usage.promptTokens - last.reported;
    const counted = tokens - last.counted;
    this.#reported += reported;
    this.#counted += counted;
    if (reported < MIN_GROWTH_TOKENS || counted <= 0) return;
    this.#errors.add(Math.abs(counted - reported) / reported);
  }

  /** Starts again after a rebuilt history, because growth across a rebuild says nothing. */
  forget(): void {
    this.#last = undefined;
  }

  /** The errors so far; `undefined` if no call could be compared. */
  result(): UsageError | undefined {
    if (this.#errors.count === 0 || this.#reported <= 0) return undefined;
    const total = this.#counted / this.#reported - 1;
    const median = this.#errors.percentile(0.5);
    const p90 = this.#errors.percentile(0.9);
    return { total, median, p90, calls: this.#errors.count };
  }
}
