import { afterEach, beforeEach, vi } from 'vitest';

/** No time passes in the tests of a file, unless they advance it: no deadline comes because the machine is busy. */
export function stillClock(): void {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());
}
