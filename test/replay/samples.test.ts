import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Samples } from '../../src/replay/samples.ts';
import { StallProbe } from '../../src/replay/stall-probe.ts';
import { UsageComparison } from '../../src/replay/usage-error.ts';

describe('samples', () => {
  test('are read by rank, whatever their order', () => {
    const samples = new Samples();
    for (const value of [9, 1, 5, 3, 7]) samples.add(value);
    expect([samples.percentile(0.5), samples.percentile(0.99), samples.max(), samples.percentile(0)]).toEqual([
      5, 9, 9, 1,
    ]);
    samples.add(11);
    expect(samples.max()).toBe(11);
  });

  test('of which there are none are 0', () => {
    expect(new Samples().percentile(0.5)).toBe(0);
  });
});

describe('the stall probe', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('reports by how much its timer was late at worst, once for each stretch', () => {
    let now = 0;
    const probe = new StallProbe(() => now);
    probe.resume();
    now = 5;
    vi.advanceTimersByTime(5);
    now = 40;
    vi.advanceTimersByTime(5);
    now = 45;
    vi.advanceTimersByTime(5);
    probe.pause();
    expect(probe.stallMs.max()).toBe(30);
    probe.resume();
    now = 47;
    probe.pause();
    expect([probe.stallMs.count, probe.stallMs.percentile(0)]).toEqual([2, 0]);
  });

  test('sees a block that ends with the stretch, before its timer could fire', () => {
    let now = 0;
    const probe = new StallProbe(() => now);
    probe.resume();
    now = 105;
    probe.pause();
    expect(probe.stallMs.max()).toBe(100);
  });

  test('leaves no timer running', () => {
    const probe = new StallProbe(() => 0);
    probe.resume();
    probe.pause();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the comparison with reported usage', () => {
  const usage = (promptTokens: number) => ({ promptTokens, completionTokens: 1, totalTokens: promptTokens + 1 });

  test('is of the growth from call to call, so that what is not recorded cancels out', () => {
    const comparison = new UsageComparison();
    comparison.addCall(usage(10_000), 1_000);
    comparison.addCall(usage(11_000), 2_100);
    comparison.addCall(usage(12_000), 3_100);
    comparison.addCall(usage(13_000), 3_900);
    expect(comparison.result()).toEqual({ total: expect.closeTo(-100 / 3_000), median: 0.1, p90: 0.2, calls: 3 });
  });

  test('leaves out calls without usage, small growth and what lies across a rebuilt history', () => {
    const comparison = new UsageComparison();
    comparison.addCall(usage(10_000), 1_000);
    comparison.addCall(undefined, 1_500);
    comparison.addCall(usage(10_010), 1_600);
    comparison.forget();
    comparison.addCall(usage(500), 100);
    expect(comparison.result()).toBeUndefined();
  });
});
