import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import { REPLACES_EARLIER, seenFrom } from '../../../src/content/seen-from.ts';
import { claudeCode as vocabulary } from '../../../src/content/vocabularies/claude-code.ts';
import { HighDensityStrategy } from '../../../src/strategies/high-density/high-density.ts';
import { optimizePlainly } from '../../../src/strategies/high-density/optimize-plainly.ts';
import { runs } from '../../property-runs.ts';
import { workHistory } from './changing-history.ts';

const SUMMARY: IContent = {
  speaker: 'ai',
  blocks: [{ type: 'code', language: 'json', code: '{}', providerMetadata: { [REPLACES_EARLIER]: true } }],
};
const config = { readWritePruning: true, fileDedupe: true, recencyPruning: true, recencyRetention: 2 };

test('the rules change nothing that a provider does not show its model, and name none of it, whatever the history was before', () => {
  let hidden = 0;
  fc.assert(
    fc.property(
      workHistory(vocabulary),
      fc.array(fc.tuple(fc.nat(60), fc.nat(60)), { minLength: 1 }),
      (work, steps) => {
        const strategy = new HighDensityStrategy({ vocabulary });
        for (const [end, at] of steps) {
          const history = work.slice(0, end).toSpliced(at, at % 3 === 0 ? 0 : 1, ...(at % 3 === 0 ? [] : [SUMMARY]));
          const found = strategy.optimize(history, config);
          expect(found).toEqual(optimizePlainly(history, config, { vocabulary }));
          const from = seenFrom(history);
          hidden += from;
          const alone = optimizePlainly(history.slice(from), config, { vocabulary });
          expect(found.edits!.map(({ entry, block }) => [entry - from, block])).toEqual(
            alone.edits!.map(({ entry, block }) => [entry, block]),
          );
        }
      },
    ),
    { numRuns: runs(100) },
  );
  expect(hidden).toBeGreaterThan(0);
});
