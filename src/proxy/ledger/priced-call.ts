import { type BilledTokens, callDollars } from '../../economics/bill.ts';
import { type CallCost, callCost } from '../../economics/call-parts.ts';
import { missingPriceLine } from '../../economics/models/missing-price.ts';
import { priceOf } from '../../economics/prices.ts';
import type { LoggedCall } from '../call-log.ts';
import type { ProxiedCall, ReportedUsage } from '../contract.ts';

/** A call whose usage and price are known. */
export interface PricedCall extends Pick<CallCost, 'price' | 'dollars' | 'besideDollars' | 'parts' | 'unpriced'> {
  readonly usage: ReportedUsage;
}

/** Undefined for an unknown model or usage. */
export function pricedCall({ model, usage, at }: Pick<LoggedCall, 'model' | 'usage' | 'at'>): PricedCall | undefined {
  if (usage === undefined || model === undefined) return undefined;
  const cost = callCost({ model, atMs: at, tokens: billedTokens(usage), beside: usage });
  return cost.price.match === 'unknown' ? undefined : { ...cost, usage };
}

/** What the provider says of a call, as it bills it. */
export function billedTokens(usage: ReportedUsage): BilledTokens {
  const { promptTokens, cachedTokens, writtenTokens, writtenHourTokens, outputTokens } = usage;
  const uncachedTokens = Math.max(0, promptTokens - cachedTokens - writtenTokens - writtenHourTokens);
  return { cachedTokens, writtenTokens, writtenHourTokens, uncachedTokens, outputTokens };
}

/** What the call would have cost with another prompt: what is not read from the cache is written as the call's own text was. */
export function otherDollars(
  { price, usage, besideDollars }: PricedCall,
  { promptTokens, cachedTokens }: Pick<ReportedUsage, 'promptTokens' | 'cachedTokens'>,
): number {
  const { outputTokens, ...own } = billedTokens(usage);
  const cached = Math.min(Math.max(0, cachedTokens), promptTokens);
  const unread = promptTokens - cached;
  const ownUnread = own.writtenTokens + own.writtenHourTokens + own.uncachedTokens;
  const part = (tokens: number): number => (ownUnread === 0 ? 0 : (unread * tokens) / ownUnread);
  const dollars = callDollars(price, {
    cachedTokens: cached,
    writtenTokens: ownUnread === 0 ? unread : part(own.writtenTokens),
    writtenHourTokens: part(own.writtenHourTokens),
    uncachedTokens: part(own.uncachedTokens),
    outputTokens,
  });
  return dollars + besideDollars;
}

/** What to say of the models of a call without a price: the one that was asked for, by which pruning decides, and the one that answered, which is billed. */
export function missingPriceLines({ status, model, report }: ProxiedCall): readonly string[] {
  // A provider accepts only its own models, so no request can put an arbitrary name here.
  if (status >= 400) return [];
  const models = new Set([report?.model, model]);
  return [...models].flatMap((one) => (one && priceOf(one).match === 'unknown' ? missingPriceLine([one])! : []));
}
