import { expect, test } from 'vitest';
import { leastEvents, upperBound } from '../../../src/lab/tune/upper-bound.ts';

test.each([
  [0, 10, 0.3085],
  [1, 10, 0.445],
  [5, 20, 0.491],
  [0, 368, 0.00998],
])('%i of %i is below the published bound of Clopper and Pearson', (found, all, bound) => {
  expect(upperBound(found, all)).toBeCloseTo(bound, 3);
});

test('is 1 where everything or nothing at all was seen', () => {
  expect([upperBound(3, 3), upperBound(0, 0)]).toEqual([1, 1]);
});

test.each([0.5, 0.1, 0.01, 0.005])('the least number of events for %f is just enough', (ratio) => {
  const events = leastEvents(ratio);
  expect(upperBound(0, events)).toBeLessThanOrEqual(ratio + 1e-12);
  expect(upperBound(0, events - 1)).toBeGreaterThan(ratio);
});
