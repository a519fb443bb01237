import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../../src/content/content.ts';
import { claudeCode } from '../../../../src/content/vocabularies/claude-code.ts';
import { codex } from '../../../../src/content/vocabularies/codex.ts';
import { llxprt } from '../../../../src/content/vocabularies/llxprt.ts';
import { anyAgent, type ToolVocabulary } from '../../../../src/content/vocabularies/vocabulary.ts';
import { optimizePlainly } from '../../../../src/strategies/high-density/optimize-plainly.ts';
import { printedKinds } from '../../../../src/strategies/high-density/shapers/commands.ts';
import {
  FILE_HEADING,
  FOLDER_HEADING,
  matchesByFile,
  pathsByFolder,
  withoutHeadings,
} from '../../../../src/strategies/high-density/shapers/headings.ts';
import { SHAPER_NAMES } from '../../../../src/strategies/high-density/shapers/shaper.ts';
import { explainReason } from '../../../../src/strategies/reasons/edit-reason.ts';
import { SPECIFIED_RULES } from '../../../../src/strategies/settings/rule-settings.ts';
import { applied } from '../../../contracts/strategy.ts';
import { runs } from '../../../property-runs.ts';
import { ALL_OFF, ai, exchange } from '../../conversation.ts';

const RULES = { ...SPECIFIED_RULES, ...Object.fromEntries(SHAPER_NAMES.map((name) => [name, true])) };

interface Given {
  readonly command?: string;
  readonly tool?: string;
  readonly parameters?: unknown;
  readonly vocabulary?: ToolVocabulary;
  readonly before?: readonly IContent[];
}

/** The form of a new result, and why. */
function formOf(result: string, { command = 'ls', vocabulary = claudeCode, before = [], ...given }: Given = {}) {
  const { tool = 'Bash', parameters = { command } } = given;
  const history = [...before, ...exchange('new', tool, parameters, { result })];
  const config = { ...ALL_OFF, rules: RULES };
  const found = optimizePlainly(history, config, { vocabulary });
  const [block] = applied(history, found).at(-1)!.blocks;
  const again = optimizePlainly(applied(history, found), config, { vocabulary });
  expect(again.edits, 'twice is once').toEqual([]);
  const reasons = (found.edits ?? []).map(({ reason }) => explainReason(reason, { call: () => '' }));
  return { text: block!.type === 'tool_response' ? String(block!.result) : '', reasons };
}

const lines = (...all: readonly string[]): string => all.join('\n');

describe('matches stand below their file', () => {
  const matches = lines(
    'src/some/part/a.ts:1:import x',
    'src/some/part/a.ts:20:  x();',
    'src/b.ts:3:x',
    'src/c/d.ts:5:one',
    'src/c/d.ts-6-two',
  );

  test('as ripgrep prints them', () => {
    const { text, reasons } = formOf(matches, { command: 'rg -n x src | head -50' });
    expect(text).toBe(
      lines('src/some/part/a.ts', '1:import x', '20:  x();', '', 'src/b.ts:3:x', 'src/c/d.ts', '5:one', '6-two'),
    );
    expect(reasons).toEqual(['matches stand below their file']);
  });

  test('also on Windows, below a line that is a path itself, and for paths with numbers', () => {
    const found = ['D:\\docs\\2026-07-24-notes.md:5:one', 'D:\\docs\\2026-07-24-notes.md-6-two'];
    expect(formOf(lines('/repo/src', ...found), { command: 'pwd && rg -n x | sed -n "1,200p"' }).text).toBe(
      lines('/repo/src', '', 'D:\\docs\\2026-07-24-notes.md', '5:one', '6-two'),
    );
  });

  test('also where its name has numbers between dashes', () => {
    const named = lines(
      'notes/adr-001-first.md:3:the limit is ten',
      'notes/adr-001-first.md-4-and no more',
      'notes/adr-002-second.md:4:the limit is 2024-01-02',
    );
    expect(formOf(named, { command: 'rg -n -A1 limit' }).text).toBe(
      lines(
        'notes/adr-001-first.md',
        '3:the limit is ten',
        '4-and no more',
        '',
        'notes/adr-002-second.md:4:the limit is 2024-01-02',
      ),
    );
  });

  test('but not where a command shows files, or is not known', () => {
    for (const command of ['cat src/a.ts', 'rg x && cat a', 'some-tool', 'rg x | xargs cat', 'find . -exec cat {} +'])
      expect(formOf(matches, { command }).text, command).toBe(matches);
    expect(formOf(matches, { tool: 'Read', parameters: { file_path: 'log' } }).text).toBe(matches);
  });
});

