import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../../src/content/content.ts';
import { PRUNED_RESULT } from '../../../../src/content/pruned-result.ts';
import { claudeCode } from '../../../../src/content/vocabularies/claude-code.ts';
import type { DensityConfig, DensityResult } from '../../../../src/strategies/contract.ts';
import { HighDensityStrategy } from '../../../../src/strategies/high-density/high-density.ts';
import { type DensityRules, SPECIFIED_RULES } from '../../../../src/strategies/settings/rule-settings.ts';
import { applied, brokenPairs } from '../../../contracts/strategy.ts';
import { generatedHistory } from '../../../generated-history.ts';
import { runs } from '../../../property-runs.ts';
import { ALL_OFF, ai, exchange, human } from '../../conversation.ts';
import { generatedRules } from '../generated-rules.ts';

const configOf = (rules: Partial<DensityRules>, config: Partial<DensityConfig> = {}): DensityConfig => ({
  ...ALL_OFF,
  readWritePruning: true,
  ...config,
  rules: { ...SPECIFIED_RULES, ...rules },
});

function keptReads(parts: readonly (IContent | IContent[])[], rules: Partial<DensityRules>, config = {}): string[] {
  const history = parts.flat();
  const strategy = new HighDensityStrategy({ vocabulary: claudeCode });
  const left = applied(history, strategy.optimize(history, configOf(rules, config)));
  return left.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.type === 'tool_call' && /Read|Bash/.test(block.name) ? [block.id] : [])),
  );
}

const FILE = 'first line of it\nsecond line of it\nthird line of it\n';
const read = (id: string, result = FILE, more = {}): IContent[] =>
  exchange(id, 'Read', { file_path: '/repo/a.ts', ...more }, { result });
const edit = (id: string, old_string: string, new_string: string, more = {}): IContent[] =>
  exchange(id, 'Edit', { file_path: '/repo/a.ts', old_string, new_string }, more);
const write = (id: string, content: string): IContent[] => exchange(id, 'Write', { file_path: '/repo/a.ts', content });
const quiet = (calls: number): IContent[] => Array.from({ length: calls }, (_, at) => ai(`thinking ${at}`));

describe('partial edits', () => {
  const rules = { partialEdits: 'keep-last' } as const;

  test('a read is kept while it is the last to show lines that are still in the file', () => {
    const parts = [read('r'), edit('e', 'second line of it', 'another line')];
    expect(keptReads(parts, {})).toEqual([]);
    expect(keptReads(parts, rules)).toEqual(['r']);
  });

  test('a read is removed once a later read shows every line still in the file, and not only some', () => {
    const changed = FILE.replace('second line of it', 'another line');
    const parts = [read('r1'), edit('e', 'second line of it', 'another line'), read('r2', changed)];
    expect(keptReads(parts, rules)).toEqual(['r2']);
    const shorter = [...parts.slice(0, 2), read('r2', 'first line of it\n')];
    expect(keptReads(shorter, rules)).toEqual(['r1', 'r2']);
  });

  test('a read is removed once the whole file was written', () => {
    expect(keptReads([read('r'), write('w', 'nothing of it')], rules)).toEqual([]);
    expect(keptReads([read('r'), write('w', 'x'), edit('e', 'x', 'y')], rules)).toEqual([]);
  });

  test('lines in what an edit put there are shown by the edit', () => {
    const parts = [read('r', 'first line of it\n'), edit('e', 'other text', 'first line of it\nmore of it')];
    expect(keptReads(parts, rules)).toEqual([]);
  });

  test('an edit that failed changes nothing', () => {
    expect(keptReads([read('r'), edit('e', FILE, 'x', { error: 'not found' })], rules)).toEqual(['r']);
  });

  test('with a quiet period only until the file was left alone for it', () => {
    const parts = [read('r'), edit('e', 'second line of it', 'another line')];
    expect(keptReads([...parts, quiet(2)], { ...rules, quietCalls: 3 })).toEqual(['r']);
    expect(keptReads([...parts, quiet(3)], { ...rules, quietCalls: 3 })).toEqual([]);
  });
});

