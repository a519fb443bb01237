import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { Billing } from '../../src/economics/bill.ts';
import { pricesOf } from '../../src/economics/prices.ts';
import { type CacheLifetime, PromptCache } from '../../src/economics/prompt-cache.ts';
import { ai, human } from '../strategies/conversation.ts';

const MINUTE_MS = 60_000;
const [A, B, C, D] = [human('a'), ai('b'), human('c'), human('d')] as [IContent, IContent, IContent, IContent];

const cacheOf = (constantTokens = 2000) => {
  const cache = new PromptCache({
    tokensOf: () => 100,
    thinkingTokensOf: (entry) => (entry === C ? 7 : 0),
    constantTokens,
  });
  return {
    /** The bill of one call. */
    call: (entries: readonly IContent[], atMs: number | undefined) => {
      const billing = new Billing(pricesOf('claude-sonnet-4-5-20250929'), '5m');
      billing.add(cache.call(entries, atMs), 0);
      const { outputTokens: _, dollars: __, ...intake } = billing.bill;
      return intake;
    },
  };
};

describe('the prompt cache', () => {
  test('reads the prefix that a call shares with the previous one, and writes the rest', () => {
    const cache = cacheOf();
    expect(cache.call([A, B], 0)).toMatchObject({ promptTokens: 2200, cachedTokens: 0, writtenTokens: 2200 });
    expect(cache.call([A, B, C], MINUTE_MS)).toMatchObject({
      promptTokens: 2300,
      cachedTokens: 2200,
      writtenTokens: 100,
      rebilledTokens: 0,
    });
  });

  test('recognises an array that grew, and compares the entries of another array', () => {
    const cache = cacheOf();
    const entries = [A, B];
    cache.call(entries, 0);
    entries.push(C);
    expect(cache.call(entries, MINUTE_MS)).toMatchObject({ promptTokens: 2300, cachedTokens: 2200 });
    expect(cache.call([A, C], MINUTE_MS)).toMatchObject({
      promptTokens: 2200,
      cachedTokens: 2100,
      rebilledTokens: 100,
    });
  });

  test('bills text after a change again, and reports signed thinking in it', () => {
    const cache = cacheOf();
    cache.call([A, B, C], 0);
    expect(cache.call([A, C, D], MINUTE_MS)).toEqual({
      promptTokens: 2300,
      cachedTokens: 2100,
      writtenTokens: 200,
      rebilledTokens: 100,
      unboundThinkingTokens: 7,
    });
  });

  test('is empty after its lifetime, and a call without a time follows at once', () => {
    const cache = cacheOf();
    cache.call([A], 0);
    expect(cache.call([A, B], 5 * MINUTE_MS).cachedTokens).toBe(0);
    expect(cache.call([A, B, C], undefined).cachedTokens).toBe(2200);
  });

  test('does not keep a short prompt', () => {
    const cache = cacheOf(500);
    cache.call([A], 0);
    expect(cache.call([A, B], 1).cachedTokens).toBe(0);
  });
});

describe('a bill', () => {
  const billOf = (model: string, lifetime: CacheLifetime, outputTokens: number) => {
    const billing = new Billing(pricesOf(model), lifetime);
    const prompt = { promptTokens: 3e6, sharedTokens: 2e6, idleMs: 0, rebilledTokens: 0, unboundThinkingTokens: 0 };
    billing.add(prompt, outputTokens);
    return billing.bill;
  };

  test('uses the prices of the model; an hour is more expensive if writing has a price', () => {
    const bill = billOf('claude-sonnet-4-5-20250929', '5m', 1e6);
    expect(bill).toMatchObject({ promptTokens: 3e6, cachedTokens: 2e6, writtenTokens: 1e6, outputTokens: 1e6 });
    expect(bill.dollars).toBeCloseTo(2 * 0.3 + 3.75 + 15);
    expect(billOf('claude-sonnet-4-5-20250929', '1h', 1e6).dollars).toBeCloseTo(2 * 0.3 + 6 + 15);
    const automatic = billOf('gpt-5.2-codex', '1h', 0);
    expect(automatic.dollars).toBeCloseTo(2 * 0.125 + 1.25);
  });

  test.each([
    ['claude-opus-4-1-20250805', 15],
    ['anthropic/claude-opus-4.5', 5],
    ['claude-3-5-haiku-20241022', 0.8],
    ['gpt-5-mini', 0.25],
    ['gemini-2.5-flash', 0.3],
    ['somebody-else', 3],
  ])('%s costs %d dollars for a million tokens of input', (model, input) => {
    expect(pricesOf(model).input).toBe(input);
  });
});
