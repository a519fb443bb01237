import { describe, expect, test } from 'vitest';
import { callDollars } from '../../src/economics/bill.ts';
import { cacheRuleOf } from '../../src/economics/cache-rules.ts';
import { canonicalModel } from '../../src/economics/model-name.ts';
import { PRICE_TABLE } from '../../src/economics/price-table.ts';
import { PRICES_AS_OF, priceOf, ratesFor } from '../../src/economics/prices.ts';

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
    ['gpt-5.3-codex-spark', 'guess', 'gpt-5.3-codex', [1.75, 0.175, 1.75, 1.75, 14]],
    ['gemini-3.1-pro-preview-customtools', 'guess', 'gemini-3.1-pro-preview', [2, 0.2, 2, 2, 12]],
    ['litellm_proxy/deepseek-chat', 'exact', 'deepseek-chat', [0.135, 0.035, 0.135, 0.135, 0.55]],
    // A later version of a model has its own price, which is not known.
    ['gpt-5.9', 'unknown', 'claude-sonnet-4-5', [3, 0.3, 3.75, 6, 15]],
    ['claude-opus-4-9', 'unknown', 'claude-sonnet-4-5', [3, 0.3, 3.75, 6, 15]],
    ['somebody-else', 'unknown', 'claude-sonnet-4-5', [3, 0.3, 3.75, 6, 15]],
  ])('of %s: %s, %s', (name, match, model, rates) => {
    const price = priceOf(name);
    const { input, cachedRead, write, writeHour, output } = price.base;
    expect([price.match, price.model]).toEqual([match, model]);
    expect([input, cachedRead, write, writeHour, output]).toEqual(rates);
  });

  test('are those of the day of the call', () => {
    expect(priceOf('claude-sonnet-5-5', day('2026-10-06')).base.cachedRead).toBe(0.2);
    expect(priceOf('claude-sonnet-5-5', day('2026-10-07')).base.cachedRead).toBe(0.1);
    expect(priceOf('claude-sonnet-4-6', day('2026-03-12')).tier?.aboveTokens).toBe(200_000);
    expect(priceOf('claude-sonnet-4-6', day('2026-03-13')).tier).toBeUndefined();
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

  test('no model of the table has more than one tier at a time', () => {
    for (const line of PRICE_TABLE.split('\n')) expect(line).not.toMatch(/>[^;@]*; >/);
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
  const bound = ['claude-fable-5-1', 'claude-fable-5-2', 'claude-opus-5-5', 'sonnet-5.5', 'anthropic/claude-haiku-5.5'];
  expect(bound.map((model) => cacheRuleOf(model).bindsThinking)).toEqual([true, true, true, false, true]);
  for (const model of ['claude-opus-5', 'claude-fable-5', 'gpt-5.6', 'gemini-3.1-pro-preview', 'unknown'])
    expect(cacheRuleOf(model).bindsThinking).toBe(false);
  expect(cacheRuleOf('gpt-5.6-sol')).toMatchObject({ lifetimeMs: 30 * 60_000, stepTokens: 128, leastTokens: 1024 });
  expect(cacheRuleOf('claude-opus-4-5-20251101')).toMatchObject({ leastTokens: 4096, marks: { most: 4 } });
  expect(cacheRuleOf('kimi-k2.5').source).toBe('assumed');
});