test('paths stand below their folder, as `ls -R` prints them', () => {
  const { text } = formOf(
    lines('./src/part/one.ts', './src/part/two.ts', './src/part/three.ts', './src/part/four.ts', './src/other.ts'),
    {
      command: 'find . -name "*.ts"',
    },
  );
  expect(text).toBe(lines('./src/part/:', 'one.ts', 'two.ts', 'three.ts', 'four.ts', '', './src/other.ts'));
});

test('headings can be undone: whatever the lines are, the text is had from the form again', () => {
  const line = fc.oneof(
    fc.constantFrom(
      '',
      'src/a.ts',
      'C:\\x\\y.ts',
      'src/a/:',
      'src/',
      '--',
      '12:x',
      'a: b',
      ' src/x.ts:1:y',
      'src/a.ts:x',
    ),
    fc
      .tuple(
        fc.constantFrom('src/a.ts', 'b/c d.ts', 'C:\\x\\y.ts', 'a', 'x-2-y.ts', '-a.ts'),
        fc.constantFrom(':', '-'),
        fc.nat(99),
      )
      .map(([path, sign, at]) => `${path}${sign}${at}${sign} text`),
    fc
      .tuple(fc.constantFrom('src/', 'a/b/', './'), fc.constantFrom('x.ts', 'y z', '', 'w:'))
      .map((parts) => parts.join('')),
  );
  let shaped = 0;
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (all) => {
      const text = all.join('\n');
      for (const [shaper, heading] of [
        [matchesByFile, FILE_HEADING],
        [pathsByFolder, FOLDER_HEADING],
      ] as const) {
        const form = shaper.shape(text, undefined as never);
        if (form === text) continue;
        shaped++;
        expect(form.length).toBeLessThan(text.length);
        expect(withoutHeadings(form, heading)).toBe(text);
      }
    }),
    { numRuns: runs(3000) },
  );
  expect(shaped).toBeGreaterThan(runs(50));
});

