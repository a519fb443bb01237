import type { EngineName } from '../history/engine.ts';
import { COUNTERS, type Counter, recordOf } from '../strategies/edit-reason.ts';
import type { Removal, Removals } from '../strategies/removals.ts';

/** How a replayed session was to be kept small. `none`: nothing is pruned, it is only counted. */
export interface ReplayPolicy {
  /** A strategy that asks no model, or `none`. */
  readonly strategy: string;
  readonly model: string;
  readonly engine: EngineName;
}

/** Milliseconds. */
export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** One model call of a replayed session. Tokens are those of the history as it was sent, system prompt included. */
export interface ReplayTurn {
  /** Counts from 1. */
  readonly turn: number;
  readonly tokensRaw: number;
  readonly tokens: number;
  readonly entries: number;
  readonly gateMs: number;
  /** How long the main thread was blocked in this gate run. */
  readonly stallMs: number;
  readonly isCompressed: boolean;
  /** The prompt was over the limit and nothing could make it fit. */
  readonly isRefused: boolean;
}

/** What a session did under a policy. `tokensRaw` and `tokensAfter` are those of the last call. */
export interface ReplayResult {
  readonly format: string;
  readonly strategy: string;
  readonly engine: EngineName;
  readonly model: string;
  readonly tokenizer: string;
  /** Model calls. */
  readonly turns: number;
  /** Entries that were recorded, and that the last call had. */
  readonly entries: number;
  readonly entriesAfter: number;
  readonly tokensRaw: number;
  readonly tokensAfter: number;
  /** The most that any call had, without and with pruning. */
  readonly tokensPeakRaw: number;
  readonly tokensPeak: number;
  /** All that was ever recorded, each entry once. */
  readonly tokensRecorded: number;
  /** What all calls together had. */
  readonly tokensSentRaw: number;
  readonly tokensSent: number;
  readonly contextLimit: number;
  /** Calls whose prompt was larger than the window, without and with pruning. */
  readonly turnsOverLimitRaw: number;
  readonly turnsOverLimit: number;
  /** Calls for which the gate found no way to make the prompt fit. */
  readonly turnsRefused: number;
  readonly compressions: number;
  /** How often the recorded agent rebuilt its own history. */
  readonly rebuilds: number;
  readonly removed: Readonly<Record<Counter, number>>;
  readonly removedTokens: Readonly<Record<Counter, number>>;
  readonly pairsBroken: number;
  readonly gateMs: Percentiles;
  readonly stallMs: Percentiles;
  /** Median relative error of our count against what the provider reported, and over how many calls; null where nothing was recorded. */
  readonly usageError: { readonly median: number; readonly calls: number } | null;
  readonly notices: readonly string[];
}

/** Counts, or tokens, of each counter. */
export const perRule = (removals: Removals, what: keyof Removal): Record<Counter, number> =>
  recordOf(COUNTERS, (counter) => removals[counter][what]);

/** What each rule did, its count and its tokens together. */
export const removalsOf = ({ removed, removedTokens }: ReplayResult): Removals =>
  recordOf(COUNTERS, (counter) => ({ count: removed[counter], tokens: removedTokens[counter] }));