describe('the quiet period', () => {
  const parts = [read('r'), edit('e', 'second line of it', 'another line')];

  test('a read waits until its file was left alone for so many model calls', () => {
    expect(keptReads([...parts, quiet(2)], { quietCalls: 3 })).toEqual(['r']);
    expect(keptReads([...parts, quiet(3)], { quietCalls: 3 })).toEqual([]);
  });

  test('every call that uses the file starts it again, a failed one too', () => {
    const touched = [...parts, quiet(2), edit('f', 'x', 'y', { error: 'not found' }), quiet(2)];
    expect(keptReads(touched, { quietCalls: 3 })).toEqual(['r']);
    expect(keptReads([...touched, quiet(1)], { quietCalls: 3 })).toEqual([]);
  });

  test('human and tool entries are no model calls', () => {
    expect(keptReads([...parts, human('a'), human('b'), human('c')], { quietCalls: 1 })).toEqual(['r']);
  });
});

describe('superseded reads', () => {
  const rules = { supersededReads: true };

  test('a read is removed when a later one of the same file shows all its lines', () => {
    expect(keptReads([read('r1'), read('r2')], {})).toEqual(['r1', 'r2']);
    expect(keptReads([read('r1'), read('r2')], rules)).toEqual(['r2']);
    expect(keptReads([read('part', 'second line of it', { offset: 2, limit: 1 }), read('all')], rules)).toEqual([
      'all',
    ]);
    expect(keptReads([read('all'), read('part', 'second line of it', { offset: 2, limit: 1 })], rules)).toEqual([
      'all',
      'part',
    ]);
  });

  test('the same request again takes its place though lines changed, but not a note that nothing did', () => {
    const parts = [read('r1'), read('r2', FILE.replace('third', 'changed'))];
    expect(keptReads(parts, rules)).toEqual(['r2']);
    expect(keptReads([read('r1'), read('r2', 'File unchanged since last read.')], rules)).toEqual(['r1', 'r2']);
  });

  test('an image is one line, and a removed result shows nothing', () => {
    const shot = (id: string, data: string): IContent[] => {
      const [call, result] = read(id, FILE, { limit: id });
      const picture = { type: 'media', mimeType: 'image/png', data, encoding: 'base64' } as const;
      return [call!, { ...result!, blocks: [...result!.blocks, picture] }];
    };
    expect(keptReads([shot('r1', 'AA'), shot('r2', 'BB')], rules)).toEqual(['r1', 'r2']);
    expect(keptReads([shot('r1', 'AA'), shot('r2', 'AA')], rules)).toEqual(['r2']);
    expect(keptReads([read('r1', PRUNED_RESULT), read('r2', PRUNED_RESULT)], rules)).toEqual(['r1', 'r2']);
  });

  test('works without the rule for reads that were written after', () => {
    const parts = [read('r1'), read('r2'), edit('e', 'second line of it', 'x')];
    expect(keptReads(parts, rules, { readWritePruning: false })).toEqual(['r1', 'r2']);
    expect(keptReads(parts.slice(0, 2), rules, { readWritePruning: false })).toEqual(['r2']);
  });
});

describe('shell writes', () => {
  test('a program that changes a file makes earlier reads of it stale', () => {
    const parts = [read('r'), exchange('s', 'Bash', { command: "sed -i 's/a/b/' /repo/a.ts" })];
    expect(keptReads(parts, { quietCalls: 0, protectedTools: ['None'] })).toEqual(['r', 's']);
    expect(keptReads(parts, { shellWrites: true })).toEqual(['s']);
  });

  test('one strategy may be asked with and without it', () => {
    const history = [...read('r'), ...exchange('s', 'Bash', { command: "sed -i 's/a/b/' /repo/a.ts" })];
    const strategy = new HighDensityStrategy({ vocabulary: claudeCode });
    const removals = [{}, { shellWrites: true }, {}].map(
      (rules) => strategy.optimize(history, configOf(rules)).removals.length,
    );
    expect(removals).toEqual([0, 2, 0]);
  });
});

