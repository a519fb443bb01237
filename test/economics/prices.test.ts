import { describe, expect, test } from 'vitest';
import { callDollars } from '../../src/economics/bill.ts';
import { cacheRuleOf } from '../../src/economics/cache-rules.ts';
import { costRules } from '../../src/economics/cost-rules.ts';
import { canonicalModel } from '../../src/economics/model-name.ts';
import { MODEL_PRICES, setGivenModels } from '../../src/economics/models/given-models.ts';
import { leastCachedTokens } from '../../src/economics/models/least-cached-tokens.ts';
import { missingPriceLine } from '../../src/economics/models/missing-price.ts';
import { OWN_PRICES } from '../../src/economics/models/own-prices.ts';
import { PRICE_TABLE } from '../../src/economics/price-table.ts';
import { PRICES_AS_OF, priceOf, ratesFor } from '../../src/economics/prices.ts';
import { rulesOfModel } from '../../src/strict-provider/models.ts';

const day = (date: string): number => Date.parse(date);

describe('the name of a model', () => {
  test.each([
    ['us.anthropic.claude-opus-4-5-20251101-v1:0', 'claude-opus-4-5'],
    ['anthropic/claude-opus-4.5', 'claude-opus-4-5'],
    ['claude-4.5-opus', 'claude-opus-4-5'],
    ['openrouter/anthropic/claude-sonnet-4.5:thinking', 'claude-sonnet-4-5'],
    ['litellm_proxy/claude-sonnet-4-20250514', 'claude-sonnet-4'],
    ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5'],
    ['claude-opus-4-6[1m]', 'claude-opus-4-6'],
    ['openai/gpt-5-2025-08-07', 'gpt-5'],
    ['Gemini-3.1-Pro-Preview', 'gemini-3-1-pro'],
  ])('%s is %s', (name, canonical) => {
    expect(canonicalModel(name)).toBe(canonical);
  });
});

