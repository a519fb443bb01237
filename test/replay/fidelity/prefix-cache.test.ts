import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import { billed, EMPTY_BILL, intakeOf, PrefixCache } from '../../../src/replay/fidelity/prefix-cache.ts';
import { pricesOf } from '../../../src/replay/fidelity/prices.ts';
import { ai, human } from '../../strategies/conversation.ts';

const MINUTE_MS = 60_000;
const [A, B, C, D] = [human('a'), ai('b'), human('c'), human('d')] as [IContent, IContent, IContent, IContent];

const cacheOf = (constantTokens = 2000) => {
  const cache = new PrefixCache({
    tokensOf: () => 100,
    thinkingTokensOf: (entry) => (entry === C ? 7 : 0),
    constantTokens,
  });
  return {
    call: (entries: readonly IContent[], atMs: number | undefined) => intakeOf(cache.call(entries, atMs), '5m'),
  };
};

describe('the prefix cache', () => {
  test('reads what a call has in common with the one before, from the start on, and writes the rest', () => {
    const cache = cacheOf();
    expect(cache.call([A, B], 0)).toMatchObject({ promptTokens: 2200, cachedTokens: 0, writtenTokens: 2200 });
    expect(cache.call([A, B, C], MINUTE_MS)).toMatchObject({
      cachedTokens: 2200,
      writtenTokens: 100,
      rebilledTokens: 0,
    });
  });

  test('knows an array again that grew, and compares one that came in its place', () => {
    const cache = cacheOf();
    const entries = [A, B];
    cache.call(entries, 0);
    entries.push(C);
    expect(cache.call(entries, MINUTE_MS)).toMatchObject({ cachedTokens: 2200, writtenTokens: 100 });
    expect(cache.call([A, C], MINUTE_MS)).toMatchObject({
      cachedTokens: 2100,
      writtenTokens: 100,
      rebilledTokens: 100,
    });
  });

  test('bills what stands behind a change once more, and tells of thinking that is bound to it', () => {
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

  test('is cold after its lifetime, and a call without a time follows at once', () => {
    const cache = cacheOf();
    cache.call([A], 0);
    expect(cache.call([A, B], 5 * MINUTE_MS).cachedTokens).toBe(0);
    expect(cache.call([A, B, C], undefined).cachedTokens).toBe(2200);
  });

  test('does not keep a prompt that is too short', () => {
    const cache = cacheOf(500);
    cache.call([A], 0);
    expect(cache.call([A, B], 1).cachedTokens).toBe(0);
  });
});

describe('a bill', () => {
  const INTAKE = {
    promptTokens: 3e6,
    cachedTokens: 2e6,
    writtenTokens: 1e6,
    rebilledTokens: 0,
    unboundThinkingTokens: 0,
  };

  test('has the prices of the model, the hour dearer where writing has a price', () => {
    const sonnet = pricesOf('claude-sonnet-4-5-20250929');
    const bill = billed(EMPTY_BILL, INTAKE, { outputTokens: 1e6, prices: sonnet, lifetime: '5m' });
    expect(bill.dollars).toBeCloseTo(2 * 0.3 + 3.75 + 15);
    const hour = billed(EMPTY_BILL, INTAKE, { outputTokens: 1e6, prices: sonnet, lifetime: '1h' });
    expect(hour.dollars).toBeCloseTo(2 * 0.3 + 6 + 15);
    const automatic = billed(EMPTY_BILL, INTAKE, {
      outputTokens: 0,
      prices: pricesOf('gpt-5.2-codex'),
      lifetime: '1h',
    });
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
