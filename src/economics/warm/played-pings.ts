import { type BilledTokens, promptOf } from '../bill.ts';
import type { WaitKind } from '../cache-miss.ts';
import type { ModelPrice } from '../prices.ts';
import { decidePing, NO_PINGS, pingAfterMs, pingDollars, type WarmAccount, warmGain } from './keep-warm.ts';
import type { PauseLengths } from './pause-lengths.ts';

/** The pings in one pause. */
export interface PausePings {
  readonly count: number;
  readonly dollars: number;
  /** From the last one to the call after it; from the call before, where none was sent. */
  readonly idleMs: number;
  /** True if only they kept the prompt until that call. */
  readonly isKept: boolean;
}

/** A call, as it is billed. */
interface PlayedCall {
  readonly tokens: BilledTokens;
  readonly dollars: number;
  readonly price: ModelPrice;
  /** How long its prompt is kept after it. */
  readonly lifetimeMs: number;
  /** What the agent waits for after it. */
  readonly wait: WaitKind;
}

const nothingWaits = (): number => 0;

/** The pings that `density wrap --keep-warm` would send in a conversation, decided as it does. */
export class PlayedPings {
  readonly #lengths: PauseLengths;
  #account: WarmAccount = NO_PINGS;
  #last: PlayedCall | undefined;
  #isKept = false;
  #coldGain = 0;

  constructor(lengths: PauseLengths) {
    this.#lengths = lengths;
  }

  get account(): WarmAccount {
    return this.#account;
  }

  /** The pings in the pause before the next call; `Infinity` where no call follows. `coldGain` is asked only if a ping is due. */
  pause(idleMs: number, coldGain = nothingWaits): PausePings {
    const last = this.#last;
    const afterMs = last === undefined ? Number.POSITIVE_INFINITY : pingAfterMs(last.lifetimeMs);
    if (last === undefined || idleMs < afterMs) return { count: 0, dollars: 0, idleMs, isKept: false };
    const { wait, price, lifetimeMs, tokens } = last;
    this.#coldGain = coldGain();
    const kept = {
      wait,
      price,
      lifetimeMs,
      cachedTokens: promptOf(tokens) - tokens.uncachedTokens,
      coldGain: this.#coldGain,
    };
    let count = 0;
    let dollars = 0;
    for (let at = afterMs; at <= idleMs; at += afterMs) {
      const prompt = { ...kept, idleMs: at, account: this.#account };
      if (!decidePing(prompt, this.#lengths).isSent) break;
      const cost = pingDollars(prompt);
      count++;
      dollars += cost;
      const { billDollars, pingDollars: spent, repaidDollars } = this.#account;
      this.#account = { billDollars: billDollars + cost, pingDollars: spent + cost, repaidDollars };
    }
    if (Number.isFinite(idleMs)) this.#lengths.add({ wait, idleMs });
    const leftMs = idleMs - count * afterMs;
    this.#isKept = idleMs >= lifetimeMs && leftMs < lifetimeMs;
    return { count, dollars, idleMs: leftMs, isKept: this.#isKept };
  }

  /** The call after the pause. */
  call(call: PlayedCall): void {
    const { tokens, dollars, price, lifetimeMs } = call;
    const read = { cachedTokens: tokens.cachedTokens, price, lifetimeMs, coldGain: this.#coldGain };
    const repaid = this.#isKept ? warmGain(read) : 0;
    const { billDollars, pingDollars: spent, repaidDollars } = this.#account;
    this.#account = { billDollars: billDollars + dollars, pingDollars: spent, repaidDollars: repaidDollars + repaid };
    this.#last = call;
    this.#isKept = false;
  }
}
