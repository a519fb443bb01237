import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { newOutput, stage } from './hook-stage.ts';

const FILES = Array.from({ length: 4 }, (_, at) => `src/deep/folder/file${at}.ts`);
const MATCHES = FILES.flatMap((file) => [`${file}:1:export const needle = 1;`, `${file}:9:const needles = [needle];`]);
const BY_FILE = FILES.map((file) => `${file}\n1:export const needle = 1;\n9:const needles = [needle];`).join('\n\n');
const BY_FOLDER = `src/deep/folder/:\n${FILES.map((file) => file.slice(16)).join('\n')}`;

const command = (text: string): object => ({ tool_name: 'Bash', tool_input: { command: text } });
const output = (stdout: string): object => ({
  tool_response: { stdout, stderr: '', interrupted: false, isImage: false, noOutputExpected: false },
});

describe('a result that has a shorter form', () => {
  test.each([
    ['matches of a command', command('grep -rn needle src'), output(MATCHES.join('\n')), { stdout: BY_FILE }],
    ['paths of a command', command('find src -type f'), output(FILES.join('\n')), { stdout: BY_FOLDER }],
    [
      'matches of the tool',
      { tool_name: 'Grep', tool_input: { pattern: 'needle', output_mode: 'content' } },
      { tool_response: { mode: 'content', numFiles: 0, filenames: [], content: MATCHES.join('\n'), numLines: 8 } },
      { mode: 'content', content: BY_FILE, numLines: BY_FILE.split('\n').length },
    ],
    [
      'names of files of the tool',
      { tool_name: 'Grep', tool_input: { pattern: 'needle' } },
      { tool_response: { mode: 'files_with_matches', numFiles: 4, filenames: FILES } },
      { mode: 'files_with_matches', numFiles: 4, filenames: BY_FOLDER.split('\n') },
    ],
    [
      'a list of files of the tool',
      { tool_name: 'Glob', tool_input: { pattern: '**/*.ts' } },
      { tool_response: { filenames: FILES, durationMs: 3, numFiles: 4, truncated: false } },
      { filenames: BY_FOLDER.split('\n'), durationMs: 3, numFiles: 4, truncated: false },
    ],
    [
      'colours of a build',
      command('npm run build'),
      output(`\u001b[32m${'built '.repeat(20)}\u001b[39m\nat 1%\rat 50% and more\rat 100%`),
      { stdout: `${'built '.repeat(20)}\nat 100%` },
    ],
  ])('gets it where nothing is lost, and nothing is archived: %s', async (_, call, response, expected) => {
    const { session, archive, answer } = stage();
    session.line('p');
    expect(newOutput(await answer(session.read('toolu_1', '', { ...call, ...response })))).toMatchObject(expected);
    expect(await archive.list()).toEqual([]);
  });

  const tests = (names: readonly string[]): string =>
    [...names.map((name) => ` ✓ test/${name}.test.ts (3 tests) 12ms`), '', ' Tests  90 passed (90)'].join('\n');
  const names = Array.from({ length: 30 }, (_, at) => `number-${at}`);

  test('is in the archive before a marker says what is left out', async () => {
    const { session, archive, answer } = stage();
    session.line('p');
    const event = session.read('toolu_1', '', { ...command('npx vitest run'), ...output(tests(names)) });
    const { stdout } = newOutput(await answer(event)) as { stdout: string };
    const [, hash = ''] =
      /^⟦density: 30 lines of tests that passed left out; recall ([0-9a-f]{12})⟧\n/.exec(stdout) ?? [];
    expect(stdout.endsWith(' Tests  90 passed (90)')).toBe(true);
    expect((await archive.find(hash)).block).toMatchObject({ toolName: 'Bash', result: tests(names) });
  });

  test.each([
    ['a subagent', { agent_id: 'a1b2', agent_type: 'Explore' }],
    ['a named agent', { agent_type: 'reviewer' }],
  ])('names no tool that %s may lack, and is in the archive', async (_agent, fields) => {
    const { session, archive, answer } = stage();
    session.line('p');
    const own = path.join(path.dirname(session.transcript), session.id, 'subagents/agent-a1b2.jsonl');
    session.write({ uuid: 's', parentUuid: null, isSidechain: true, message: { content: [] } }, own);
    const more = { ...command('npx vitest run'), ...output(tests(names)), ...fields };
    const { stdout } = newOutput(await answer(session.read('toolu_1', '', more))) as { stdout: string };
    expect(stdout.split('\n')[0]).toBe('⟦density: 30 lines of tests that passed left out⟧');
    expect(await archive.list()).not.toEqual([]);
  });

  test('keeps tests of the files that the agent wrote, and all if the transcript does not say which', async () => {
    const { folder, session, answer } = stage();
    const event = (): string => session.read('toolu_2', '', { ...command('npx vitest run'), ...output(tests(names)) });
    await expect(answer(event())).rejects.toThrow('ENOENT');
    const input = { file_path: `${folder}/src/number-7.ts`, content: 'x' };
    const write = { type: 'tool_use', id: 'toolu_1', name: 'Write', input };
    session.line('p', { message: { role: 'assistant', content: [write] } });
    const { stdout } = newOutput(await answer(event())) as { stdout: string };
    expect(stdout.match(/✓.*/g)).toEqual(['✓ test/number-7.test.ts (3 tests) 12ms']);
  });

  test.each([
    ['of a program that may print lines of files', command('cat matches.txt'), output(MATCHES.join('\n'))],
    ['in which files stand in groups already', command('rg --heading needle'), output(BY_FILE)],
    [
      'of a tool of somebody else',
      { tool_name: 'mcp__docs__search' },
      { tool_response: [{ type: 'text', text: MATCHES.join('\n') }] },
    ],
  ])('is not a result %s', async (_, call, response) => {
    const { session, answer } = stage();
    session.line('p');
    expect(await answer(session.read('toolu_1', '', { ...call, ...response }))).toBeUndefined();
  });

  test('stays in Codex, which would show it as blocked, and under `density wrap`', async () => {
    const { session, answer } = stage();
    session.line('p');
    const call = command('grep -rn needle src');
    const event = session.read('toolu_1', '', { ...call, ...output(MATCHES.join('\n')) });
    expect(await answer(event, { isWrapped: true })).toBeUndefined();
    const ofCodex = session.read('toolu_1', '', { ...call, turn_id: '1', tool_response: MATCHES.join('\n') });
    expect(await answer(ofCodex, { isOnInCodex: () => Promise.resolve(true) })).toBeUndefined();
  });
});
