import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../src/durations.ts';
import { priceOf } from '../../../src/economics/prices.ts';
import { PauseLengths, RECORDED_PAUSES } from '../../../src/economics/warm/pause-lengths.ts';
import { type PausedCall, warmWorth } from '../../../src/economics/warm/warm-worth.ts';

const NOTHING = { cachedTokens: 0, writtenTokens: 0, writtenHourTokens: 0, uncachedTokens: 0, outputTokens: 0 };
const call: PausedCall = {
  idleMs: 0,
  tokens: { ...NOTHING, writtenTokens: 200_000 },
  price: priceOf('claude-opus-5-5'),
  lifetimeMs: 5 * MINUTE_MS,
  expiredTokens: 0,
  wait: 'toolWait',
};
const late: PausedCall = {
  ...call,
  idleMs: 7 * MINUTE_MS,
  tokens: { ...NOTHING, writtenTokens: 201_000 },
  expiredTokens: 200_000,
};
/** A conversation whose bill allows pings. */
const long = Array.from({ length: 20 }, () => call);
const worth = (calls: readonly PausedCall[]) => warmWorth(calls, new PauseLengths(RECORDED_PAUSES));

describe('warmWorth', () => {
  it('reads what expired in a tool wait, for one ping', () => {
    const { pings, pingDollars, savedDollars } = worth([...long, late]);
    expect(pings).toBe(1);
    expect(pingDollars).toBeCloseTo(0.04);
    expect(savedDollars).toBeCloseTo(200_000 * 4.8e-6);
  });

  it('sends none in short pauses, and none where the time is not known', () => {
    for (const idleMs of [0, 4 * MINUTE_MS, undefined])
      expect(worth([...long, { ...late, idleMs }])).toMatchObject({ pings: 0, pingDollars: 0, savedDollars: 0 });
  });

  it('saves nothing where the call would have written it anyway', () => {
    expect(worth([...long, { ...late, expiredTokens: 0 }])).toMatchObject({ pings: 1, savedDollars: 0 });
  });

  it('says what pings cost if nobody comes back', () => {
    const { leftOpenDollars } = worth(long);
    expect(leftOpenDollars).toBeGreaterThan(0);
    expect(leftOpenDollars).toBeLessThan(0.03 * 21);
  });
});
