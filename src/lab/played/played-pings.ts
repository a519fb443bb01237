import type { BilledTokens } from '../../economics/bill.ts';
import type { ModelPrice } from '../../economics/prices.ts';
import {
  decidePing,
  type IdlePrompt,
  NO_PINGS,
  pingAfterMs,
  pingDollars,
  type WarmAccount,
  warmDollars,
} from '../../economics/warm/keep-warm.ts';
import type { PauseKind, PauseLengths } from '../../economics/warm/pause-lengths.ts';

/** The pings in one pause of a recorded session. */
export interface PausePings {
  readonly count: number;
  readonly dollars: number;
  /** From the last one to the call after it; from the call before, where none was sent. */
  readonly idleMs: number;
}

interface PlayedPingsOptions {
  readonly price: ModelPrice;
  readonly lifetimeMs: number;
  readonly lengths: PauseLengths;
}

/** A call of a recorded session, billed. */
interface PlayedCall {
  readonly tokens: BilledTokens;
  readonly dollars: number;
  /** What the call after it waits for. */
  readonly kind: PauseKind;
}

/** The pings that `density wrap --keep-warm` would send in a recorded session, decided as it does. */
export class PlayedPings {
  readonly #options: PlayedPingsOptions;
  #account: WarmAccount = NO_PINGS;
  #last: { readonly kind: PauseKind; readonly cachedTokens: number } | undefined;
  /** True if the next call finds its prompt only because of a ping. */
  #isKept = false;

  constructor(options: PlayedPingsOptions) {
    this.#options = options;
  }

  get account(): WarmAccount {
    return this.#account;
  }

  /** The pings in the pause before the next call, which lasts so long; `Infinity` where no call follows. `coldGain` is asked only if a ping is due. */
  pause(idleMs: number, coldGain: () => number): PausePings {
    const { lifetimeMs, price, lengths } = this.#options;
    const last = this.#last;
    const afterMs = pingAfterMs(lifetimeMs);
    let count = 0;
    let dollars = 0;
    if (last === undefined || idleMs < afterMs) return { count, dollars, idleMs };
    const gain = coldGain();
    for (let at = afterMs; at <= idleMs; at += afterMs) {
      const prompt: IdlePrompt = { ...last, idleMs: at, lifetimeMs, price, coldGain: gain, account: this.#account };
      if (!decidePing(prompt, lengths).isSent) break;
      const cost = pingDollars(prompt);
      count++;
      dollars += cost;
      const { billDollars, pingDollars: spent, repaidDollars } = this.#account;
      this.#account = { billDollars: billDollars + cost, pingDollars: spent + cost, repaidDollars };
    }
    if (Number.isFinite(idleMs)) lengths.add({ kind: last.kind, idleMs });
    const leftMs = idleMs - count * afterMs;
    this.#isKept = idleMs >= lifetimeMs && leftMs < lifetimeMs;
    return { count, dollars, idleMs: leftMs };
  }

  /** The call after the pause. */
  call({ tokens, dollars, kind }: PlayedCall): void {
    const { price, lifetimeMs } = this.#options;
    const { cachedTokens, writtenTokens, writtenHourTokens } = tokens;
    const { billDollars, pingDollars: spent, repaidDollars } = this.#account;
    const repaid = this.#isKept ? warmDollars({ cachedTokens, price, lifetimeMs }) : 0;
    this.#account = { billDollars: billDollars + dollars, pingDollars: spent, repaidDollars: repaidDollars + repaid };
    this.#last = { kind, cachedTokens: cachedTokens + writtenTokens + writtenHourTokens };
    this.#isKept = false;
  }
}
