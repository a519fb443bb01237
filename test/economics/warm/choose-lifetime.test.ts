import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { priceOf } from '../../../src/economics/prices.ts';
import { chooseLifetime } from '../../../src/economics/warm/choose-lifetime.ts';
import { type EndedPause, pauseTable, RECORDED_PAUSES } from '../../../src/economics/warm/pause-lengths.ts';

const MINUTE_MS = 60_000;
const conversation = (idle: readonly number[], promptTokens = 150_000, model = 'claude-opus-5-5') => ({
  promptTokens,
  constantTokens: 20_000,
  idleMs: idle.map((minutes) => minutes * MINUTE_MS),
  price: priceOf(model),
});
/** So many calls, the last ones after pauses of so many minutes. */
const calls = (count: number, ...last: number[]): number[] => [
  ...Array<number>(count - last.length).fill(0.2),
  ...last,
];
const choose = (...given: Parameters<typeof conversation>) => chooseLifetime(conversation(...given), RECORDED_PAUSES);

describe('the lifetime that is chosen', () => {
  test('is an hour after pauses between five minutes and an hour, and five minutes without them', () => {
    expect(choose(calls(100, 10, 20, 30, 15, 40))).toBe('1h');
    expect(choose(calls(100))).toBe('5m');
    expect(choose(calls(100, 10))).toBe('5m');
  });

  test('counts no pause that is shorter than five minutes, or as long as an hour', () => {
    expect(choose(calls(100, 4.9, 4.9, 4.9, 4.9, 4.9))).toBe('5m');
    expect(choose(calls(100, 60, 90, 120, 600, 60))).toBe('5m');
  });

  test('is five minutes for a prompt that is short, at its start, or has no price', () => {
    expect(choose(calls(20, 10, 20, 30, 15, 40), 79_000)).toBe('5m');
    expect(choose([], 500_000)).toBe('5m');
    expect(choose(calls(100, 10, 20, 30, 15, 40), 150_000, 'a-model-of-nobody')).toBe('5m');
  });

  test('follows the pauses that were recorded, where the conversation says little', () => {
    const pauses = (minutes: number): EndedPause[] =>
      Array.from({ length: 100 }, () => ({ wait: 'pause', idleMs: minutes * MINUTE_MS }));
    const given = conversation(calls(10, 1), 100_000);
    expect(chooseLifetime(given, pauseTable(pauses(30)))).toBe('1h');
    expect(chooseLifetime(given, pauseTable(pauses(1)))).toBe('5m');
    expect(chooseLifetime(given, pauseTable([]))).toBe('5m');
  });

  test('stays an hour if one more pause that an hour bridges is added', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 200, noNaN: true })),
        fc.integer({ min: 80_000, max: 900_000 }),
        (idle, tokens) => {
          fc.pre(choose([...idle, 0.1], tokens) === '1h');
          expect(choose([...idle, 30], tokens)).toBe('1h');
        },
      ),
    );
  });
});