describe('prices', () => {
  test.each([
    ['claude-opus-5-5', 'exact', 'claude-opus-5-5', [4, 0.2, 5, 8, 20]],
    ['us.anthropic.claude-opus-4-5-20251101-v1:0', 'exact', 'claude-opus-4-5', [5, 0.5, 6.25, 10, 25]],
    ['claude-fable-5-1', 'exact', 'claude-fable-5-1', [10, 0.25, 12.5, 20, 50]],
    ['claude-sonnet-5-5', 'exact', 'claude-sonnet-5-5', [2, 0.1, 2.5, 4, 10]],
    ['claude-haiku-5-5', 'exact', 'claude-haiku-5-5', [0.1, 0.01, 0.125, 0.2, 0.5]],
    ['sonnet', 'guess', 'claude-sonnet-5-5', [2, 0.1, 2.5, 4, 10]],
    ['openai/gpt-5', 'exact', 'gpt-5', [1.25, 0.125, 1.25, 1.25, 10]],
    ['gpt-5.6-sol', 'exact', 'gpt-5.6-sol', [4, 0.4, 5, 5, 20]],
    ['gemini-3.1-pro-preview-customtools', 'exact', 'gemini-3.1-pro-preview', [2, 0.2, 2, 2, 12]],
    // The data set has a row for a snapshot or a preview beside that of the model.
    ['gemini-2.5-flash', 'exact', 'gemini-2.5-flash', [0.3, 0.03, 0.3, 0.3, 2.5]],
    ['openai/gpt-4o', 'exact', 'gpt-4o', [2.5, 1.25, 2.5, 2.5, 10]],
    ['gpt-4o-2024-05-13', 'exact', 'gpt-4o-2024-05-13', [5, 5, 5, 5, 15]],
    ['gemini-2.5-pro-preview-05-06', 'exact', 'gemini-2.5-pro', [1.25, 0.125, 1.25, 1.25, 10]],
    ['claude-4.5-sonnet-thinking', 'exact', 'claude-sonnet-4-5', [3, 0.3, 3.75, 6, 15]],
    ['claude-fable-5-2', 'exact', 'claude-fable-5-2', [8, 0.2, 10, 16, 40]],
    ['gpt-6.1-sol', 'exact', 'gpt-6.1-sol', [2, 0.1, 2.5, 2.5, 10]],
    ['gpt-6.2-astra', 'exact', 'gpt-6.2-astra', [8, 0.4, 10, 10, 40]],
    ['gemini-4-argon', 'exact', 'gemini-4-argon', [2, 0.1, 2, 2, 10]],
    ['gemini-4-neon', 'exact', 'gemini-4-neon', [3, 0.15, 3, 3, 15]],
    ['grok-4.7', 'exact', 'grok-4.7', [2, 0.5, 2, 2, 6]],
    ['x-ai/grok-4.5', 'exact', 'grok-4.5', [2, 0.5, 2, 2, 6]],
    ['anthropic/claude-opus-4.8-fast', 'exact', 'claude-opus-4-8-fast', [10, 1, 12.5, 20, 50]],
    ['moonshotai/kimi-k2-instruct', 'exact', 'kimi-k2-instruct', [0.6, 0.15, 0.6, 0.6, 2.5]],
    ['qwen3.8-max', 'exact', 'qwen3.8-max', [2, 0.4, 2, 2, 6]],
    ['kimi-k3.1-pro', 'exact', 'kimi-k3.1-pro', [2, 0.2, 2, 4, 10]],
    ['minimax/minimax-m3.1-flash', 'exact', 'MiniMax-M3.1-Flash', [0.15, 0.015, 0.15, 0.15, 0.6]],
    ['gpt-6.2-sol', 'exact', 'gpt-6.2-sol', [2, 0.1, 2.5, 5, 10]],
    ['zai/glm-5', 'exact', 'GLM-5', [1, 0.2, 1, 1, 3.2]],
    ['deepseek-flash', 'exact', 'deepseek-flash', [0.15, 0.003, 0.15, 0.15, 0.6]],
    ['litellm_proxy/deepseek-chat', 'exact', 'deepseek-chat', [0.135, 0.035, 0.135, 0.135, 0.55]],
    // A later version of a model has its own price, which is not known.
    ['gpt-5.9', 'unknown', 'claude-sonnet-4-5', [3, 0.3, 3.75, 6, 15]],
    ['claude-opus-4-9', 'unknown', 'claude-sonnet-4-5', [3, 0.3, 3.75, 6, 15]],
    ['somebody-else', 'unknown', 'claude-sonnet-4-5', [3, 0.3, 3.75, 6, 15]],
    // No vendor has this name: its models are deepseek-flash and deepseek-v4-pro.
    ['deepseek-v4', 'unknown', 'claude-sonnet-4-5', [3, 0.3, 3.75, 6, 15]],
  ])('of %s: %s, %s', (name, match, model, rates) => {
    const price = priceOf(name);
    const { input, cachedRead, write, writeHour, output } = price.base;
    expect([price.match, price.model]).toEqual([match, model]);
    expect([input, cachedRead, write, writeHour, output]).toEqual(rates);
  });

  // The start of a name is not the name: https://github.com/pydantic/genai-prices has `claude-sonnet-5*` and the like.
  test.each([
    'claude-sonnet-5-7',
    'claude-opus-4-12',
    'claude-opus-5-5-fast',
    'gemini-3.6-flash-lite',
    'gpt-5.3-codex-spark',
    'gpt-6-sol-mini',
    'gpt-6.2',
    'deepseek-v4-flash-free',
    'deepseek/deepseek-r1:free',
  ])('of %s, which the table does not have, are not those of a model whose name starts so', (name) => {
    expect(priceOf(name).match).toBe('unknown');
  });

  test('of every model are those of its own row', () => {
    for (const line of [...PRICE_TABLE.split('\n'), ...OWN_PRICES.map(({ row }) => row)]) {
      const [, model = ''] = line.split('|').map((part) => part.trim());
      if (model !== '') expect(priceOf(model), model).toMatchObject({ model, match: 'exact' });
    }
  });

  test('that the data set lacks have a source, the day on which it was read, and the day from which they hold', () => {
    for (const { row, source, readOn } of OWN_PRICES) {
      expect(source).toMatch(
        /^https:\/\/(?:platform\.claude|developers\.openai|ai\.google|api-docs\.deepseek|docs\.z|docs\.x)\.|^https:\/\/(?:docs\.apiyi|vercel)\.com\/|^https:\/\/github\.com\/anomalyco\/models\.dev\//,
      );
      expect(day(readOn)).toBeGreaterThan(day('2026-11-21'));
      expect(row.split(' | ').length).toBeOneOf([4, 5]);
    }
  });

  test('that are announced hold from their day on', () => {
    const argon = (date: string): number => priceOf('gemini-4-argon', Date.parse(date)).base.cachedRead;
    expect([argon('2026-11-30T23:59:59Z'), argon('2026-12-01T00:00:00Z')]).toEqual([0.1, 0.2]);
  });

  test('that a user gives are used in this process and its threads, and only for a model of that name', () => {
    try {
      setGivenModels({ modelPrices: 'my-model 2/0.2/2.5/10, claude-opus-5 1/0.1/1.25/5' });
      const { input, cachedRead, write, output } = priceOf('proxy/my-model').base;
      expect([input, cachedRead, write, output]).toEqual([2, 0.2, 2.5, 10]);
      expect(priceOf('my-model-2').match).toBe('unknown');
      expect(priceOf('claude-opus-5')).toMatchObject({ vendor: 'anthropic', base: { input: 1 } });
    } finally {
      setGivenModels({});
    }
    expect(priceOf('my-model').match).toBe('unknown');
    expect(priceOf('claude-opus-5').base.input).toBe(5);
  });

  test.each(['my-model 2/0.2/2.5/10', ' a 1/1/1/1 , b/c[1m] 0.5/0.05/0.5/2 '])('%j is a list of prices', (text) => {
    expect(text).toMatch(MODEL_PRICES);
  });

  test.each(['', 'my-model', 'my-model 2', 'my-model 2/0.2/2.5', 'a 1/1/1/-1', 'a 1/1/1/1,', 'a | b 1/1/1/1'])(
    '%j is none',
    (text) => {
      expect(text).not.toMatch(MODEL_PRICES);
    },
  );

  test('are those of the day of the call', () => {
    expect(priceOf('claude-sonnet-5-5', day('2026-10-06')).base.cachedRead).toBe(0.2);
    expect(priceOf('claude-sonnet-5-5', day('2026-10-07')).base.cachedRead).toBe(0.1);
    expect(priceOf('claude-sonnet-4-6', day('2026-03-12')).tiers?.[0]?.aboveTokens).toBe(200_000);
    expect(priceOf('claude-sonnet-4-6', day('2026-03-13')).tiers).toBeUndefined();
    expect(priceOf('gemini-3.6-flash', day('2027-01-01')).base.input).toBe(1.5);
    expect(priceOf('gemini-3.6-flash').base.input).toBe(0.75);
  });

  test('of a whole call are those of its tier', () => {
    const sonnet = priceOf('claude-sonnet-4-5');
    expect(ratesFor(sonnet, 200_000).input).toBe(3);
    expect(ratesFor(sonnet, 200_001)).toEqual({ input: 6, cachedRead: 0.6, write: 7.5, writeHour: 12, output: 22.5 });
    // OpenAI: from 272,000 tokens on.
    expect(ratesFor(priceOf('gpt-5.5'), 271_999).input).toBe(5);
    expect(ratesFor(priceOf('gpt-5.5'), 272_000).input).toBe(10);
  });

  test('of a model with several tiers are those of the last limit that the prompt is above', () => {
    const coder = priceOf('qwen3-coder-plus');
    const inputs = [32_000, 32_001, 128_000, 128_001, 256_001].map((tokens) => ratesFor(coder, tokens).input);
    expect(inputs).toEqual([1, 1.8, 1.8, 3, 6]);
    expect(ratesFor(coder, 500_000)).toEqual({ input: 6, cachedRead: 1.2, write: 6, writeHour: 6, output: 60 });
  });

  test('a table that is older than two months says so', () => {
    const days = Math.floor((Date.now() - day(PRICES_AS_OF)) / 86_400_000);
    if (days > 60) console.warn(`The prices are of ${PRICES_AS_OF}, ${days} days ago: look them up again.`);
    expect(OWN_PRICES.every(({ readOn }) => day(readOn) <= day(PRICES_AS_OF))).toBe(true);
  });

  test(`the table is newer than the prices of 2025 (${PRICES_AS_OF})`, () => {
    expect(day(PRICES_AS_OF)).toBeGreaterThan(day('2026-11-01'));
  });
});

