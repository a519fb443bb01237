import fc from 'fast-check';
import { expect, test } from 'vitest';
import { copyIn } from '../../src/guard/copy-in.ts';
import { HighDensityStrategy } from '../../src/strategies/high-density/high-density.ts';
import { GENERATED_WORKSPACE, generatedHistory } from '../generated-history.ts';

test('no call of a generated history writes a marker, pruned or not', () => {
  const rules = { repeatedLines: 4, passingTests: true, matchesByFile: true };
  const config = { readWritePruning: true, fileDedupe: true, recencyPruning: true, recencyRetention: 1, rules };
  fc.assert(
    fc.property(generatedHistory('intact'), (history) => {
      const found = new HighDensityStrategy().optimize(history, { ...config, workspaceRoot: GENERATED_WORKSPACE });
      const pruned = history.map((entry, at) => found.replacements.get(at) ?? entry);
      for (const block of history.flatMap(({ blocks }) => blocks))
        if (block.type === 'tool_call')
          expect([copyIn(block, history), copyIn(block, pruned)]).toEqual([undefined, undefined]);
    }),
  );
});
