import { HOUR_MS, MINUTE_MS } from '../../durations.ts';
import { type ModelPrice, ratesFor } from '../prices.ts';
import { type PauseTable, shareBetween } from './pause-lengths.ts';

/** The lifetimes that a request to Claude may ask for. */
export type CacheLifetime = '5m' | '1h';

/** A conversation whose whole prompt is written to the cache now. */
export interface WrittenConversation {
  readonly promptTokens: number;
  /** Those of the system prompt and the tools. */
  readonly constantTokens: number;
  /** The time before each call so far, this one among them; `undefined` where it is not known. */
  readonly idleMs: readonly (number | undefined)[];
  readonly price: ModelPrice;
}

const SHORT_MS = 5 * MINUTE_MS;
/** The recorded share of pauses counts as much as so many calls of the conversation itself. */
const RECORDED_CALLS = 50;
/** So many calls are assumed to follow: fewer than do on average, so that few conversations pay for an hour that they do not need. */
const FURTHER_CALLS = 25;
/** Below that, what is still to be written costs more for an hour than pauses can save. */
const LEAST_TOKENS = 80_000;

/**
 * How long a prompt that is written now is best kept, by the pauses between five minutes and an hour that are to be expected. The
 * constants are the ones with which few recorded sessions cost more. Source: docs/economics.md, "Five minutes or an hour".
 */
export function chooseLifetime(conversation: WrittenConversation, table: PauseTable): CacheLifetime {
  const { promptTokens, constantTokens, idleMs, price } = conversation;
  if (price.match === 'unknown' || promptTokens < LEAST_TOKENS) return '5m';
  const isBridged = (ms: number | undefined): boolean => ms !== undefined && ms >= SHORT_MS && ms < HOUR_MS;
  const calls = idleMs.length;
  const recorded = RECORDED_CALLS * shareBetween(table, SHORT_MS, HOUR_MS);
  const pauses = (FURTHER_CALLS * (idleMs.filter(isBridged).length + recorded)) / (calls + RECORDED_CALLS);
  const growth = (FURTHER_CALLS * (promptTokens - constantTokens)) / Math.max(1, calls);
  const { write, writeHour, cachedRead } = ratesFor(price, promptTokens);
  const saved = pauses * (promptTokens + growth / 2) * (write - cachedRead);
  return saved > (promptTokens + growth) * (writeHour - write) ? '1h' : '5m';
}