describe('a call costs', () => {
  const call = { cachedTokens: 0, writtenTokens: 0, writtenHourTokens: 0, uncachedTokens: 0, outputTokens: 0 };

  test.each([
    // 100,000 × 0.50 + 10,000 × 6.25 + 500 × 25, per million
    ['claude-opus-4-5', { cachedTokens: 100_000, writtenTokens: 10_000, outputTokens: 500 }, 0.125],
    // 100,000 × 0.50 + 10,000 × 10
    ['claude-opus-4-5', { cachedTokens: 100_000, writtenHourTokens: 10_000 }, 0.15],
    // above 200,000: 200,000 × 0.60 + 10,000 × 7.50 + 1,000 × 22.50
    ['claude-sonnet-4-5', { cachedTokens: 200_000, writtenTokens: 10_000, outputTokens: 1000 }, 0.2175],
    // writes are free at GPT-5.5: 100,000 × 0.50 + 10,000 × 5
    ['gpt-5.5', { cachedTokens: 100_000, writtenTokens: 10_000 }, 0.1],
    // and charged at GPT-5.6: 100,000 × 0.40 + 10,000 × 5
    ['gpt-5.6-sol', { cachedTokens: 100_000, writtenTokens: 10_000 }, 0.09],
    // 250,000 × 0.40 + 10,000 × 4
    ['gemini-3.1-pro-preview', { cachedTokens: 250_000, uncachedTokens: 10_000 }, 0.14],
  ])('%s', (model, tokens, dollars) => {
    expect(callDollars(priceOf(model), { ...call, ...tokens })).toBeCloseTo(dollars, 10);
  });
});

