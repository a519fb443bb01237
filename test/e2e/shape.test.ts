import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Computer, type Outcome, outcomeOf } from './density.ts';

const FOUND = readFileSync(path.resolve(import.meta.dirname, '../fixtures/found.txt'), 'utf8');
const PASSED = [
  ...Array.from({ length: 30 }, (_, at) => ` ✓ test/part-${at}.test.ts (3 tests) 5ms`),
  ' Test Files  30 passed (30)',
  '      Tests  90 passed (90)\n',
].join('\n');
const FORM = PASSED.replace(/^[\s\S]*5ms$/m, '⟦density: 30 lines of tests that passed left out⟧');

const computer = new Computer();
const found = computer.write('work/found.txt', FOUND);

/** The command with a file of this text. */
const shape = (text: string | Uint8Array, ...args: readonly string[]): Promise<Outcome> =>
  computer.run(['dev', 'shape', computer.write('work/text', text), ...args]);

/** The command with a text on standard input. */
function shapeInput(text: string, ...args: readonly string[]): Promise<Outcome> {
  const child = computer.start(['dev', 'shape', '-', ...args]);
  child.stdin!.end(text);
  return outcomeOf(child);
}

const only = (code: number, err: string): object => ({ code, out: '', err: expect.stringContaining(err) });

describe('density dev shape', () => {
  test('prints the form of a file or of standard input, and nothing else', async () => {
    const form = 'src/api/orders.ts\n12:const limit = 50;\n';
    const file = await computer.run(['dev', 'shape', found, '--command', 'rg -n limit']);
    expect(file).toMatchObject({ code: 0, out: expect.stringContaining(form) });
    expect(file.err).toMatch(/^matchesByFile: .*\n342 → \d+ characters, \d+% smaller\n$/);
    expect((await shapeInput(FOUND, '--tool', 'Grep')).out).toBe(file.out);
    expect((await shape(file.out, '--tool', 'Grep')).out).toBe(file.out);
    const tests = await shape(PASSED, '--command', 'npm test 2>&1');
    expect(tests).toMatchObject({ code: 0, out: FORM });
    expect(tests.err.replaceAll('\n', ' ')).toContain('this command keeps nothing');
  });

  test('prints with --check what changes, by which shapers, and the characters', async () => {
    const { code, out, err } = await shape(PASSED, '--command', 'npm test', '--check');
    expect([code, err]).toEqual([0, '']);
    const lines = out.split('\n');
    expect(lines.filter((line) => line.startsWith('-'))).toHaveLength(30);
    expect(lines.filter((line) => line.startsWith('+'))).toEqual([
      '+⟦density: 30 lines of tests that passed left out⟧',
    ]);
    expect(out).toContain('\npassingTests: tests that passed are counted\n');
    expect(out).toContain(`\n1,186 → ${FORM.length} characters, `);
  });

  test('prints with --json one object', async () => {
    const { out, err } = await shapeInput(PASSED, '--command', 'npm test', '--json', '--check');
    expect(err).toBe('');
    expect(JSON.parse(out)).toMatchObject({
      file: '-',
      tool: 'Bash',
      command: 'npm test',
      shapers: ['passingTests'],
      losesText: true,
      characters: PASSED.length,
      charactersAfter: FORM.length,
      unchangedBecause: null,
      form: FORM,
      difference: expect.arrayContaining(['+⟦density: 30 lines of tests that passed left out⟧']),
    });
  });

  test.each([
    [[], 'Nothing changed: without --command nobody knows which program printed it'],
    [['--command', 'cat a'], '`cat a` may print lines of files, and then only --repeated-lines may change it'],
    [['--tool', 'Read'], '--repeated-lines and --tenth-line-numbers find nothing to shorten'],
    [['--tool', 'my_search'], 'the tool my_search is not known; say what it does with --tools'],
    [['--tool', 'Grep', '--matches-by-file', 'off'], '--repeated-lines and --paths-by-folder find nothing'],
    [['--tool', 'Grep', '--profile', 'specification'], 'the settings turn off --repeated-lines, --matches-by-file'],
    [['--tool', 'Grep', '--protected-tools', 'Grep'], 'the settings protect'],
  ])('with %j prints the text as it is, and says why on standard error', async (args, why) => {
    expect(await shape(FOUND, ...args)).toEqual({
      code: 0,
      signal: null,
      out: FOUND,
      err: expect.stringContaining(why),
    });
    expect(await shape(FOUND, ...args, '--check')).toMatchObject(only(0, why));
  });

  test('takes the settings of the folder, and own tools', async () => {
    const own = ['--tool', 'my_search', '--tools', 'search=my_search:query'];
    expect((await shape(FOUND, ...own)).out).not.toBe(FOUND);
    const other = new Computer();
    other.write('work/.density.json', '{ "compression.density.matchesByFile": false }');
    const { out } = await other.run(['dev', 'shape', other.write('found.txt', FOUND), '--tool', 'Grep']);
    expect(out).toBe(FOUND);
  });

  test('refuses what is no output of a tool', async () => {
    expect(await computer.run(['dev', 'shape', 'missing.txt'])).toMatchObject(only(1, 'no such file'));
    expect(await computer.run(['dev', 'shape', '.'])).toMatchObject(only(1, 'it is a directory'));
    expect(await shapeInput('')).toMatchObject(only(1, 'in standard input, but it is empty'));
    expect(await shape('')).toMatchObject(only(1, 'text, but it is empty'));
    expect(await shape('a\0b')).toMatchObject(only(1, 'it is binary or in another encoding'));
    expect(await shape(Uint8Array.of(0xff, 0xfe))).toMatchObject(only(1, 'it is binary or in another encoding'));
    expect(await computer.run(['dev', 'shape'])).toMatchObject(only(2, "missing required argument 'file'"));
    expect(await shape(FOUND, '--chek')).toMatchObject(only(2, 'Did you mean --check?'));
    expect(await shape(FOUND, '--passing-tests', 'of')).toMatchObject(only(2, 'Did you mean "off"?'));
    expect(await shape(FOUND, '--tool', 'Grep', '--command', 'ls')).toMatchObject(only(2, 'got --tool Grep'));
  });
});
