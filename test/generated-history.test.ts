import fc from 'fast-check';
import { expect, test } from 'vitest';
import { orphanResponses, pairCalls, unansweredCalls } from '../src/content/calls/pairing.ts';
import { featureShares, generatedHistory, type Pairs } from './generated-history.ts';

test.each(['intact', 'broken'] satisfies Pairs[])('at least a tenth of %s histories has each feature', (pairs) => {
  const histories = fc.sample(generatedHistory(pairs), { numRuns: 1000, seed: 236 });
  const shares = featureShares(histories, pairs);
  console.log(
    `Generated histories (${pairs} pairs), share with each feature: ` +
      Object.entries(shares)
        .map(([feature, share]) => `${feature} ${Math.round(share * 100)}%`)
        .join(', '),
  );
  for (const [feature, share] of Object.entries(shares)) expect(share, feature).toBeGreaterThanOrEqual(0.1);
});

test('intact histories have one response per call', () => {
  fc.assert(
    fc.property(generatedHistory('intact'), (history) => {
      const pairing = pairCalls(history);
      expect(unansweredCalls(pairing)).toEqual([]);
      expect(orphanResponses(pairing)).toEqual([]);
      expect(pairing.responses).toHaveLength(pairing.calls.length);
    }),
  );
});
