import { describe, expect, test } from 'vitest';
import { BackOff } from '../../src/threads/back-off.ts';

describe('the pause after failures', () => {
  test('begins with the second in a row, doubles up to a minute and ends with a success', () => {
    let now = 0;
    const backOff = new BackOff(() => now);
    const rest = (): number => {
      const from = now;
      while (backOff.isResting) now += 500;
      return now - from;
    };
    backOff.noteFailure();
    expect(backOff.isResting).toBe(false);
    const rests = Array.from({ length: 8 }, () => {
      backOff.noteFailure();
      return rest();
    });
    expect(rests).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    backOff.noteSuccess();
    backOff.noteFailure();
    expect(backOff.isResting).toBe(false);
  });
});
