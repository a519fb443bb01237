import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startDeadline } from '../../src/deadline.ts';

describe('a deadline of 100 ms', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('is missed by what is not over in time, counted from its own beginning', () => {
    const end = startDeadline(100, () => expect.unreachable('it was over in time'));
    vi.advanceTimersByTime(60);
    end();
    const missed = vi.fn();
    startDeadline(100, missed);
    vi.advanceTimersByTime(99);
    expect(missed).not.toHaveBeenCalled();
    vi.advanceTimersByTime(2);
    expect(missed).toHaveBeenCalledOnce();
  });

  test('takes first what has arrived while the thread was blocked', () => {
    const missed = vi.fn();
    const end = startDeadline(100, missed);
    vi.advanceTimersByTime(99);
    // The timer is due; its answer arrives in the same turn of the event loop.
    vi.advanceTimersToNextTimer();
    end();
    vi.advanceTimersByTime(1_000);
    expect(missed).not.toHaveBeenCalled();
  });

  test('may be shorter than the one before', () => {
    const end = startDeadline(10_000, () => expect.unreachable('it was over in time'));
    end();
    const missed = vi.fn();
    startDeadline(100, missed);
    vi.advanceTimersByTime(101);
    expect(missed).toHaveBeenCalledOnce();
  });

  test('leaves no timer once nothing runs', () => {
    startDeadline(100, () => {})();
    expect(vi.getTimerCount()).toBe(0);
  });
});
