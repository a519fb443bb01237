import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../src/durations.ts';
import { priceOf } from '../../../src/economics/prices.ts';
import { decidePing, type IdlePrompt, NO_PINGS } from '../../../src/economics/warm/keep-warm.ts';
import { PauseLengths, pauseTable, RECORDED_PAUSES } from '../../../src/economics/warm/pause-lengths.ts';
import { PlayedPings } from '../../../src/economics/warm/played-pings.ts';
import { runs } from '../../property-runs.ts';

const LIFETIME_MS = 5 * MINUTE_MS;

const idle: IdlePrompt = {
  wait: 'toolWait',
  idleMs: 4.5 * MINUTE_MS,
  lifetimeMs: LIFETIME_MS,
  cachedTokens: 100_000,
  price: priceOf('claude-opus-5-5'),
  coldGain: 0,
  account: { ...NO_PINGS, billDollars: 10 },
};
const decided = (change: Partial<IdlePrompt> = {}, lengths = new PauseLengths(RECORDED_PAUSES)) =>
  decidePing({ ...idle, ...change }, lengths);

describe('decidePing', () => {
  it('sends a ping where a call is likely to follow', () => {
    expect(decided()).toMatchObject({ isSent: true, cause: 'pays', costDollars: 0.02 });
    expect(decided({ wait: 'pause' })).toMatchObject({ isSent: true, cause: 'pays' });
  });

  it('sends none where too few calls would follow', () => {
    const never = new PauseLengths(pauseTable([{ wait: 'toolWait', idleMs: 11 * HOUR_MS }]));
    expect(decided({}, never)).toMatchObject({ isSent: false, cause: 'costs', share: 0 });
  });

  it('sends none where all pings may then have lost more than 3% of the bill', () => {
    const account = { billDollars: 1, pingDollars: 0.02, repaidDollars: 0 };
    expect(decided({ account })).toMatchObject({ isSent: false, cause: 'risk' });
    expect(decided({ account: { ...account, repaidDollars: 0.02 } })).toMatchObject({ isSent: true });
  });

  it('lets the cache expire where edits that wait gain more by it', () => {
    expect(decided({ coldGain: 10 })).toMatchObject({ isSent: false, cause: 'costs' });
  });

  it('pays more for the end of an hour than for that of five minutes', () => {
    const worth = (lifetimeMs: number, idleMs: number): number => {
      const { gainDollars, share } = decided({ wait: 'pause', lifetimeMs, idleMs });
      return gainDollars / share;
    };
    // 8 and 5 dollars to write, 0.2 to read.
    expect(worth(HOUR_MS, 57 * MINUTE_MS) / worth(LIFETIME_MS, 4.5 * MINUTE_MS)).toBeCloseTo(7.8 / 4.8);
  });
});

describe('PauseLengths', () => {
  const kinds = fc.constantFrom('toolWait' as const, 'pause' as const);
  const pauses = fc.array(fc.record({ wait: kinds, idleMs: fc.nat(48 * HOUR_MS) }));

  it('gives shares between none and all', () => {
    fc.assert(
      fc.property(pauses, pauses, kinds, fc.nat(24 * HOUR_MS), fc.nat(24 * HOUR_MS), (old, own, kind, from, more) => {
        const lengths = new PauseLengths(pauseTable(old));
        for (const pause of own) lengths.add(pause);
        const share = lengths.endingBetween(kind, from, from + more);
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(1);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('follows own pauses as they become many', () => {
    const lengths = new PauseLengths(RECORDED_PAUSES);
    const share = () => lengths.endingBetween('toolWait', 5 * MINUTE_MS, 10 * MINUTE_MS);
    const before = share();
    for (let count = 0; count < 1_000; count++) lengths.add({ wait: 'toolWait', idleMs: 11 * MINUTE_MS });
    expect(before).toBeGreaterThan(0.5);
    expect(share()).toBeLessThan(0.1);
  });
});

describe('PlayedPings', () => {
  it('never loses more than 3% of what a conversation was billed', () => {
    const call = fc.record({
      idleMs: fc.nat(3 * HOUR_MS),
      promptTokens: fc.integer({ min: 1, max: 900_000 }),
      isTool: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(call), (calls) => {
        const price = priceOf('claude-opus-5-5');
        const lengths = new PauseLengths(RECORDED_PAUSES);
        const pings = new PlayedPings(lengths);
        const isWithin = (): boolean => {
          const { pingDollars, repaidDollars, billDollars } = pings.account;
          return pingDollars - repaidDollars <= 0.03 * billDollars + 1e-9;
        };
        for (const { idleMs, promptTokens, isTool } of calls) {
          const left = pings.pause(idleMs);
          expect(isWithin()).toBe(true);
          const cachedTokens = left.idleMs < LIFETIME_MS ? promptTokens / 2 : 0;
          const writtenTokens = promptTokens - cachedTokens;
          const tokens = { cachedTokens, writtenTokens, writtenHourTokens: 0, uncachedTokens: 0, outputTokens: 0 };
          const dollars = (cachedTokens * 0.2 + writtenTokens * 5) / 1e6;
          const wait = isTool ? 'toolWait' : 'pause';
          pings.call({ tokens, dollars, price, lifetimeMs: LIFETIME_MS, wait });
        }
        pings.pause(Number.POSITIVE_INFINITY);
        expect(isWithin()).toBe(true);
      }),
      { numRuns: runs(1_000) },
    );
  });
});