describe('tests that passed are counted', () => {
  const passed = Array.from({ length: 30 }, (_, at) => ` ✓ test/part-${at}.test.ts (3 tests) 5ms`);
  const end = [' Test Files  30 passed (30)', '      Tests  90 passed (90)'];

  test('in a run without failures', () => {
    const { text } = formOf(lines(...passed, ...end), { command: 'cd app && npx vitest run 2>&1 | tail -60' });
    expect(text).toBe(lines('⟦density: 30 lines of tests that passed left out⟧', ...end));
  });

  test('but for those of files that the agent wrote, and for warnings and skips', () => {
    const before = exchange('w', 'Write', { file_path: '/repo/test/part-7.test.ts', content: 'x' }, { result: 'ok' });
    const all = [...passed, ' ↓ test/skipped.test.ts (2 tests)', ...end];
    const { text } = formOf(lines(...all), { command: 'npm test', before });
    expect(text).toContain('part-7.test.ts');
    expect(text).toContain('skipped.test.ts');
    expect(text).toMatch(/^⟦density: 7 lines of tests that passed left out⟧\n/);
  });

  test('not in a report of few tests, of a run that failed, or of a script that is no runner', () => {
    const few = lines(...passed.slice(0, 20), ...end);
    const failed = lines(...passed, ' Test Files  1 failed | 30 passed (31)');
    const report = lines(...passed.map((_, at) => `PASS config ${at}   valid`));
    const tap = Array.from({ length: 6 }, (_, at) => [
      `# Subtest: ${at}`,
      `ok ${at + 1} - ${at}`,
      '  ---',
      '  duration_ms: 1',
      '  ...',
    ]);
    for (const text of [few, failed, report, lines(...tap.flat(), '# pass 6')])
      expect(formOf(text, { command: 'npm test' }).text).toBe(text);
    expect(formOf(lines(...passed, ...end), { command: './check.sh' }).text).toBe(lines(...passed, ...end));
  });

  const suite = [
    ' ❯ test/broken.test.ts (0 test)',
    '',
    '⎯⎯⎯⎯⎯⎯ Failed Suites 1 ⎯⎯⎯⎯⎯⎯⎯',
    '',
    ' FAIL  test/broken.test.ts [ test/broken.test.ts ]',
    "Error: Cannot find module './gone.ts' imported from '/repo/test/broken.test.ts'",
    ' ❯ test/broken.test.ts:1:1',
  ];
  const sums = [' Test Files  1 failed | 30 passed (31)', '      Tests  90 passed (90)'];
  const pytest = Array.from({ length: 30 }, (_, at) => `tests/test_a.py::test_${at} PASSED    [ ${at}%]`);
  const conftest = [
    "ImportError while loading conftest '/repo/other/conftest.py'.",
    'other/conftest.py:1: in <module>',
    '    import gone',
    "E   ModuleNotFoundError: No module named 'gone'",
  ];

  test.each([
    ['Vitest', 'npx vitest run', [...passed.slice(0, 25), ...suite, ...passed.slice(25), ...sums]],
    [
      'Vitest, cut before its end',
      'npx vitest run | head -40',
      [...passed.slice(0, 25), ...suite.slice(2), ...passed.slice(25)],
    ],
    [
      'Jest, which goes on',
      'npx jest',
      [...passed, 'FAIL test/broken.test.ts', '  ● Test suite failed to run', ...passed],
    ],
    ['pytest', 'pytest -v other', [...conftest]],
    [
      'pytest, after a run that passed',
      'pytest -v tests; pytest -v other',
      [...pytest, '==== 30 passed in 0.10s ====', ...conftest],
    ],
    ['pytest, which breaks', 'pytest -v', [...pytest, 'INTERNALERROR> Traceback (most recent call last):']],
  ])('not where a file of tests cannot load: %s', (_, command, report) => {
    expect(formOf(lines(...report), { command }).text).toBe(lines(...report));
  });
});

test('words of agents around a result are left out, and what a model needs of them stays', () => {
  const shell = (result: string, vocabulary = codex): string =>
    formOf(result, { tool: 'exec_command', parameters: { cmd: 'cat a' }, vocabulary }).text;
  const head = 'Chunk ID: a1\nWall time: 0.2 seconds\nProcess exited with code 0\nOriginal token count: 12\nOutput:\n';
  expect(shell(`${head}one\ntwo`)).toBe('one\ntwo');
  expect(shell(`Command: /bin/zsh -lc "cat a"\n${head}one`)).toBe('one');
  expect(shell(head)).toBe('Output:\n');
  const long =
    'Chunk ID: a1\nWall time: 30.5 seconds\nProcess running with session ID 7\nOriginal token count: 9\nOutput:\nx';
  expect(shell(long)).toBe('Wall time: 30.5 seconds\nProcess running with session ID 7\nOutput:\nx');
  const script = 'Script completed\nWall time 0.2 seconds\nOutput:\n';
  expect(shell(`${script}one\ntwo and a longer line of it`)).toBe('one\ntwo and a longer line of it');
  const running = `Script running with cell ID 7\nWall time 11.0 seconds\nOutput:\nthe first line of it`;
  expect(shell(running)).toBe(running);
  const file = lines(head, 'Chunk ID: a1');
  expect(formOf(file, { tool: 'Read', parameters: { file_path: 'a' } }).text).toBe(file);
  const edit = { tool: 'Edit', parameters: { file_path: 'a.ts', old_string: 'a', new_string: 'b' } };
  expect(formOf('The file /repo/src/a.ts has been updated successfully.', edit).text).toBe(
    'The file /repo/src/a.ts has been updated successfully.',
  );
  const pi = { tool: 'Edit', parameters: { path: 'src/a.ts', oldText: 'a', newText: 'b' } };
  expect(formOf('Successfully replaced text in src/a.ts. Changed 15 characters to 41 characters.', pi).text).toBe(
    'Done.',
  );
  const told = '(file state is current in your context — no need to Read it back)';
  expect(formOf(`The file /repo/src/a.ts has been updated successfully. ${told}`, edit).text).toBe('Done.');
});

