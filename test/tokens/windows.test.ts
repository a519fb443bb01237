import { expect, test } from 'vitest';
import { OWN_PRICES } from '../../src/economics/models/own-prices.ts';
import { PRICE_TABLE } from '../../src/economics/price-table.ts';
import { contextLimitOfModel } from '../../src/tokens/models.ts';

/** Where our window is another one than that of the data set, and why. */
const OURS: readonly { readonly models: RegExp; readonly why: string }[] = [
  {
    models: /^gpt-[5-9]/,
    why: 'the data set counts prompt and answer together; ours is the longest prompt that Codex records',
  },
  { models: /^gpt-4(\.1|-32k)/, why: 'rounded in the data set' },
  {
    models: /^gemini-(1\.5|[2-9]|flash|pro)/,
    why: 'rounded in the data set, or old names of models that are switched off',
  },
  { models: /^gemini-1\.0/, why: 'switched off' },
  {
    models: /^deepseek-(chat|reasoner|r1|v3)/,
    why: 'rounded in the data set, or of versions that the names no longer mean',
  },
  { models: /^claude-2$/, why: 'the data set has that of 2.1' },
];

test('the window of every priced model is that of the price data set, or ours with a reason', () => {
  const seen = new Set<string>();
  const differing = [] as string[];
  let compared = 0;
  for (const line of [...PRICE_TABLE.split('\n'), ...OWN_PRICES.map(({ row }) => row)]) {
    const [, model = '', window = '-', , names = ''] = line.split('|').map((part) => part.trim());
    if (model === '') continue;
    for (const name of [model, ...names.split(' ').filter(Boolean)].map((one) => one.replace(/\*$/, ''))) {
      // The data set has none for Gemini Pro and some old models: there the window is ours alone.
      if (window === '-') continue;
      compared++;
      if (contextLimitOfModel(name) === Number(window)) continue;
      const reason = OURS.find(({ models }) => models.test(name));
      if (reason === undefined) differing.push(`${name}: ${window} in the data set, ${contextLimitOfModel(name)} here`);
      else seen.add(reason.why);
    }
  }
  expect(differing).toEqual([]);
  expect(compared).toBeGreaterThan(200);
  expect([...seen].sort()).toEqual(OURS.map(({ why }) => why).sort());
});

test.each([
  ['gemini-2.5-pro', 1_048_576],
  ['gemini-3.1-pro-preview', 1_048_576],
  ['claude-sonnet-4-5-20250929[1m]', 1_000_000],
  ['a-model-that-nobody-knows', 200_000],
])('a model without a window in the data set has ours: %s', (model, window) => {
  expect(contextLimitOfModel(model)).toBe(window);
});
