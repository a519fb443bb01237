import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Deadline } from '../../src/offload/deadline.ts';

describe('a deadline of 100 ms', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('is missed by what is not over in time, counted from its own beginning', () => {
    const deadline = new Deadline();
    deadline.begin(100, () => expect.unreachable('it was over in time'));
    vi.advanceTimersByTime(60);
    deadline.end();
    const missed = vi.fn();
    deadline.begin(100, missed);
    vi.advanceTimersByTime(99);
    expect(missed).not.toHaveBeenCalled();
    vi.advanceTimersByTime(2);
    expect(missed).toHaveBeenCalledOnce();
  });

  test('hears first what has arrived while the thread was held', () => {
    const deadline = new Deadline();
    const missed = vi.fn();
    deadline.begin(100, missed);
    vi.advanceTimersByTime(99);
    // The timer is due; its answer arrives in the same turn of the event loop.
    vi.advanceTimersToNextTimer();
    deadline.end();
    vi.advanceTimersByTime(1_000);
    expect(missed).not.toHaveBeenCalled();
  });

  test('may be shorter than the one before', () => {
    const deadline = new Deadline();
    deadline.begin(10_000, () => expect.unreachable('it was over in time'));
    deadline.end();
    const missed = vi.fn();
    deadline.begin(100, missed);
    vi.advanceTimersByTime(101);
    expect(missed).toHaveBeenCalledOnce();
  });

  test('leaves no timer behind once nothing runs', () => {
    const deadline = new Deadline();
    deadline.begin(100, () => {});
    deadline.end();
    vi.advanceTimersByTime(200);
    expect(vi.getTimerCount()).toBe(0);
  });
});