describe('protection', () => {
  const parts = [read('r'), write('w', 'new')];

  test.each([
    ['a tool by name', { protectedTools: ['Read'] }],
    ['a file by its path in the workspace', { protectedPaths: ['./a.ts'] }],
    ['a file by name, wherever it is', { protectedPaths: ['a.ts'] }],
    ['a folder', { protectedPaths: ['/repo/'] }],
  ])('keeps reads of %s', (_what, rules) => {
    expect(keptReads(parts, rules)).toEqual(['r']);
  });

  test('keeps nothing else', () => {
    expect(keptReads(parts, { protectedTools: ['Grep'], protectedPaths: ['b.ts', 'src/a.ts', '/repo/a'] })).toEqual([]);
  });

  test('keeps results of a protected tool from recency, and inclusions of a protected file', () => {
    const history = [
      human('--- a.ts ---\nold\n--- End of content ---'),
      human('--- a.ts ---\nnew\n--- End of content ---'),
      ...exchange('1', 'Grep', {}),
      ...exchange('2', 'Grep', {}),
    ];
    const prune = (rules: Partial<DensityRules>) =>
      new HighDensityStrategy().optimize(
        history,
        configOf(rules, { fileDedupe: true, recencyPruning: true, recencyRetention: 1 }),
      ).metadata;
    expect(prune({})).toMatchObject({ fileDeduplicationsPruned: 1, recencyPruned: 1 });
    expect(prune({ protectedTools: ['Grep'], protectedPaths: ['a.ts'] })).toMatchObject({
      fileDeduplicationsPruned: 0,
      recencyPruned: 0,
    });
  });
});

describe('keep-lines', () => {
  const LONG = Array.from({ length: 12 }, (_, at) => `line ${at} of the file\n`).join('');
  const rules = { partialEdits: 'keep-lines' } as const;
  const resultsOf = (parts: readonly (IContent | IContent[])[]): unknown[] => {
    const history = parts.flat();
    const result = new HighDensityStrategy({ vocabulary: claudeCode }).optimize(history, configOf(rules));
    return applied(history, result).flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.type === 'tool_response' ? [block.result] : [])),
    );
  };

  test('runs of lines changed since or shown later are removed, and the other lines keep their places', () => {
    const again = LONG.split('\n').slice(0, 6).join('\n');
    const [first, second] = resultsOf([read('r1', LONG), read('r2', again, { limit: 6 })]);
    const left = LONG.split('\n').slice(6).join('\n');
    expect(first).toBe(`[6 lines pruned: changed since, or shown below]\n${left}`);
    expect(second).toBe(again);
  });

  test('a run of fewer than four lines is kept, and so is a read of a file that no call used again', () => {
    const parts = [read('r1', LONG), read('r2', LONG.split('\n').slice(0, 3).join('\n'), { limit: 3 })];
    expect(resultsOf(parts)[0]).toBe(LONG);
    expect(resultsOf([read('r1', LONG), human('go on')])).toEqual([LONG]);
  });
});

