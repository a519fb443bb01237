import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { change, share } from '../../src/report/comparison-report.ts';
import { dollars, fullness, percent } from '../../src/report/figures.ts';

describe('figures for a person', () => {
  test('a part of a whole is never below 0% and never above 100%', () => {
    expect([percent(8967, 100), percent(-3, 100), percent(5, 0), percent(0, 0), percent(Number.NaN, 3)]).toEqual([
      '100%',
      '0%',
      '0%',
      '0%',
      '0%',
    ]);
    const number = fc.oneof(fc.double(), fc.integer());
    fc.assert(
      fc.property(number, number, (part, whole) => {
        const shown = percent(part, whole);
        expect(shown).toMatch(/^(?:<1|\d{1,2}|100)%$/);
      }),
    );
  });

  test('a window can be more than full', () => {
    expect([fullness(250, 200), fullness(1, 200_000), fullness(-1, 200)]).toEqual(['125%', '<1%', '0%']);
  });

  test('nothing has a sign that is shown as zero', () => {
    expect([dollars(-0.0001), dollars(-1e-17), dollars(-0), dollars(-1.5), dollars(-0.05)]).toEqual([
      '$0.00',
      '$0.00',
      '$0.00',
      '−$1.50',
      '−$0.050',
    ]);
    expect([share(-0.0001), share(0.123), share(-0.034), change(-0.0001)]).toEqual(['0.0%', '12.3%', '−3.4%', '0.0%']);
  });
});
