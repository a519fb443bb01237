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

/** What pings would have done in the calls of one conversation, call by call. */
export class WarmCalls {
  readonly #pings: PlayedPings;
  #sent = 0;
  #savedDollars = 0;

  constructor(lengths: PauseLengths) {
    this.#pings = new PlayedPings(lengths);
  }

  add({ idleMs, tokens, expiredTokens, ...call }: PausedCall): void {
    const { count, isKept } = this.#pings.pause(idleMs ?? 0);
    this.#sent += count;
    const warm = isKept ? readInstead(tokens, expiredTokens) : tokens;
    const dollars = callDollars(call.price, warm);
    this.#savedDollars += callDollars(call.price, tokens) - dollars;
    this.#pings.call({ ...call, tokens: warm, dollars });
  }

  /** Without pings after the last call. */
  get worth(): Omit<WarmWorth, 'leftOpenDollars'> {
    const { pingDollars } = this.#pings.account;
    return { pings: this.#sent, pingDollars, savedDollars: this.#savedDollars };
  }

  /** Nobody comes back, and the agent is left open: no call follows. */
  leaveOpen(): number {
    return this.#pings.pause(Number.POSITIVE_INFINITY).dollars;
  }
}

/** What `density wrap --keep-warm` would have saved and cost in these calls of one conversation, in order. Linear in calls and pings. */
export function warmWorth(calls: readonly PausedCall[], lengths: PauseLengths): WarmWorth {
  const warm = new WarmCalls(lengths);
  for (const call of calls) warm.add(call);
  return { ...warm.worth, leftOpenDollars: warm.leaveOpen() };
}