describe('results that were carried for long', () => {
  const LONG = 'a line of output that is long enough\n'.repeat(20);
  const command = exchange('b', 'Bash', { command: 'npm test' }, { result: LONG });
  const isPruned = (
    parts: readonly (IContent | IContent[])[],
    rules: Partial<DensityRules>,
    isCold = false,
  ): boolean => {
    const history = parts.flat();
    const config = { ...configOf(rules), isCold };
    const result = new HighDensityStrategy({ vocabulary: claudeCode }).optimize(history, config);
    return applied(history, result).some(({ blocks }) =>
      blocks.some((block) => block.type === 'tool_response' && block.result === PRUNED_RESULT),
    );
  };

  test('the output of a command is replaced once it was sent that many times, and not before', () => {
    expect(isPruned([command, quiet(5)], { resultCalls: 5 })).toBe(true);
    expect(isPruned([command, quiet(4)], { resultCalls: 5 })).toBe(false);
    expect(isPruned([command, quiet(50)], {})).toBe(false);
  });

  test('a read is replaced by its size times the calls since the last use of its file: the larger, the sooner', () => {
    const rules = { carriedTokens: 1000 };
    const tokens = LONG.length / 4;
    const calls = Math.ceil(1000 / tokens);
    expect(isPruned([read('r', LONG), quiet(calls)], rules)).toBe(true);
    expect(isPruned([read('r', LONG), quiet(calls - 2)], rules)).toBe(false);
    expect(isPruned([read('r', LONG.repeat(2)), quiet(calls - 2)], rules)).toBe(true);
    expect(isPruned([read('r', LONG), quiet(calls - 2), read('t', 'short'), quiet(2)], rules)).toBe(false);
  });

  describe('what prints lines of named files is kept longer, because edits may need them', () => {
    const HUGE = LONG.repeat(50);
    const isKept = (name: string, parameters: unknown, { result = HUGE, calls = 11 } = {}): boolean =>
      !isPruned([exchange('g', name, parameters, { result }), quiet(calls)], { resultCalls: 3 });

    test('for twelve calls, or for 10,000 tokens over the calls if it is small', () => {
      const command = "grep -n 'one\\|two' src/a.ts | head";
      expect(isKept('Bash', { command })).toBe(true);
      expect(isKept('Bash', { command }, { calls: 12 })).toBe(false);
      const calls = Math.floor(10_000 / (LONG.length / 4));
      expect(isKept('Bash', { command }, { result: LONG, calls: calls - 1 })).toBe(true);
      expect(isKept('Bash', { command }, { result: LONG, calls })).toBe(false);
    });

    test('also a reader in a folder that is not known, one part of a script, and a searching tool in a file', () => {
      expect(isKept('Bash', { command: "sed -n '144,220p' website/src/index.js" })).toBe(true);
      expect(isKept('Bash', { command: 'grep -rn hero src; grep -n hero -A8 src/styles.css | head' })).toBe(true);
      expect(isKept('Grep', { pattern: 'FORMAT', path: 'D:\\repo\\Config.js', output_mode: 'content' })).toBe(true);
    });

    test('also what git shows of them, but no counts of it', () => {
      for (const command of ['git diff src/a.ts', 'git -C .. show HEAD~2:src/a.ts | head -80', 'cd a; git blame b.go'])
        expect([command, isKept('Bash', { command })]).toEqual([command, true]);
      for (const command of [
        'git diff',
        'git diff --stat src/a.ts',
        'git log -3 src/a.ts',
        'git add a.ts && git status',
      ])
        expect([command, isKept('Bash', { command })]).toEqual([command, false]);
    });

    test('runs of lines as long as a read, for each command that prints some', () => {
      const rules = { resultCalls: 3, carriedTokens: 200_000 };
      const calls = Math.floor(200_000 / (HUGE.length / 4));
      const isReplaced = (command: string, after: number, isCold = false): boolean =>
        isPruned(
          [exchange('g', 'Bash', { command }, { result: HUGE }), quiet(after)],
          { ...rules, coldCarriedTokens: isCold ? 1 : 0 },
          isCold,
        );
      for (const command of [
        'git diff src/a.ts',
        "rg -n -C 5 'one' src/a.ts",
        "awk 'NR>=1 && NR<=9' src/a.ts",
        "python3 - <<'EOF'\ntext = open('src/a.ts').read()\nprint(text)\nEOF",
      ]) {
        expect([command, isReplaced(command, calls - 1)]).toEqual([command, false]);
        expect([command, isReplaced(command, calls)]).toEqual([command, true]);
        expect(isReplaced(`${command}\nsed -n 1,9p src/b.ts`, 2 * calls - 1)).toBe(false);
      }
      expect(isReplaced("grep -n 'one' src/a.ts", 12)).toBe(true);
      expect(isReplaced("cat > src/a.ts <<'EOF'\none\nEOF\nnpm test", 3)).toBe(true);
    });

    test('not a search of folders, nor a command that only ends in a pager', () => {
      expect(isKept('Bash', { command: 'grep -rn word src/a.ts src' })).toBe(false);
      expect(isKept('Bash', { command: 'npm test 2>&1 | tail -20' })).toBe(false);
      expect(isKept('Grep', { pattern: 'FORMAT', path: 'src' })).toBe(false);
    });
  });

  test('a read is replaced earlier on a lost prompt cache, but not before its file was left alone for 60 calls', () => {
    const rules = { coldCarriedTokens: 1 };
    expect(isPruned([read('r', LONG), quiet(60)], rules, true)).toBe(true);
    expect(isPruned([read('r', LONG), quiet(59)], rules, true)).toBe(false);
    expect(isPruned([read('r', LONG), quiet(99)], rules)).toBe(false);
    const calls = Math.floor(20_000 / (LONG.length / 4));
    expect(isPruned([read('r', LONG), quiet(calls)], { coldCarriedTokens: 20_000 }, true)).toBe(true);
    expect(isPruned([read('r', LONG), quiet(calls - 1)], { coldCarriedTokens: 20_000 }, true)).toBe(false);
    // The budget of a warm cache still counts, if it is reached earlier.
    expect(isPruned([read('r', LONG), quiet(3)], { ...rules, carriedTokens: 1 }, true)).toBe(true);
  });

  test('not those of tools nobody knows, of protected tools and files, and short ones', () => {
    const unknown = exchange('u', 'get_reservation', { id: 1 }, { result: LONG });
    expect(isPruned([unknown, quiet(9)], { resultCalls: 1 })).toBe(false);
    expect(isPruned([command, quiet(9)], { resultCalls: 1, protectedTools: ['Bash'] })).toBe(false);
    expect(isPruned([read('r', LONG), quiet(9)], { carriedTokens: 1, protectedPaths: ['a.ts'] })).toBe(false);
    const short = exchange('s', 'Bash', { command: 'pwd' }, { result: '/repo' });
    expect(isPruned([short, quiet(9)], { resultCalls: 1 })).toBe(false);
  });
});

