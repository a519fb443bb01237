import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { billWith, NO_BILL } from '../../src/economics/bill.ts';
import { priceOf } from '../../src/economics/prices.ts';
import { type CacheFacts, PromptCache } from '../../src/economics/prompt-cache.ts';
import { ai, human } from '../strategies/conversation.ts';

const MINUTE_MS = 60_000;
const FIVE_MINUTES: CacheFacts = { lifetimeMs: 5 * MINUTE_MS, leastTokens: 1024, stepTokens: 1 };
const HOUR: CacheFacts = { ...FIVE_MINUTES, lifetimeMs: 60 * MINUTE_MS };
const A = human('a');
const B = ai('b');
const C = human('c');
const D = human('d');

const cacheOf = (constantTokens = 2000) => {
  const cache = new PromptCache({
    tokensOf: () => 100,
    thinkingTokensOf: (entry) => (entry === C ? 7 : 0),
    constantTokens,
  });
  return {
    /** The bill of one call. */
    call: (entries: readonly IContent[], atMs: number | undefined) => {
      const facts = { price: priceOf('claude-sonnet-4-5-20250929'), cache: FIVE_MINUTES, outputTokens: 0 };
      const { outputTokens: _, dollars: __, ...intake } = billWith(NO_BILL, cache.call(entries, atMs), facts);
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
  const billOf = (model: string, cache: CacheFacts, { outputTokens = 0, scale = 1 } = {}) => {
    const promptTokens = 90_000 * scale;
    const sharedTokens = 60_000 * scale;
    const prompt = { promptTokens, sharedTokens, idleMs: 0, rebilledTokens: 0, unboundThinkingTokens: 0 };
    return billWith(NO_BILL, prompt, { price: priceOf(model), cache, outputTokens });
  };

  test('uses the prices of the model; an hour is more expensive if writing has a price', () => {
    const bill = billOf('claude-sonnet-4-5-20250929', FIVE_MINUTES, { outputTokens: 1000 });
    expect(bill).toMatchObject({
      promptTokens: 90_000,
      cachedTokens: 60_000,
      writtenTokens: 30_000,
      outputTokens: 1000,
    });
    expect(bill.dollars).toBeCloseTo(0.06 * 0.3 + 0.03 * 3.75 + 0.001 * 15);
    expect(billOf('claude-sonnet-4-5-20250929', HOUR).dollars).toBeCloseTo(0.06 * 0.3 + 0.03 * 6);
    expect(billOf('gpt-5.1-codex', HOUR).dollars).toBeCloseTo(0.06 * 0.125 + 0.03 * 1.25);
  });

  test('doubles above the limit of a price tier', () => {
    expect(billOf('claude-sonnet-4-5', FIVE_MINUTES, { scale: 3 }).dollars).toBeCloseTo(0.18 * 0.6 + 0.09 * 7.5);
  });

  test('reads whole steps only', () => {
    const steps = billOf('gpt-5.1-codex', { ...FIVE_MINUTES, stepTokens: 128 });
    expect(steps.cachedTokens).toBe(59_904);
  });
});
