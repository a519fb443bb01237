import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ContentBlock, IContent } from '../../../src/content/content.ts';
import { PRUNED_RESULT } from '../../../src/content/pruned-result.ts';
import { claudeCode } from '../../../src/content/vocabularies/claude-code.ts';
import type { DensityConfig, DensityEdit, DensityResult, DensityRules } from '../../../src/strategies/contract.ts';
import { HighDensityStrategy } from '../../../src/strategies/high-density/high-density.ts';
import { countEdits } from '../../../src/strategies/reasons/edit-counts.ts';
import { SPECIFIED_RULES } from '../../../src/strategies/settings/rule-settings.ts';
import { GENERATED_WORKSPACE, generatedHistory } from '../../generated-history.ts';
import { runs } from '../../property-runs.ts';
import { ALL_OFF, ai, call, exchange, human, text, tool } from '../conversation.ts';
import { generatedRules } from './generated-rules.ts';

const FILE = '/repo/a.ts';
const LINES = ['first line of it', 'second line of it', 'third line of it', 'fourth line of it', 'fifth line of it'];
const read = (id: string, lines = LINES, more = {}): IContent[] =>
  exchange(id, 'Read', { file_path: FILE, ...more }, { result: lines.join('\n') });
const write = (id: string, more = {}): IContent[] =>
  exchange(id, 'Write', { file_path: FILE, content: 'other text of it' }, more);
const place = (entry: number, callId: string, block = 0) => ({ entry, block, callId });

function editsOf(
  parts: readonly (IContent | IContent[])[],
  rules: Partial<DensityRules> = {},
  config: Partial<DensityConfig> = { readWritePruning: true },
): readonly DensityEdit[] {
  const strategy = new HighDensityStrategy({ vocabulary: claudeCode });
  return strategy.optimize(parts.flat(), { ...ALL_OFF, ...config, rules: { ...SPECIFIED_RULES, ...rules } }).edits!;
}

describe('the reason of a stale read', () => {
  test('is the first write after the read, for its call, its result and what belongs to it', () => {
    const reason = { rule: 'staleRead', read: place(2, 'r'), causes: [{ file: FILE, call: place(4, 'w2') }] };
    expect(editsOf([write('w1'), read('r'), write('w2'), write('w3')])).toEqual([
      { entry: 2, block: 0, kind: 'remove', reason },
      { entry: 3, block: 0, kind: 'remove', reason },
    ]);
  });

  test('is no write that failed, none in the same entry, and one for each file', () => {
    const same = ai(call('r', 'Read', FILE), call('w0', 'Write', { file_path: FILE, content: 'x' }));
    const result = tool({ type: 'tool_response', callId: 'r', toolName: 'Read', result: 'text of the file' });
    const edits = editsOf([same, result, write('w1', { error: 'no space' }), write('w2')]);
    expect(edits[0]?.reason).toMatchObject({ causes: [{ call: place(4, 'w2') }] });
    const history = [
      ...exchange('m', 'read_many_files', { paths: ['a.ts', 'b.ts'] }),
      ...exchange('wb', 'write_file', 'b.ts'),
      ...exchange('wa', 'write_file', 'a.ts'),
    ];
    const { edits: both } = new HighDensityStrategy().optimize(history, { ...ALL_OFF, readWritePruning: true });
    expect(both![0]?.reason).toMatchObject({
      causes: [
        { file: '/repo/a.ts', call: place(4, 'wa') },
        { file: '/repo/b.ts', call: place(2, 'wb') },
      ],
    });
  });

  test('is given for blank text that would be all that is left of its entry', () => {
    const calls = ai(text('\n'), call('r', 'Read', FILE));
    const result = tool({ type: 'tool_response', callId: 'r', toolName: 'Read', result: 'text' });
    const edits = editsOf([calls, result, write('w')]);
    expect(edits.map(({ entry, block, reason }) => [entry, block, reason.rule])).toEqual([
      [0, 0, 'staleRead'],
      [0, 1, 'staleRead'],
      [1, 0, 'staleRead'],
    ]);
    expect(countEdits(edits).readWritePairsPruned).toBe(1);
  });
});

describe('the reason of a superseded read', () => {
  const rules = { supersededReads: true };

  test('is the later read, though the file was written before the first one', () => {
    const edits = editsOf([write('w'), read('r1'), read('r2')], rules);
    const reason = { rule: 'supersededRead', read: place(2, 'r1'), causes: [{ file: FILE, call: place(4, 'r2') }] };
    expect(edits.map(({ reason: given }) => given)).toEqual([reason, reason]);
  });

  test('is the call from which on all its lines were shown again', () => {
    const parts = [
      read('r1'),
      read('r2', LINES.slice(0, 2), { limit: 2 }),
      read('r3', LINES.slice(2), { offset: 2 }),
      read('r4', LINES.slice(2), { offset: 2, limit: 9 }),
    ];
    const causes = editsOf(parts, rules).map(({ reason }) => reason);
    expect(causes[0]).toMatchObject({ read: place(0, 'r1'), causes: [{ call: place(6, 'r4') }] });
  });

  test('is the next read that asked for just the same, where lines changed', () => {
    const changed = [...LINES.slice(0, 4), 'another line of it'];
    const edits = editsOf([read('r1'), read('r2', changed), read('p', LINES.slice(0, 1), { limit: 1 })], rules);
    expect(edits[0]?.reason).toMatchObject({ read: place(0, 'r1'), causes: [{ call: place(2, 'r2') }] });
  });
});