interface Step {
  readonly tool: 'read_file' | 'read_many_files' | 'replace' | 'write_file';
  readonly files: readonly string[];
  readonly from: number;
  readonly lines: number;
  readonly fails: boolean;
  /** Number of steps until its result. */
  readonly late: number;
  /** Number of answers of the model before it. */
  readonly talks: number;
}

describe('laws under every rule', () => {
  const anyRules = generatedRules({ protectedTools: ['read_file', 'replace'], protectedPaths: ['a.ts', 'src/b.ts'] });

  test('pairs are whole and a second run finds nothing more (law 1, law 3)', () => {
    fc.assert(
      fc.property(generatedHistory(), anyRules, fc.boolean(), (history, rules, recencyPruning) => {
        const config = configOf(rules, { fileDedupe: true, recencyPruning, recencyRetention: 1 });
        const strategy = new HighDensityStrategy();
        const once = applied(history, strategy.optimize(history, config));
        const broken = new Set(brokenPairs(history));
        expect(brokenPairs(once).filter((pair) => !broken.has(pair))).toEqual([]);
        const again = new HighDensityStrategy().optimize(once, config);
        expect([again.removals, again.replacements.size]).toEqual([[], 0]);
      }),
      { numRuns: runs(300) },
    );
  });

  test('one instance that sees a history grow finds at each step what one finds that sees it for the first time', () => {
    const line = (at: number): string => `line ${at % 3} of part ${at} of the file`;
    const step: fc.Arbitrary<Step> = fc.record({
      tool: fc.constantFrom('read_file', 'read_file', 'read_many_files', 'replace', 'write_file'),
      files: fc.subarray(['/repo/a.ts', '/repo/b.ts', '/repo/c.ts'], { minLength: 1 }),
      from: fc.nat(3),
      lines: fc.integer({ min: 1, max: 9 }),
      fails: fc.boolean(),
      late: fc.constantFrom(0, 0, 0, 1, 2),
      talks: fc.constantFrom(0, 0, 1, 3),
    });
    const callOf = ({ tool, files, from, lines }: Step, id: string): IContent => {
      const text = Array.from({ length: lines }, (_, at) => line(from + at)).join('\n');
      const [file_path] = files;
      const parameters = {
        read_file: { file_path },
        read_many_files: { paths: files },
        replace: { file_path, old_string: text, new_string: text.replaceAll('part', 'piece') },
        write_file: { file_path, content: text },
      }[tool];
      return { speaker: 'ai', blocks: [{ type: 'tool_call', id, name: tool, parameters }] };
    };
    const resultOf = ({ tool, from, lines, fails }: Step, callId: string): IContent => ({
      speaker: 'tool',
      blocks: [
        {
          type: 'tool_response',
          callId,
          toolName: tool,
          result: Array.from({ length: lines }, (_, at) => line(from + at)).join('\n'),
          ...(fails && !tool.startsWith('read') && { error: 'it did not' }),
        },
      ],
    });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 14 }),
        anyRules,
        fc.record({ applies: fc.boolean(), isNewEachTime: fc.boolean(), recencyPruning: fc.boolean() }),
        (steps, rules, { applies, isNewEachTime, recencyPruning }) => {
          const config = configOf(rules, { workspaceRoot: '/repo', recencyPruning, recencyRetention: 1 });
          const strategy = new HighDensityStrategy();
          const expectSame = (entries: readonly IContent[]): DensityResult => {
            const found = strategy.optimize(entries, isNewEachTime ? structuredClone(config) : config);
            expect(found).toEqual(new HighDensityStrategy().optimize(entries, config));
            return found;
          };
          let history: IContent[] = [];
          for (const [at, { late, talks }] of steps.entries()) {
            for (const said of quiet(talks)) {
              history = [...history, said];
              expectSame(history);
            }
            history = [...history, callOf(steps[at]!, `call-${at}`)];
            const due = steps.slice(0, at + 1).flatMap((one, number) => (number + one.late === at ? [number] : []));
            history = [...history, ...due.map((number) => resultOf(steps[number]!, `call-${number}`))];
            const found = expectSame(history);
            if (applies && late === 0) history = applied(history, found);
          }
        },
      ),
      { numRuns: runs(1000) },
    );
  });

  test('the quiet period starts again when the answers after a write are removed', () => {
    const strategy = new HighDensityStrategy({ vocabulary: claudeCode });
    const written = [...read('r'), ...write('w', 'new')];
    const removals = [quiet(3), quiet(1), quiet(3)].map(
      (talk) => strategy.optimize([...written, ...talk], configOf({ quietCalls: 3 })).removals,
    );
    expect(removals).toEqual([[0, 1], [], [0, 1]]);
  });

  test('with all rules off it prunes what the specification prunes', () => {
    fc.assert(
      fc.property(generatedHistory(), (history) => {
        const config = { ...ALL_OFF, readWritePruning: true };
        const plain = new HighDensityStrategy().optimize(history, config);
        const ruled = new HighDensityStrategy().optimize(history, configOf({}));
        expect(ruled).toEqual(plain);
      }),
      { numRuns: runs(300) },
    );
  });
});
