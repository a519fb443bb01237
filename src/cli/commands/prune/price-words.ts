import { MINUTE_MS } from '../../../durations.ts';
import type { CostRules } from '../../../economics/decision.ts';
import { counted } from '../../../report/figures.ts';

/** `list prices of claude-opus-4-5, cache writes for 1 hour`: the lifetime where the price of a write depends on it. */
export function priceWords({ price, cache, lifetimeMs }: Pick<CostRules, 'price' | 'cache' | 'lifetimeMs'>): string {
  const prices = `list prices of ${price.model}`;
  if (cache.marks === undefined) return prices;
  const minutes = lifetimeMs / MINUTE_MS;
  const time = minutes < 60 ? counted(minutes, 'minute') : counted(minutes / 60, 'hour');
  return `${prices}, cache writes for ${time}`;
}
