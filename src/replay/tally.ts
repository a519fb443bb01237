import type { DecisionCause } from '../economics/decision.ts';
import type { Percentiles, ReplayResult, ReplayTurn } from './result.ts';
import { Samples } from './samples.ts';

/** Tokens and entries of a history, and its tokens without any removal. */
export type HistorySize = Pick<ReplayTurn, 'tokensRaw' | 'tokens' | 'entries'>;

/** The figures of a replay that a tally adds up. */
type TallyFigures = Pick<
  ReplayResult,
  | 'turns'
  | 'turnsCopied'
  | 'entriesAfter'
  | 'tokensRaw'
  | 'tokensAfter'
  | 'tokensPeakRaw'
  | 'tokensPeak'
  | 'tokensSentRaw'
  | 'tokensSent'
  | 'turnsOverLimitRaw'
  | 'turnsOverLimit'
  | 'turnsRefused'
  | 'compressions'
  | 'rebuilds'
  | 'decisions'
  | 'pairsBroken'
  | 'gateMs'
>;

/** The 50th and 99th percentile and the maximum of samples. */
export const percentiles = (samples: Samples): Percentiles => ({
  p50: samples.percentile(0.5),
  p99: samples.percentile(0.99),
  max: samples.max(),
});

/** Adds up figures over the model calls of a replay. */
export class Tally {
  /** Model calls so far. */
  turns = 0;
  /** Those whose prompt the gate could not make fit. */
  refused = 0;
  compressions = 0;
  rebuilds = 0;
  /** The largest number of broken pairs. */
  broken = 0;
  readonly gateMs = new Samples();
  #size: HistorySize = { tokensRaw: 0, tokens: 0, entries: 0 };
  #copied = 0;
  readonly #decisions: Partial<Record<DecisionCause, number>> = {};
  readonly #raw = new SentTokens();
  readonly #pruned = new SentTokens();

  /** Adds a decision about the edits before a call. */
  decided(cause: DecisionCause): void {
    this.#decisions[cause] = (this.#decisions[cause] ?? 0) + 1;
  }

  /** Adds the prompt of a call, for a window of `limitTokens`. What a copied call sent counts in another session. */
  sent(size: HistorySize, { limitTokens, isCopied }: { limitTokens: number; isCopied: boolean }): void {
    this.#size = size;
    if (isCopied) this.#copied++;
    this.#raw.add(size.tokensRaw, { limitTokens, isCopied });
    this.#pruned.add(size.tokens, { limitTokens, isCopied });
  }

  figures(): TallyFigures {
    return {
      turns: this.turns,
      turnsCopied: this.#copied,
      entriesAfter: this.#size.entries,
      tokensRaw: this.#size.tokensRaw,
      tokensAfter: this.#size.tokens,
      tokensPeakRaw: this.#raw.peak,
      tokensPeak: this.#pruned.peak,
      tokensSentRaw: this.#raw.sum,
      tokensSent: this.#pruned.sum,
      turnsOverLimitRaw: this.#raw.overLimit,
      turnsOverLimit: this.#pruned.overLimit,
      turnsRefused: this.refused,
      compressions: this.compressions,
      rebuilds: this.rebuilds,
      decisions: this.#decisions,
      pairsBroken: this.broken,
      gateMs: percentiles(this.gateMs),
    };
  }
}

/** Tokens of prompts. */
class SentTokens {
  peak = 0;
  sum = 0;
  /** Prompts that were larger than the window. */
  overLimit = 0;

  add(tokens: number, { limitTokens, isCopied }: { limitTokens: number; isCopied: boolean }): void {
    this.peak = Math.max(this.peak, tokens);
    if (!isCopied) this.sum += tokens;
    if (tokens > limitTokens) this.overLimit++;
  }
}
