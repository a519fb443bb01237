import { cacheRuleOf } from './cache-rules.ts';
import type { CostRules } from './decision.ts';
import { type FurtherCallsOptions, furtherCalls } from './further-calls.ts';
import { priceOf } from './prices.ts';

interface CostRulesOptions extends Pick<FurtherCallsOptions, 'agent' | 'callsMade' | 'exceptRepository'> {
  readonly model: string;
  /** The longest lifetime that the conversation's requests asked for; default: that of the model's cache. */
  readonly lifetimeMs?: number | undefined;
  readonly thresholdTokens?: number | undefined;
  /** Milliseconds since 1970; default: the day of the price table. */
  readonly atMs?: number | undefined;
}

/** What `decide` needs to know about a model, from the tables of prices, cache rules and recorded sessions. */
export function costRules({ model, thresholdTokens, atMs, ...options }: CostRulesOptions): CostRules {
  const cache = cacheRuleOf(model);
  const lifetimeMs = options.lifetimeMs ?? cache.lifetimeMs;
  return {
    price: priceOf(model, atMs),
    cache,
    lifetimeMs,
    furtherCalls: furtherCalls({ ...options, lifetimeMs }),
    ...(thresholdTokens !== undefined && { thresholdTokens }),
  };
}
