import type { Percentiles, ReplayResult, ReplayTurn } from './result.ts';
import { Samples } from './samples.ts';

/** What a history holds, and what it would hold had nothing been taken away. */
export type HeldTokens = Pick<ReplayTurn, 'tokensRaw' | 'tokens' | 'entries'>;

/** What a tally says of a replay. */
type TallyFigures = Pick<
  ReplayResult,
  | 'turns'
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
  | 'pairsBroken'
  | 'gateMs'
>;

/** What stands out among samples. */
export const percentiles = (samples: Samples): Percentiles => ({
  p50: samples.percentile(0.5),
  p99: samples.percentile(0.99),
  max: samples.max(),
});

/** Adds up what the model calls of a replay were like. */
export class Tally {
  readonly #gateMs = new Samples();
  #held: HeldTokens = { tokensRaw: 0, tokens: 0, entries: 0 };
  #turns = 0;
  #refused = 0;
  #compressions = 0;
  #rebuilds = 0;
  #broken = 0;
  readonly #raw = new SentTokens();
  readonly #pruned = new SentTokens();

  /** Model calls so far. */
  get turns(): number {
    return this.#turns;
  }

  /** Starts a model call; gives its number, from 1. */
  startCall(): number {
    return ++this.#turns;
  }

  /** How long the gate took for the call, and whether it found no way to make the prompt fit. */
  passedGate(gateMs: number, isRefused: boolean): void {
    this.#gateMs.add(gateMs);
    if (isRefused) this.#refused++;
  }

  compressed(times: number): void {
    this.#compressions += times;
  }

  rebuilt(): void {
    this.#rebuilds++;
  }

  /** How many pairs are broken now; the most is what counts. */
  broken(pairs: number): void {
    this.#broken = Math.max(this.#broken, pairs);
  }

  /** What a call sends, within a window of `limitTokens`. */
  sent(held: HeldTokens, limitTokens: number): void {
    this.#held = held;
    this.#raw.add(held.tokensRaw, limitTokens);
    this.#pruned.add(held.tokens, limitTokens);
  }

  figures(): TallyFigures {
    return {
      turns: this.#turns,
      entriesAfter: this.#held.entries,
      tokensRaw: this.#held.tokensRaw,
      tokensAfter: this.#held.tokens,
      tokensPeakRaw: this.#raw.peak,
      tokensPeak: this.#pruned.peak,
      tokensSentRaw: this.#raw.sum,
      tokensSent: this.#pruned.sum,
      turnsOverLimitRaw: this.#raw.overLimit,
      turnsOverLimit: this.#pruned.overLimit,
      turnsRefused: this.#refused,
      compressions: this.#compressions,
      rebuilds: this.#rebuilds,
      pairsBroken: this.#broken,
      gateMs: percentiles(this.#gateMs),
    };
  }
}

/** Tokens of prompts. */
class SentTokens {
  peak = 0;
  sum = 0;
  /** Prompts that were larger than the window. */
  overLimit = 0;

  add(tokens: number, limitTokens: number): void {
    this.peak = Math.max(this.peak, tokens);
    this.sum += tokens;
    if (tokens > limitTokens) this.overLimit++;
  }
}
