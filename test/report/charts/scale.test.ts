import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callTicks, curvePoints, largestValues, positionOf, roundTicks } from '../../../src/report/charts/scale.ts';

const series = fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 500 });

describe('an axis', () => {
  test('has round values', () => {
    expect(roundTicks(92_000, 5)).toEqual([0, 20_000, 40_000, 60_000, 80_000]);
    expect(roundTicks(150, 5)).toEqual([0, 50, 100, 150]);
    expect(roundTicks(0, 5)).toEqual([0]);
  });

  test('has at most the requested number of values for any top', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 1e9, noNaN: true }), fc.integer({ min: 3, max: 8 }), (top, count) => {
        const ticks = roundTicks(top, count);
        expect(ticks.length).toBeLessThanOrEqual(count + 1);
        expect(ticks.length).toBeGreaterThan(1);
        expect(Math.max(...ticks)).toBeLessThanOrEqual(top * (1 + 1e-9));
      }),
    );
  });

  test('spans the first to the last call', () => {
    expect([positionOf(1, 150), positionOf(150, 150), positionOf(1, 1)]).toEqual([0, 1, 0.5]);
  });
});

describe('the axis of calls', () => {
  test('names whole calls in between, none close to the first or last', () => {
    expect([150, 6, 3, 2, 1, 0].map(callTicks)).toEqual([[50, 100], [2, 4], [2], [], [], []]);
    fc.assert(
      fc.property(fc.nat(100_000), (turns) => {
        const ticks = callTicks(turns);
        expect(ticks.length).toBeLessThanOrEqual(5);
        for (const turn of ticks) expect(Number.isInteger(turn) && turn > 1 && turn < turns).toBe(true);
      }),
    );
  });
});

describe('a curve of many calls', () => {
  test('keeps its ends, its peak and its lowest point, in order', () => {
    fc.assert(
      fc.property(series, fc.integer({ min: 1, max: 40 }), (values, stretches) => {
        const points = curvePoints(values, stretches);
        expect(points.length).toBeLessThanOrEqual(stretches * 4);
        const drawn = points.map(({ value }) => value);
        expect([drawn[0], drawn.at(-1)]).toEqual([values[0], values.at(-1)]);
        expect([Math.max(...drawn), Math.min(...drawn)]).toEqual([Math.max(...values), Math.min(...values)]);
        const places = points.map(({ x }) => x);
        expect(places).toEqual([...places].sort((one, other) => one - other));
      }),
    );
  });

  test('of bars keeps the highest bars', () => {
    fc.assert(
      fc.property(series, fc.integer({ min: 1, max: 40 }), (values, stretches) => {
        const bars = largestValues(values, stretches);
        expect(bars).toHaveLength(Math.min(values.length, stretches));
        expect(Math.max(...bars)).toBe(Math.max(...values));
      }),
    );
  });
});