test('each cache rule has its source, and thinking is bound where the vendor says so', () => {
  const bound = [
    'claude-fable-5-1',
    'claude-mythos-5-2',
    'claude-opus-5-5',
    'claude-sonnet-5.5',
    'anthropic/claude-haiku-5.5',
  ];
  for (const model of bound) expect(cacheRuleOf(model).bindsThinking, model).toBe(true);
  for (const model of ['claude-opus-5', 'claude-fable-5', 'gpt-5.6', 'gemini-3.1-pro-preview', 'gemini-4-argon'])
    expect(cacheRuleOf(model).bindsThinking, model).toBe(false);
  expect(cacheRuleOf('gpt-5.6-sol')).toMatchObject({ lifetimeMs: 30 * 60_000, stepTokens: 128, leastTokens: 1024 });
  expect(cacheRuleOf('claude-opus-4-5-20251101')).toMatchObject({ leastTokens: 4096, marks: { most: 4 } });
  expect(cacheRuleOf('kimi-k2.5').source).toBe('assumed');
});

test.each([
  ['claude-opus-5', 512],
  ['claude-fable-5-1', 512],
  ['claude-opus-4-8', 1024],
  ['claude-opus-4-7', 2048],
  ['claude-opus-4-6', 4096],
  ['claude-haiku-4-5-20251001', 4096],
  ['claude-3-5-haiku-20241022', 2048],
  ['claude-sonnet-4-6', 1024],
  ['gemini-4-argon', 4096],
  ['gemini-3-flash-preview', 4096],
  ['gemini-2.5-pro', 2048],
  ['gpt-5.5', 1024],
])(
  'the shortest prompt of %s that is cached has %i tokens, for the decision and the strict provider',
  (model, tokens) => {
    expect(leastCachedTokens(model)).toBe(tokens);
    expect(cacheRuleOf(model).leastTokens).toBe(tokens);
    expect(rulesOfModel(model).cache.leastTokens).toBe(tokens);
  },
);

describe('a model without a price', () => {
  test('binds its thinking, also if the user gives a price, until the user says otherwise', () => {
    for (const model of ['gpt-9', 'claude-opus-7', 'somebody-else'])
      expect(cacheRuleOf(model).bindsThinking, model).toBe(true);
    try {
      setGivenModels({ modelPrices: 'gpt-9 2/0.2/2.5/10' });
      expect(cacheRuleOf('gpt-9').bindsThinking).toBe(true);
      setGivenModels({ unboundThinking: 'gpt-9, somebody-else' });
      expect(cacheRuleOf('gpt-9').bindsThinking).toBe(false);
      expect(cacheRuleOf('claude-opus-7').bindsThinking).toBe(true);
    } finally {
      setGivenModels({});
    }
  });

  test('keeps its cache as long as any vendor may', () => {
    expect(costRules({ model: 'somebody-else', callsMade: 1 }).lifetimeMs).toBe(24 * 60 * 60_000);
    expect(costRules({ model: 'kimi-k2.5', callsMade: 1 }).lifetimeMs).toBe(5 * 60_000);
    expect(costRules({ model: 'somebody-else', callsMade: 1, lifetimeMs: 60_000 }).lifetimeMs).toBe(60_000);
  });

  test('is named in one line, with what follows and where to give its price', () => {
    expect(missingPriceLine([])).toBeUndefined();
    expect(missingPriceLine(['gpt-9', 'gpt-9', 'unknown', '\u001B]0;x\u0007'])).toBe(
      'No price is known of gpt-9, sessions that name no model, a model with an odd name: no dollars are shown of it, and nothing that its cache may have is changed. Give one in the setting `model-prices`, in dollars per million tokens of input, cached read, cache write and output: "my-model 3/0.3/3.75/15".',
    );
  });
});
