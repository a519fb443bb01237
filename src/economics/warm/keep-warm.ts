import { HOUR_MS } from '../../durations.ts';
import type { WaitKind } from '../cache-miss.ts';
import { type ModelPrice, ratesFor } from '../prices.ts';
import type { PauseLengths } from './pause-lengths.ts';

/** US dollars of a conversation, pings included. */
export interface WarmAccount {
  /** All that it was billed so far. */
  readonly billDollars: number;
  readonly pingDollars: number;
  /** What reads cost less because a ping had kept the prompt in the cache, without what edits that waited would have saved if it had not. */
  readonly repaidDollars: number;
}

export const NO_PINGS: WarmAccount = { billDollars: 0, pingDollars: 0, repaidDollars: 0 };

/** A prompt in the cache of its provider, and nobody asks for anything. */
export interface IdlePrompt {
  /** What the agent waits for. */
  readonly wait: WaitKind;
  /** Since the start of the last call until a ping is sent. */
  readonly idleMs: number;
  /** How long the provider keeps it after each read. */
  readonly lifetimeMs: number;
  /** What a ping would read. */
  readonly cachedTokens: number;
  readonly price: ModelPrice;
  /** Dollars that the edits that wait would save if the cache expired; 0 where none waits. */
  readonly coldGain: number;
  readonly account: WarmAccount;
}

/** Why a ping is not sent: it would cost more than it can be expected to save, or more than pings may lose. */
type PingCause = 'pays' | 'costs' | 'risk';

export interface PingDecision {
  readonly isSent: boolean;
  readonly cause: PingCause;
  /** The share of calls that come while only this ping keeps the prompt (0 to 1). */
  readonly share: number;
  readonly costDollars: number;
  readonly gainDollars: number;
}

/** The part of a lifetime after which a prompt is kept again: the rest is for the way to the provider, and for clocks. */
const PING_RATIO = 0.95;
/** A conversation loses at most this part of its bill by pings. */
const RISK_RATIO = 0.03;

/**
 * What a free moment is worth, in what the edits that wait would save at it: what they remove is in no later prompt, so that other moments
 * cost less too. With 1 a published session becomes 4.4% more expensive than without pings, with 2 or 3 none over 3.1% (docs/economics.md).
 */
const COLD_WORTH = 2;

/** The time from the start of a call or ping to that of the next ping. */
export const pingAfterMs = (lifetimeMs: number): number => PING_RATIO * lifetimeMs;

/** US dollars of one ping. */
export const pingDollars = ({ cachedTokens, price }: Pick<IdlePrompt, 'cachedTokens' | 'price'>): number =>
  (cachedTokens * ratesFor(price, cachedTokens).cachedRead) / 1e6;

/** US dollars that a call costs less because its prompt is still in the cache, without what the edits that wait would have saved if it was not. */
export function warmGain({
  cachedTokens,
  price,
  lifetimeMs,
  coldGain,
}: Omit<IdlePrompt, 'account' | 'wait' | 'idleMs'>): number {
  const { write, writeHour, cachedRead } = ratesFor(price, cachedTokens);
  return (cachedTokens * ((lifetimeMs >= HOUR_MS ? writeHour : write) - cachedRead)) / 1e6 - COLD_WORTH * coldGain;
}

/**
 * Whether a ping is sent now. It is if it is expected to save more than it costs, and if all pings that no read has repaid cost less
 * than 3% of the bill so far. Source: docs/economics.md.
 */
export function decidePing(prompt: IdlePrompt, lengths: PauseLengths): PingDecision {
  const { wait, idleMs, lifetimeMs, account } = prompt;
  const afterMs = pingAfterMs(lifetimeMs);
  // Until the end of the lifetime the prompt is kept without it.
  const share = lengths.endingBetween(wait, idleMs + lifetimeMs - afterMs, idleMs + lifetimeMs);
  const stays = 1 - lengths.endingBetween(wait, idleMs, idleMs + lifetimeMs - afterMs);
  const costDollars = pingDollars(prompt);
  const gainDollars = stays * share * warmGain(prompt);
  const told = { share: stays * share, costDollars, gainDollars };
  if (gainDollars <= costDollars) return { isSent: false, cause: 'costs', ...told };
  const { billDollars, pingDollars: spent, repaidDollars } = account;
  const isRisky = spent + costDollars - repaidDollars > RISK_RATIO * billDollars;
  return { isSent: !isRisky, cause: isRisky ? 'risk' : 'pays', ...told };
}
