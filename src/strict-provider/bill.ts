import type { MeteredTokens } from './contract.ts';
import { rulesOfModel } from './models.ts';

/**
 * The price of one request in US dollars; `undefined` without prices for the model. It reads what was metered and nothing
 * else, and shares no code with the decisions that it judges.
 */
export function billOf(
  model: string,
  { uncached, read, written, writtenForAnHour, output }: MeteredTokens,
): number | undefined {
  const { rates } = rulesOfModel(model);
  if (rates === undefined) return undefined;
  const { tier } = rates;
  const isAbove = tier !== undefined && uncached + read + written + writtenForAnHour > tier.above;
  const input =
    uncached * rates.input + read * rates.read + written * rates.write + writtenForAnHour * rates.writeForAnHour;
  return (input * (isAbove ? tier.input : 1) + output * rates.output * (isAbove ? tier.output : 1)) / 1e6;
}
