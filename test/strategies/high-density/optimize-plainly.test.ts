import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockTexts } from '../../../src/content/block-text.ts';
import type { IContent } from '../../../src/content/content.ts';
import type { DensityResult } from '../../../src/strategies/contract.ts';
import { HighDensityStrategy } from '../../../src/strategies/high-density/high-density.ts';
import { optimizePlainly } from '../../../src/strategies/high-density/optimize-plainly.ts';
import { ALL_RULES } from '../../../src/strategies/high-density/rules/index.ts';
import { countEdits } from '../../../src/strategies/reasons/edit-counts.ts';
import type { EditRule } from '../../../src/strategies/reasons/edit-reason.ts';
import { applied } from '../../contracts/strategy.ts';
import { runsForRare } from '../../property-runs.ts';
import { anyChange, anyConfig, anyVocabulary, type Change, workHistory } from './changing-history.ts';

/** Generated histories; each is seen several times while it changes. */
const RUNS = Number(process.env['GENERATED_HISTORIES'] ?? runsForRare(2000));

const PLAYED_ELSEWHERE: ReadonlySet<EditRule> = new Set([
  'removedTarget',
  'oldReport',
  'unusedSkill',
  'oldThinking',
  'unboundThinking',
]);

/** `rest`: the entries that have not been added yet. */
function changed(
  history: readonly IContent[],
  change: Change,
  { last, rest }: { last: DensityResult; rest: IContent[] },
): readonly IContent[] {
  switch (change.kind) {
    case 'grow':
      return [...history, ...rest.splice(0, change.count)];
    case 'send':
      return [...applied(history, last), ...rest.splice(0, change.count)];
    case 'append':
      return [...history, ...change.entries];
    case 'other':
      return change.entries;
    case 'insert':
      return history.toSpliced(change.at % (history.length + 1), 0, ...change.entries);
    case 'remove':
      return history.filter((_, at) => at !== change.at % history.length);
    case 'repeat':
      return history.flatMap((entry, at) => (at === change.at % history.length ? [entry, entry] : [entry]));
    case 'cut':
      return history.slice(0, change.at % (history.length + 1));
    case 'shorten':
      return history.slice(change.at % (history.length + 1));
    case 'apply':
      return applied(history, last);
    case 'same':
      return history;
  }
}

/** Lines that a note says stand above, and that no entry shows after these edits. */
function lostRepeats(history: readonly IContent[], result: DensityResult): string[] {
  // Of a result that was shaped first, the lines are those of its form.
  const isShaped = (entry: number, block: number): boolean =>
    result.edits!.some((edit) => edit.entry === entry && edit.block === block && edit.reason.rule === 'shaped');
  const own = result.edits!.flatMap(({ entry, block, reason }) => {
    if (isShaped(entry, block)) return [];
    const raw = history[entry]!.blocks[block];
    if (reason.rule !== 'repeatedLines' || raw?.type !== 'tool_response') return [];
    const lines = String(raw.result).split('\n');
    return reason.lines.flatMap(({ first, last }) => lines.slice(first - 1, last));
  });
  if (own.length === 0) return own;
  const shown = applied(history, result).flatMap(({ blocks }) => blocks.flatMap(blockTexts));
  // The number of a line may be another one there.
  const plain = own.map((line) => line.replace(/^\d+\t/, '').trim());
  return plain.filter((line) => !shown.some((text) => text.includes(line)));
}

const scenario = anyVocabulary.chain((vocabulary) =>
  fc.record({
    vocabulary: fc.constant(vocabulary),
    work: workHistory(vocabulary),
    start: fc.nat(40),
    changes: fc.array(anyChange(vocabulary), { maxLength: 8, size: 'max' }),
    configs: fc.array(anyConfig, { minLength: 1, maxLength: 2 }),
  }),
);

test('the incremental optimiser finds what the plain rules find, whatever became of the history since its last run', () => {
  const found = new Map<EditRule, number>();
  fc.assert(
    fc.property(scenario, ({ vocabulary, work, start, changes, configs }) => {
      const incremental = new HighDensityStrategy({ vocabulary });
      let history: readonly IContent[] = work.slice(0, start);
      const rest = work.slice(start);
      let at = 0;
      for (const change of [{ kind: 'same' } as const, ...changes]) {
        const config = configs[Math.floor(at++ / 3) % configs.length]!;
        history = changed(history, change, { last: optimizePlainly(history, config, { vocabulary }), rest });
        const plain = optimizePlainly(history, config, { vocabulary });
        const fast = incremental.optimize(history, config);
        if (!isDeepStrictEqual(fast, plain)) expect(fast).toEqual(plain);
        expect(countEdits(plain.edits!)).toEqual(plain.metadata);
        expect(lostRepeats(history, plain)).toEqual([]);
        for (const rule of new Set(plain.edits!.map(({ reason }) => reason.rule))) {
          found.set(rule, (found.get(rule) ?? 0) + 1);
        }
      }
    }),
    { numRuns: RUNS },
  );
  // Targets are removed after many sends, and generated users say little: removed-targets.test.ts and agent-texts.test.ts play those, and compare both optimisers too.
  const rules = ALL_RULES.flatMap(({ reasons }) => Object.keys(reasons) as EditRule[]);
  for (const rule of rules.filter((name) => !PLAYED_ELSEWHERE.has(name)))
    expect(found.get(rule), rule).toBeGreaterThan(RUNS / 25);
});