test('colours and overwritten progress are left out of what builders say', () => {
  const text =
    '\u001b[32m10%\u001b[0m\r\u001b[32m50%\u001b[0m\r\u001b[32m100%\u001b[0m done\nwarning: x\r\nend of the build';
  expect(formOf(text, { command: 'npm run build' }).text).toBe('100% done\nwarning: x\r\nend of the build');
  expect(formOf(text, { command: 'cat build.log' }).text).toBe(text);
});

test('a colour that changes within a word stays: it says what differs', () => {
  const differs = 'Expected: 38;2;\u001b[31m5\u001b[0m20';
  const behind = '+\u001b[37m\u001b[48;2;255;0;0ma\u001b[48;2;213;20;6mb\u001b[0m';
  expect(formOf(`${behind}\n\u001b[32m${'done '.repeat(20)}\u001b[39m`, { command: 'npm run build' }).text).toContain(
    behind,
  );
  const lasted = '\u001b[32m✓\u001b[39m one of many tests \u001b[33m312\u001b[2mms\u001b[22m\u001b[39m';
  expect(formOf(`${lasted}\n${differs}`, { command: 'npm run build' }).text).toBe(
    `✓ one of many tests 312ms\n${differs}`,
  );
});

describe('every tenth line has its number', () => {
  const code = Array.from({ length: 25 }, (_, at) => `\tline ${at + 1} of the file`);
  const numbered = (width: number): string =>
    lines(...code.map((line, at) => `${`${at + 1}`.padStart(width)}\t${line}`));
  const tenth = (width: number): string =>
    lines(...code.map((line, at) => `${at === 0 || at % 10 === 9 ? `${at + 1}`.padStart(width) : ''}\t${line}`));
  const read = { tool: 'Read', parameters: { file_path: 'a.go' } };

  test('in a read of an agent that numbers lines, whoever knows it', () => {
    expect(formOf(numbered(0), read)).toEqual({ text: tenth(0), reasons: ['every tenth line has its number'] });
    expect(formOf(numbered(0), { ...read, vocabulary: anyAgent }).text).toBe(tenth(0));
  });

  test('of programs that number lines', () => {
    for (const command of ['nl -ba a.go', "cd x && nl -ba a.go | sed -n '1,20p;30,50p'", 'cat -n a.go; echo done'])
      expect(formOf(numbered(6), { command }).text, command).toBe(tenth(6));
    const parameters = { cmd: 'nl -ba a.go | sed -n 1,25p' };
    expect(formOf(numbered(6), { tool: 'exec_command', parameters, vocabulary: codex }).text).toBe(tenth(6));
  });

  test('but not where the numbers may be text of a file', () => {
    for (const command of ['cat ids.tsv', 'nl -ba a.go; cat ids.tsv', 'sort ids.tsv', 'git show HEAD:a.go | nl -ba'])
      expect(formOf(numbered(0), { command }).text, command).toBe(numbered(0));
    for (const tool of ['read', 'read_file'])
      expect(formOf(numbered(0), { tool, parameters: { file_path: 'ids.tsv' }, vocabulary: anyAgent }).text).toBe(
        numbered(0),
      );
  });

  test('also around a marker of lines: the line after it has its number', () => {
    const long = Array.from({ length: 40 }, (_, at) => `\tline ${at + 1} of the file with ${'many words '.repeat(4)}`);
    const shown = (all: readonly string[]): string => lines(...all.map((line, at) => `${at + 1}\t${line}`));
    const rules = { ...RULES, repeatedLines: 4 };
    const pruned = (history: readonly IContent[]): readonly IContent[] => {
      const config = { ...ALL_OFF, rules };
      return applied(history, optimizePlainly(history, config, { vocabulary: claudeCode }));
    };
    const sent = pruned(exchange('1', 'Read', { file_path: 'a.go' }, { result: shown(long) }));
    const changed = ['\tnew first', ...long.slice(0, 20), '\tnew middle', '\tnew end', ...long.slice(25)];
    const again = exchange('2', 'Read', { file_path: 'b.go' }, { result: shown(changed) });
    const [block] = pruned([...sent, ...again]).at(-1)!.blocks;
    expect(block).toMatchObject({
      result: expect.stringMatching(
        /^1\t\tnew first\n⟦density: 20 lines, 2 to 21, as shown above by Read a\.go, from .*⟧\n22\t\tnew middle\n23\t\tnew end\n⟦density: 15 lines, 24 to 38, .*⟧$/,
      ),
    });
  });
});

