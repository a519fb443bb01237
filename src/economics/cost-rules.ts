import { HOUR_MS } from '../durations.ts';
import { cacheRuleOf } from './cache-rules.ts';
import type { CostRules, WaitingConversation } from './decision.ts';
import { type FurtherCallsOptions, furtherCalls } from './further-calls.ts';
import { type ModelPrice, priceOf } from './prices.ts';

interface CostRulesOptions extends Pick<FurtherCallsOptions, 'agent' | 'callsMade' | 'exceptRepository'> {
  readonly model: string;
  /** The longest lifetime that the conversation's requests asked for; default: that of the model's cache. */
  readonly lifetimeMs?: number | undefined;
  readonly thresholdTokens?: number | undefined;
  /** Milliseconds since 1970; default: the day of the price table. */
  readonly atMs?: number | undefined;
}

/** The price where every write is kept for an hour. */
function hourPrice(price: ModelPrice): ModelPrice {
  const { base, tiers } = price;
  const hour = { ...price, base: { ...base, write: base.writeHour } };
  if (tiers === undefined) return hour;
  return { ...hour, tiers: tiers.map((tier) => ({ ...tier, rates: { ...tier.rates, write: tier.rates.writeHour } })) };
}

/** How long a prefix is kept if no request asked for more; of a model without a price, as long as it may be kept. */
export function defaultLifetimeMs(model: string): number {
  const { lifetimeMs, longestMs } = cacheRuleOf(model);
  return priceOf(model).match === 'unknown' ? longestMs : lifetimeMs;
}

/** True if the provider has surely lost the prefix: none was sent, or it was not used for its lifetime. `idleMs`: see `WaitingConversation`. */
export const isCacheCold = (
  { sentEntries, idleMs = 0 }: Pick<WaitingConversation, 'sentEntries' | 'idleMs'>,
  lifetimeMs: number,
): boolean => sentEntries === 0 || idleMs >= lifetimeMs;

/** What `decide` needs to know about a model, from the tables of prices, cache rules and recorded sessions. */
export function costRules(options: CostRulesOptions): CostRules {
  const { model, agent, callsMade, exceptRepository, thresholdTokens, atMs } = options;
  const cache = cacheRuleOf(model);
  const price = priceOf(model, atMs);
  const lifetimeMs = options.lifetimeMs ?? defaultLifetimeMs(model);
  return {
    model,
    price: lifetimeMs >= HOUR_MS ? hourPrice(price) : price,
    cache,
    lifetimeMs,
    // What a further call saves is not known without a price; only this one is less, or the window.
    furtherCalls:
      price.match === 'unknown'
        ? { calls: 0, source: 'no price is known' }
        : furtherCalls({ agent, callsMade, lifetimeMs, exceptRepository }),
    ...(thresholdTokens !== undefined && { thresholdTokens }),
  };
}
