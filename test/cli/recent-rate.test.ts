import { expect, test } from 'vitest';
import { RecentRate } from '../../src/cli/terminal/recent-rate.ts';

test('a rate counts what was done lately', () => {
  const rate = new RecentRate();
  rate.add(0, 0);
  expect(rate.at(100, 50)).toBeUndefined();
  rate.add(1_000, 500);
  expect(rate.at(2_000, 600)).toBe(300);
  for (let at = 2_000; at <= 40_000; at += 1_000) rate.add(at, 600 + at / 1_000);
  expect(rate.at(40_000, 640)).toBe(1);
  expect(rate.at(90_000, 640)).toBeUndefined();
});
