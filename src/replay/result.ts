import type { DecisionCause } from '../economics/decision.ts';
import type { EngineName } from '../history/engine.ts';
import type { ContextSize } from '../sessions/context-size.ts';
import type { ContradictedCall } from '../sessions/possible-usage.ts';
import { COUNTERS, type Counter, recordOf } from '../strategies/reasons/edit-reason.ts';
import type { Removal, Removals } from '../strategies/removals.ts';
import type { UsageError } from './usage-error.ts';

/** What a session is played with. `none`: nothing is pruned, tokens are only counted. */
export interface ReplaySetup {
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

/**
 * One model call of a replayed session. Tokens are those of the prompt as it was sent: by the provider's own count where it
 * is recorded, less what we count that pruning removed; else by our count, with a recorded system prompt.
 */
export interface ReplayTurn {
  /** Counts from 1. */
  readonly turn: number;
  readonly tokensRaw: number;
  readonly tokens: number;
  readonly entries: number;
  readonly gateMs: number;
  /** Milliseconds for which this gate run blocked the main thread. */
  readonly stallMs: number;
  readonly isCompressed: boolean;
  /** True if the prompt was over the limit and could not be made to fit. */
  readonly isRefused: boolean;
}

/** The measurements of a played session. `tokensRaw` and `tokensAfter` are those of the last call. */
export interface ReplayResult {
  readonly format: string;
  readonly strategy: string;
  readonly engine: EngineName;
  readonly model: string;
  readonly tokenizer: string;
  /** Model calls, and those of them that are copies of another session's. */
  readonly turns: number;
  readonly turnsCopied: number;
  /** Entries that were recorded, and entries in the last call. */
  readonly entries: number;
  readonly entriesAfter: number;
  readonly tokensRaw: number;
  readonly tokensAfter: number;
  /** The context of the recorded session at its end. */
  readonly context: ContextSize;
  /** The largest prompt of all calls, without and with pruning. */
  readonly tokensPeakRaw: number;
  readonly tokensPeak: number;
  /** All recorded entries, each counted once. */
  readonly tokensRecorded: number;
  /** Sums over all calls that are no copies. */
  readonly tokensSentRaw: number;
  readonly tokensSent: number;
  readonly contextLimit: number;
  /** Calls whose prompt was larger than the window, without and with pruning. */
  readonly turnsOverLimitRaw: number;
  readonly turnsOverLimit: number;
  /** Calls whose prompt the gate could not make fit. */
  readonly turnsRefused: number;
  readonly compressions: number;
  /** Number of times the recorded agent rebuilt its own history. */
  readonly rebuilds: number;
  readonly removed: Readonly<Record<Counter, number>>;
  readonly removedTokens: Readonly<Record<Counter, number>>;
  /** Model calls before which edits waited or applied, by cause; empty where edits always apply. */
  readonly decisions: Readonly<Partial<Record<DecisionCause, number>>>;
  readonly pairsBroken: number;
  readonly gateMs: Percentiles;
  readonly stallMs: Percentiles;
  /** Model calls whose usage cannot be, and is not used; without copied ones. */
  readonly contradicted: readonly ContradictedCall[];
  /** The errors of our count against what the provider reported; null if nothing was recorded. */
  readonly usageError: UsageError | null;
  readonly notices: readonly string[];
}

/** The counts or the tokens of each counter. */
export const perRule = (removals: Removals, what: keyof Removal): Record<Counter, number> =>
  recordOf(COUNTERS, (counter) => removals[counter][what]);

/** Count and tokens of each rule together. */
export const removalsOf = ({ removed, removedTokens }: ReplayResult): Removals =>
  recordOf(COUNTERS, (counter) => ({ count: removed[counter], tokens: removedTokens[counter] }));