describe('the reason of lines that are cut', () => {
  test('names them from 1 on, and the calls that changed or show them', () => {
    const edit = exchange('e', 'Edit', { file_path: FILE, old_string: LINES[1], new_string: 'a new line of it' });
    const edits = editsOf([read('r1', ['start of it', ...LINES]), edit, read('r2', [LINES[0]!, ...LINES.slice(2)])], {
      partialEdits: 'keep-lines',
    });
    const causes = [place(2, 'e'), place(4, 'r2')].map((where) => ({ file: FILE, call: where }));
    const reason = { rule: 'changedLines', read: place(0, 'r1'), lines: [{ first: 2, last: 6 }], causes };
    expect(edits).toEqual([{ entry: 1, block: 0, kind: 'replace', reason }]);
  });
});

test('the reason of an inclusion is the file, where it was and where it is again', () => {
  const first = '--- a.ts ---\nold\n--- End of content ---';
  const edits = editsOf(
    [human('see'), human(first), human('--- ./a.ts ---\nnew\n--- End of content ---')],
    {},
    {
      fileDedupe: true,
    },
  );
  const inclusion = { entry: 1, start: { block: 0, offset: 0 }, end: { block: 0, offset: first.length } };
  const reason = { rule: 'repeatedInclusion', file: FILE, path: 'a.ts', inclusion, again: { entry: 2, block: 0 } };
  expect(edits).toEqual([{ entry: 1, block: 0, kind: 'replace', reason }]);
});

test('the reason of an old result is how many of its tool are kept', () => {
  const searches = [1, 2, 3].map((id) => exchange(`${id}`, 'Grep', {}));
  const edits = editsOf(searches, {}, { recencyPruning: true, recencyRetention: 2 });
  const reason = { rule: 'recency', tool: 'Grep', retention: 2 };
  expect(edits).toEqual([{ entry: 1, block: 0, kind: 'replace', reason }]);
});

test('the reason of a carried result is the least number of model calls it was sent with, the same at each run', () => {
  const long = 'a line of output that is long enough\n'.repeat(20);
  const history = [...exchange('b', 'Bash', { command: 'npm test' }, { result: long })];
  const strategy = new HighDensityStrategy({ vocabulary: claudeCode });
  const config = { ...ALL_OFF, rules: { ...SPECIFIED_RULES, resultCalls: 3 } };
  const sent: unknown[] = [];
  for (let answer = 1; answer <= 5; answer++) {
    history.push(ai(`answer ${answer}`));
    sent.push(strategy.optimize(history, config).edits!.map(({ reason }) => reason));
  }
  const reason = { rule: 'carriedResult', call: place(0, 'b'), files: [] };
  expect(sent).toEqual([
    [],
    [],
    [{ ...reason, leastSentCalls: 3 }],
    [{ ...reason, leastSentCalls: 3 }],
    [{ ...reason, leastSentCalls: 3 }],
  ]);
});

/** The blocks of each entry that edits leave, with what `result` puts in place of replaced ones; nothing of an entry that is left empty. */
function appliedByEdits(history: readonly IContent[], { edits, replacements }: DensityResult): unknown[] {
  return history.flatMap(({ blocks }, entry) => {
    const own = edits!.filter((edit) => edit.entry === entry);
    const come = [...(replacements.get(entry)?.blocks ?? [])];
    const left = blocks.flatMap((block, at): ContentBlock[] => {
      const kind = own.findLast((edit) => edit.block === at)?.kind;
      if (kind === 'remove') return [];
      const next = own.length === 0 ? block : come.shift()!;
      expect(next === block).toBe(kind === undefined);
      return [next];
    });
    expect(come).toEqual([]);
    return left.length === 0 ? [] : [left];
  });
}

const anyRules = generatedRules({
  protectedTools: ['read_file', 'replace'],
  protectedPaths: ['README.md', 'src/parse.ts'],
});

test('edits are what removals and replacements are made of, in the order of the history, and counters count them', () => {
  fc.assert(
    fc.property(generatedHistory(), anyRules, fc.boolean(), (history, rules, recencyPruning) => {
      const phases = { readWritePruning: true, fileDedupe: true, recencyPruning, recencyRetention: 1 };
      const config = { ...phases, workspaceRoot: GENERATED_WORKSPACE, rules };
      const result = new HighDensityStrategy().optimize(history, config);
      const removed = new Set(result.removals);
      const left = history.flatMap((entry, at) =>
        removed.has(at) ? [] : [(result.replacements.get(at) ?? entry).blocks],
      );
      expect(appliedByEdits(history, result)).toEqual(left);
      expect(countEdits(result.edits!)).toEqual(result.metadata);
      const places = result.edits!.map(({ entry, block }) => entry * 1000 + block);
      expect(places).toEqual([...places].sort((one, other) => one - other));
      const pointers = result.edits!.filter(
        ({ reason }) => reason.rule === 'recency' || reason.rule === 'carriedResult',
      );
      for (const { entry } of pointers) {
        expect(
          result.replacements.get(entry)!.blocks.some((block) => 'result' in block && block.result === PRUNED_RESULT),
        ).toBe(true);
      }
    }),
    { numRuns: runs(500) },
  );
});
