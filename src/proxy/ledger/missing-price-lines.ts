import { missingPriceLine } from '../../economics/models/missing-price.ts';
import { priceOf } from '../../economics/prices.ts';
import type { ProxiedCall } from '../contract.ts';

/** What to say of the models of a call without a price: the one that was asked for, by which pruning decides, and the one that answered, which is billed. */
export function missingPriceLines({ status, model, report }: ProxiedCall): readonly string[] {
  // A provider accepts only its own models, so no request can put an arbitrary name here.
  if (status >= 400) return [];
  const models = new Set([report?.model, model]);
  return [...models].flatMap((one) => (one && priceOf(one).match === 'unknown' ? missingPriceLine([one])! : []));
}
