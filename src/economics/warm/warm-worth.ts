import { type BilledTokens, callDollars } from '../bill.ts';
import type { WaitKind } from '../cache-miss.ts';
import type { ModelPrice } from '../prices.ts';
import type { PauseLengths } from './pause-lengths.ts';
import { PlayedPings } from './played-pings.ts';

/** A call of a conversation, as it was billed. */
export interface PausedCall {
  /** Since the start of the call before; `undefined` if that is not known. */
  readonly idleMs: number | undefined;
  readonly tokens: BilledTokens;
  readonly price: ModelPrice;
  /** How long its prompt is kept after it. */
  readonly lifetimeMs: number;
  /** The part of the written tokens that was in the cache before it, and expired. */
  readonly expiredTokens: number;
  /** What the agent waits for after it. */
  readonly wait: WaitKind;
}

/** What pings would have done in a conversation. US dollars at list prices; simulated. */
export interface WarmWorth {
  readonly pings: number;
  readonly pingDollars: number;
  /** What calls would have cost less, without the pings. */
  readonly savedDollars: number;
  /** Pings after the last call, if nobody comes back and the agent is left open. */
  readonly leftOpenDollars: number;
}

/** The same tokens, of which so many are read from the cache and not written. */
function readInstead(tokens: BilledTokens, expired: number): BilledTokens {
  const fromHour = Math.min(tokens.writtenHourTokens, expired);
  const fromUsual = Math.min(tokens.writtenTokens, expired - fromHour);
  return {
    ...tokens,
    cachedTokens: tokens.cachedTokens + fromHour + fromUsual,
    writtenTokens: tokens.writtenTokens - fromUsual,
    writtenHourTokens: tokens.writtenHourTokens - fromHour,
  };
}

/** What `density wrap --keep-warm` would have saved and cost in these calls of one conversation, in order. Linear in calls and pings. */
export function warmWorth(calls: readonly PausedCall[], lengths: PauseLengths): WarmWorth {
  const pings = new PlayedPings(lengths);
  let sent = 0;
  let savedDollars = 0;
  for (const { idleMs, tokens, expiredTokens, ...call } of calls) {
    const { count, isKept } = pings.pause(idleMs ?? 0);
    sent += count;
    const warm = isKept ? readInstead(tokens, expiredTokens) : tokens;
    const dollars = callDollars(call.price, warm);
    savedDollars += callDollars(call.price, tokens) - dollars;
    pings.call({ ...call, tokens: warm, dollars });
  }
  const { pingDollars } = pings.account;
  return { pings: sent, pingDollars, savedDollars, leftOpenDollars: pings.pause(Number.POSITIVE_INFINITY).dollars };
}
