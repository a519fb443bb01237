import { isExpiry, isOtherModel } from '../../economics/cache-miss.ts';
import { marksWorth } from '../../economics/warm/marks-worth.ts';
import type { PauseLengths } from '../../economics/warm/pause-lengths.ts';
import { WarmCalls } from '../../economics/warm/warm-worth.ts';
import type { LoggedCall } from '../call-log.ts';
import type { LastCall } from './call-net.ts';
import type { ChangedPrompt } from './changed-prompt.ts';
import type { Misses } from './contract.ts';
import { billedTokens, type PricedCall } from './priced-call.ts';

interface CallFacts {
  readonly misses: Misses;
  readonly last: LastCall | undefined;
  readonly startedAt: number;
  readonly changed: ChangedPrompt | undefined;
  /** How long the prompt of the call is kept. */
  readonly lifetimeMs: number;
  readonly isExpired: boolean;
}

/** What pings and marks would have saved in the calls of one conversation, which a key of the Messages API pays; simulated. */
export class MissedSavings {
  readonly #warm: WarmCalls;

  constructor(lengths: PauseLengths) {
    this.#warm = new WarmCalls(lengths);
  }

  /** What pings would have done. */
  get warm(): WarmCalls['worth'] {
    return this.#warm.worth;
  }

  /** Adds a call; returns what a mark at the end of its history would have saved in it. */
  add({ api, isByKey, isToolWait, model }: LoggedCall, { usage, price }: PricedCall, facts: CallFacts): number {
    if (api !== 'anthropic-messages' || !isByKey) return 0;
    const { misses, last, startedAt, changed, lifetimeMs, isExpired } = facts;
    const known = typeof misses === 'string' ? [] : misses;
    // What changed in a pause is written again all the same.
    const isOther = isOtherModel(last?.model, model) || (changed !== undefined && changed.kind !== 'pruned');
    const tokens = billedTokens(usage);
    this.#warm.add({
      idleMs: last && startedAt - last.startedAt,
      tokens,
      price,
      lifetimeMs,
      expiredTokens: (isOther ? undefined : known.find(({ cause }) => isExpiry(cause))?.tokens) ?? 0,
      wait: isToolWait ? 'toolWait' : 'pause',
    });
    const repeated = isExpired ? undefined : known.find(({ cause }) => cause === 'uncached');
    const { uncachedTokens } = tokens;
    const { promptTokens } = usage;
    return marksWorth(price, { promptTokens, uncachedTokens, repeatedTokens: repeated?.tokens ?? 0 });
  }
}