test('what failed, what is protected and what was sent before stays', () => {
  const text = lines('src/part/a.ts:1:x of many', 'src/part/a.ts:2:x of many', 'src/part/a.ts:3:x of many');
  const search = { pattern: 'x' };
  const sent = [...exchange('1', 'Grep', search, { result: text }), ai('on')];
  const config = { ...ALL_OFF, rules: RULES };
  expect(optimizePlainly(sent, config, { vocabulary: claudeCode }).edits).toEqual([]);
  const failed = exchange('1', 'Grep', search, { error: text });
  expect(optimizePlainly(failed, config, { vocabulary: claudeCode }).edits).toEqual([]);
  const rules = { ...RULES, protectedTools: ['Grep'] };
  const fresh = exchange('1', 'Grep', search, { result: text });
  expect(optimizePlainly(fresh, { ...config, rules }, { vocabulary: claudeCode }).edits).toEqual([]);
  expect(optimizePlainly(fresh, config, { vocabulary: claudeCode }).edits).toHaveLength(1);
});

test.each([
  ['rg x', ['matches']],
  ['cd /a && FOO=1 npx vitest run | tail -5', ['tests']],
  ['npm ci && npm test', ['output', 'tests']],
  ['git status --short; git ls-files | head', ['paths']],
  ['timeout 60 uv run pytest -q', ['tests']],
  ['echo done', []],
  ["nl -ba a.ts | sed -n -e '1,5p' -e '9,$p'", ['numbered']],
  ['git show HEAD:a.ts', undefined],
  ['sed -n 1,5p a.ts', undefined],
  ['for f in *; do cat $f; done', undefined],
  ['find . -name x -exec cat {} ;', undefined],
] as const)('`%s` prints %j', (command, kinds) => {
  const found = printedKinds({ type: 'tool_call', id: '1', name: 'Bash', parameters: { command } }, claudeCode);
  expect(found && [...found]).toEqual(kinds);
});

test('a script whose language is not read prints what nobody knows', () => {
  const call = { type: 'tool_call', id: '1', name: 'run_shell_command', parameters: { command: 'cat a' } } as const;
  expect(printedKinds(call, llxprt)).toBeUndefined();
});
