import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { learnFactor } from '../../src/tokens/learn-factor.ts';

describe('learnFactor', () => {
  test('moves by a fifth towards the reported ratio', () => {
    expect(learnFactor(1, { reportedTokens: 150, estimatedTokens: 100 })).toBeCloseTo(1.1);
    expect(learnFactor(1.1, { reportedTokens: 90, estimatedTokens: 100 })).toBeCloseTo(1.06);
  });

  test('moves by at most 0.15 and is between 0.5 and 2', () => {
    expect(learnFactor(1, { reportedTokens: 1e6, estimatedTokens: 1 })).toBe(1.15);
    expect(learnFactor(1.9, { reportedTokens: 10, estimatedTokens: 1 })).toBe(2);
    expect(learnFactor(0.55, { reportedTokens: 1, estimatedTokens: 1e9 })).toBe(0.5);
  });

  test('approaches a constant ratio', () => {
    let factor = 1;
    for (let report = 0; report < 40; report++)
      factor = learnFactor(factor, { reportedTokens: 127, estimatedTokens: 100 });
    expect(factor).toBeCloseTo(1.27, 3);
  });

  test('does not change for a report without tokens, and is always within its bounds', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.5, max: 2, noNaN: true }),
        fc.double(),
        fc.double(),
        (factor, reported, estimated) => {
          const next = learnFactor(factor, { reportedTokens: reported, estimatedTokens: estimated });
          expect(next).toBeGreaterThanOrEqual(0.5);
          expect(next).toBeLessThanOrEqual(2);
          if (!(reported > 0 && estimated > 0)) expect(next).toBe(factor);
        },
      ),
    );
  });
});
