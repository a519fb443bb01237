import { expect, test } from 'vitest';
import { UsageComparison, type UsageError } from '../../src/replay/usage-error.ts';

/** The errors over calls, each as the reported and the counted prompt; `undefined` is a rebuilt history. */
function errorsOf(...calls: readonly (readonly [reported: number, counted: number] | undefined)[]) {
  const comparison = new UsageComparison();
  for (const call of calls) {
    if (call === undefined) comparison.forget();
    else comparison.addCall({ promptTokens: call[0], completionTokens: 1, totalTokens: call[0] + 1 }, call[1]);
  }
  return comparison.result();
}
const rounded = (errors: UsageError | undefined) =>
  errors && {
    ...errors,
    total: Math.round(errors.total * 1000) / 1000,
    median: Math.round(errors.median * 1000) / 1000,
  };

test('errors of single calls that cancel out are none in total', () => {
  expect(errorsOf([1000, 0], [1100, 150], [1200, 200])).toEqual({ total: 0, median: 0.5, p90: 0.5, calls: 2 });
});

test('the total is below 0 if we count too few, and small growth is part of it', () => {
  expect(rounded(errorsOf([1000, 0], [1400, 300], [1440, 330]))).toEqual({
    total: -0.25,
    median: 0.25,
    p90: 0.25,
    calls: 1,
  });
});

test('growth across a rebuilt history and across an unrecorded removal is not compared', () => {
  const grown = [
    [1000, 0],
    [1100, 100],
  ] as const;
  expect(errorsOf(...grown, undefined, [500, 900])).toEqual({ total: 0, median: 0, p90: 0, calls: 1 });
  expect(errorsOf(...grown, [600, 150], [700, 250])).toEqual({ total: 0, median: 0, p90: 0, calls: 2 });
});

test('says nothing without two calls to compare', () => {
  expect(errorsOf([1000, 0])).toBeUndefined();
});
