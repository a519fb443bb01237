import type { BilledBeside } from '../content/content.ts';
import { factorOf, peakSurcharge } from './models/surcharges.ts';
import { type ModelPrice, PRICES_AS_OF, type Rates, type Surcharge } from './prices.ts';

/** Something that was billed, of which no price is known here. */
export interface UnpricedPart {
  readonly part: 'service' | 'region' | 'innerCalls' | 'serverTools';
  /** As the provider names it. */
  readonly name: string;
  readonly count: number;
}

/** How and when a call was served. */
type Served = Pick<BilledBeside, 'service' | 'region'> & {
  /** Milliseconds since 1970; undefined where it is not known: the hour is then not a peak hour. */
  readonly atMs?: number | undefined;
};

const multiplied = (rates: Rates, factor: number): Rates => ({
  input: rates.input * factor,
  cachedRead: rates.cachedRead * factor,
  write: rates.write * factor,
  writeHour: rates.writeHour * factor,
  output: rates.output * factor,
});

/** The price of a call that was served in this way, and what of it has no known price and counts as standard. */
export function servedPrice(
  price: ModelPrice,
  { service, region, atMs }: Served,
): { readonly price: ModelPrice; readonly unpriced: readonly UnpricedPart[] } {
  if (price.match === 'unknown') return { price, unpriced: [] };
  const surcharges: Surcharge[] = [];
  const unpriced: UnpricedPart[] = [];
  for (const [part, name] of [
    ['service', service],
    ['region', region],
  ] as const) {
    if (name === undefined) continue;
    const factor = factorOf(part, name, price.model, atMs ?? Date.parse(PRICES_AS_OF));
    if (factor === undefined) unpriced.push({ part, name, count: 1 });
    else surcharges.push({ part, factor });
  }
  const peak = atMs === undefined ? undefined : peakSurcharge(price.model, atMs);
  if (peak) surcharges.push(peak);
  if (surcharges.length === 0) return { price, unpriced };
  const { base, tiers } = price;
  const factor = surcharges.reduce((product, surcharge) => product * surcharge.factor, 1);
  const served = { ...price, base: multiplied(base, factor), surcharges };
  return {
    price: tiers
      ? { ...served, tiers: tiers.map((tier) => ({ ...tier, rates: multiplied(tier.rates, factor) })) }
      : served,
    unpriced,
  };
}
