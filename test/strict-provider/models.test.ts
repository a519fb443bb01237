import { calcPrice, findProvider } from '@pydantic/genai-prices';
import { expect, test } from 'vitest';
import { OWN_PRICES } from '../../src/economics/models/own-prices.ts';
import { priceOf, ratesFor } from '../../src/economics/prices.ts';
import type { MeteredTokens } from '../../src/strict-provider/contract.ts';
import { billOf } from '../../src/strict-provider/meter.ts';
import { MODELS, rulesOfModel } from '../../src/strict-provider/models.ts';

const timestamp = new Date('2026-11-24');
const tokens: MeteredTokens = { uncached: 0, read: 0, written: 0, writtenForAnHour: 0, output: 0 };
/** Each kind of token alone, and prompts at and above the starts of tiers. */
const USAGES: readonly MeteredTokens[] = [
  { ...tokens, uncached: 90_000 },
  { ...tokens, read: 90_000 },
  { ...tokens, written: 90_000 },
  { ...tokens, writtenForAnHour: 90_000 },
  { ...tokens, uncached: 10, output: 9_000 },
  ...[100_000, 100_001, 200_000, 200_001, 271_999, 272_000, 272_001].map((read) => ({ ...tokens, read, output: 1 })),
];

/** Models that the data set lacks; see `OWN_PRICES`. */
const ownNames = OWN_PRICES.map(({ row }) => row.split(' | ')[1]!).filter((name) => rulesOfModel(name).rates);

const rowOf = (name: string): (typeof MODELS)[number] | undefined =>
  MODELS.find(({ pattern }) => pattern.test(name.toLowerCase()));

function publishedBill(providerId: string, model: string, usage: MeteredTokens): number | undefined {
  const { uncached, read, written, writtenForAnHour, output } = usage;
  return calcPrice(
    {
      input_tokens: uncached + read + written + writtenForAnHour,
      cache_read_tokens: read,
      cache_write_tokens: written + writtenForAnHour,
      cache_write_1h_tokens: writtenForAnHour,
      output_tokens: output,
    },
    model,
    { providerId, timestamp },
  )?.total_price;
}

test('every price is that of the data set, and every priced rule is checked', () => {
  const checked = new Set<unknown>();
  for (const vendor of ['anthropic', 'openai', 'google'])
    for (const { id } of findProvider({ providerId: vendor })?.models ?? []) {
      const rules = rowOf(id);
      // Google resells Claude at prices of its own.
      if (rules?.rates === undefined || (vendor === 'google' && id.startsWith('claude'))) continue;
      checked.add(rules);
      for (const usage of USAGES) {
        // OpenAI and Google sell no lifetime of an hour.
        if (usage.writtenForAnHour > 0 && vendor !== 'anthropic') continue;
        expect(billOf(id, usage), `${id} ${JSON.stringify(usage)}`).toBeCloseTo(publishedBill(vendor, id, usage)!, 9);
      }
    }
  for (const name of ownNames) {
    checked.add(rowOf(name));
    for (const usage of USAGES)
      expect(billOf(name, usage), `${name} ${JSON.stringify(usage)}`).toBeCloseTo(ownBill(name, usage), 9);
  }
  expect(MODELS.filter((rules) => rules.rates && !checked.has(rules)).map(({ pattern }) => pattern)).toEqual([]);
});

/** By our own rows for what the data set lacks. */
function ownBill(name: string, { uncached, read, written, writtenForAnHour, output }: MeteredTokens): number {
  const rates = ratesFor(priceOf(name, timestamp.getTime()), uncached + read + written + writtenForAnHour);
  const { input, cachedRead, write, writeHour } = rates;
  const dollars = uncached * input + read * cachedRead + written * write + writtenForAnHour * writeHour;
  return (dollars + output * rates.output) / 1e6;
}
