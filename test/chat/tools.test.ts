import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { CutMiddle } from '../../src/chat/tools/cut-output.ts';
import { TOOLS } from '../../src/chat/tools/index.ts';
import { globPattern } from '../../src/chat/tools/search/glob-pattern.ts';
import { searchOnThread } from '../../src/chat/tools/search/search-on-thread.ts';
import { ToolError } from '../../src/chat/tools/tool-error.ts';
import { Workspace } from '../../src/chat/workspace.ts';
import { fileAccess } from '../../src/content/files/file-access.ts';
import { llxprt } from '../../src/content/vocabularies/llxprt.ts';
import type { Todo } from '../../src/strategies/contract.ts';
import { NEVER, ownFolder } from './chat-room.ts';

let root: string;
let outside: string;
let todos: readonly Todo[];

beforeEach(() => {
  const home = ownFolder();
  root = path.join(home, 'repo');
  outside = path.join(home, 'repo-evil');
  mkdirSync(path.join(root, 'src'), { recursive: true });
  mkdirSync(outside);
  writeFileSync(path.join(outside, 'secret.txt'), 'secret');
  writeFileSync(path.join(root, 'src/a.ts'), 'one\ntwo\nthree\n');
  writeFileSync(path.join(root, 'b.md'), 'alpha beta\n');
  writeFileSync(path.join(root, 'picture.bin'), new Uint8Array([0xff, 0xfe, 0, 1, 0x80]));
  todos = [];
});

function run(name: string, parameters: unknown, signal: AbortSignal = NEVER): Promise<string> {
  const tool = TOOLS.find((known) => known.name === name)!;
  const context = {
    workspace: new Workspace(root),
    signal,
    setTodos: (list: readonly Todo[]) => {
      todos = list;
    },
    onOutput: () => {},
  };
  return (async () => (await tool.prepare(parameters, context)).run())();
}

const content = (name: string): string => readFileSync(path.join(root, name), 'utf8');

describe('the tools', () => {
  test('are the twelve of the specification, and pruning knows those that read or change files', () => {
    expect(TOOLS.map(({ name }) => name)).toEqual([
      ...['read_file', 'read_line_range', 'read_many_files', 'write_file', 'replace', 'insert_at_line'],
      ...['delete_line_range', 'list_directory', 'glob', 'search_file_content', 'run_shell_command', 'todo_write'],
    ]);
    const touched = (name: string, parameters: object) =>
      fileAccess({ type: 'tool_call', id: '1', name, parameters }, llxprt, '/w');
    for (const { name, asks } of TOOLS) {
      const { reads, writes } = touched(name, { file_path: 'a.ts', paths: ['a.ts'] });
      if (asks === 'write') expect(writes).toEqual(['/w/a.ts']);
      if (name.startsWith('read')) expect(reads).toContain('/w/a.ts');
    }
  });

  test('describe their parameters to a model as a JSON schema of an object', () => {
    for (const { parameters, description } of TOOLS) {
      expect(parameters).toMatchObject({ type: 'object', properties: expect.any(Object) });
      expect(description).toMatch(/\.$/);
    }
  });

  test('read whole files, parts and several files', async () => {
    expect(await run('read_file', { file_path: 'src/a.ts' })).toBe('one\ntwo\nthree\n');
    expect(await run('read_file', { absolute_path: path.join(root, 'b.md') })).toBe('alpha beta\n');
    expect(await run('read_line_range', { file_path: 'src/a.ts', start_line: 2, end_line: 9 })).toBe('two\nthree');
    expect(await run('read_many_files', { paths: ['**/*.ts', 'b.md', 'none.md'] })).toBe(
      '--- src/a.ts ---\none\ntwo\nthree\n\n--- b.md ---\nalpha beta\n\n--- none.md ---\n[There is no file none.md.]',
    );
  });

  test('change files and report it', async () => {
    await run('write_file', { file_path: 'new/folder/c.txt', content: 'first\nlast' });
    expect(content('new/folder/c.txt')).toBe('first\nlast');
    await run('replace', { file_path: 'src/a.ts', old_string: 'two\n', new_string: 'TWO\n' });
    await run('insert_at_line', { file_path: 'src/a.ts', line_number: 4, content: 'four' });
    expect(content('src/a.ts')).toBe('one\nTWO\nthree\nfour\n');
    await run('insert_at_line', { file_path: 'src/a.ts', line_number: 1, content: 'zero\n' });
    await run('delete_line_range', { file_path: 'src/a.ts', start_line: 2, end_line: 3 });
    expect(content('src/a.ts')).toBe('zero\nthree\nfour\n');
  });

  test('keep the line ends of a file', async () => {
    writeFileSync(path.join(root, 'dos.txt'), 'a\r\nb\r\n');
    await run('insert_at_line', { file_path: 'dos.txt', line_number: 2, content: 'x\ny' });
    expect(content('dos.txt')).toBe('a\r\nx\r\ny\r\nb\r\n');
    await run('replace', { file_path: 'dos.txt', old_string: 'a\r\n', new_string: '$& $1\r\n' });
    expect(content('dos.txt')).toBe('$& $1\r\nx\r\ny\r\nb\r\n');
  });

  test.each([
    ['replace', { file_path: 'src/a.ts', old_string: 'none', new_string: '' }, 'found it 0 times'],
    ['replace', { file_path: 'src/a.ts', old_string: 'e', new_string: '' }, 'found it 3 times'],
    ['insert_at_line', { file_path: 'src/a.ts', line_number: 9, content: '' }, 'up to 4'],
    ['read_line_range', { file_path: 'src/a.ts', start_line: 3, end_line: 2 }, 'at least 3'],
    ['read_file', { file_path: 'none.ts' }, 'no file none.ts'],
    ['read_file', { file_path: 'picture.bin' }, 'not'],
    ['read_file', { file_path: '.' }, 'a directory'],
    ['read_file', {}, 'cannot use these parameters'],
    ['read_file', 'text', 'cannot use these parameters'],
    ['write_file', { file_path: '', content: 'x' }, 'cannot use these parameters'],
    ['search_file_content', { pattern: '(' }, 'regular expression'],
    ['run_shell_command', { command: 'echo out; exit 3' }, 'Exit code 3.\nout'],
  ])('%s says what is wrong: %j', async (name, parameters, words) => {
    const before = content('src/a.ts');
    const outcome = await run(name, parameters).catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(ToolError);
    expect(String(outcome)).toContain(words);
    expect(content('src/a.ts')).toBe(before);
  });

  test('list, find and search', async () => {
    mkdirSync(path.join(root, 'node_modules/x'), { recursive: true });
    writeFileSync(path.join(root, 'node_modules/x/index.ts'), 'two');
    expect(await run('list_directory', {})).toBe('b.md\nnode_modules/\npicture.bin\nsrc/');
    expect(await run('glob', { pattern: '*.ts' })).toBe('src/a.ts');
    expect(await run('glob', { pattern: '*.{md,ts}' })).toBe('b.md\nsrc/a.ts');
    expect(await run('search_file_content', { pattern: 't(wo|hree)' })).toBe('src/a.ts:2: two\nsrc/a.ts:3: three');
    expect(await run('search_file_content', { pattern: 'a', include: '*.md' })).toBe('b.md:1: alpha beta');
    expect(await run('search_file_content', { pattern: 'nowhere' })).toBe('Nothing matches.');
  });

  test('stop a search whose pattern would take years, without blocking the program', async () => {
    writeFileSync(path.join(root, 'evil.txt'), `${'a'.repeat(60)}!`);
    const search = { root, folder: root, expression: '(a+)+$', most: 10 };
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    const outcome = searchOnThread(search, new AbortController().signal, 1_500);
    await expect(outcome).rejects.toThrow('Stopped after 1.5 s');
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(1);
    const controller = new AbortController();
    const aborted = searchOnThread(search, controller.signal);
    setTimeout(() => controller.abort(new Error('Esc')), 300);
    await expect(aborted).rejects.toThrow('Esc');
  });

  test('run commands in the workspace, without the keys of the vendors', async () => {
    process.env['ANTHROPIC_API_KEY'] = 'kept from commands';
    try {
      expect(await run('run_shell_command', { command: 'pwd; echo "[$ANTHROPIC_API_KEY]"' })).toBe(`${root}\n[]\n`);
    } finally {
      delete process.env['ANTHROPIC_API_KEY'];
    }
    expect(await run('run_shell_command', { command: 'ls', directory: 'src' })).toBe('a.ts\n');
    expect(await run('run_shell_command', { command: 'true' })).toBe('[no output]');
  });

  test('a cancelled command ends together with its children', async () => {
    const stop = new AbortController();
    const marker = path.join(root, 'started');
    const running = run('run_shell_command', { command: `sleep 600 & echo $! > ${marker}; wait` }, stop.signal);
    const startedAs = (): number => (existsSync(marker) ? Number(readFileSync(marker, 'utf8')) : 0);
    await expect.poll(startedAs).toBeGreaterThan(0);
    const pid = startedAs();
    stop.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    const stateOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8').split(' ')[2]! : 'gone');
    await expect.poll(() => stateOf(`/proc/${pid}/stat`)).toMatch(/gone|Z/);
  });

  test('keep a list of todos', async () => {
    await run('todo_write', { todos: [{ id: 1, content: 'Look', status: 'in_progress' }] });
    expect(todos).toEqual([{ id: '1', content: 'Look', status: 'in_progress' }]);
  });

  test('cut long results and say how much is missing', async () => {
    writeFileSync(path.join(root, 'long.txt'), 'x'.repeat(50_000));
    expect(await run('read_file', { file_path: 'long.txt' })).toMatch(/x\n\[cut: 10,000 more characters\./);
    const printed = await run('run_shell_command', { command: 'head -c 50000 /dev/zero | tr "\\0" y; echo end' });
    expect(printed).toMatch(/y\n\[cut: 10,004 characters in the middle\]\ny+end\n$/);
    const command = 'echo start; head -c 3000000 /dev/zero | tr "\\0" y; echo end';
    expect(await run('run_shell_command', { command })).toMatch(
      /^start\ny+\n\[cut: 2,960,010 characters in the middle\]\ny+end\n$/,
    );
  });

  test('both ends of a text are kept, in whatever parts it comes', () => {
    const part = fc.tuple(fc.nat(3), fc.nat(8_000)).map(([before, count]) => 'x'.repeat(before) + 'ab😀'.repeat(count));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const whole = parts.join('');
        const cut = new CutMiddle();
        for (const one of parts) cut.add(one);
        if (whole.length <= 40_000) {
          expect(cut.text).toBe(whole);
          return;
        }
        const [, head = '', missing, tail = ''] = /^(.*)\n\[cut: ([\d,]+) characters in the middle\]\n(.*)$/s.exec(
          cut.text,
        )!;
        expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
        expect(head.length + Number(missing!.replaceAll(',', '')) + tail.length).toBe(whole.length);
        expect(Math.min(head.length, tail.length)).toBeGreaterThanOrEqual(19_999);
        expect(`${head} ${tail}`).not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });
});

describe('the workspace', () => {
  const escapes = [
    ['up and over', '../repo-evil/secret.txt'],
    ['the neighbour with the same beginning', () => path.join(outside, 'secret.txt')],
    ['a file of the system', '/etc/hostname'],
    ['a link to a file', 'link.txt'],
    ['a link to a folder', 'linked/secret.txt'],
    ['a path with a zero byte', 'src/\0a.ts'],
  ] as const;
  const writing = TOOLS.filter(({ asks }) => asks === 'write').map(({ name }) => name);

  test.each(escapes)('reads nothing through %s', async (_what, given) => {
    symlinkSync(path.join(outside, 'secret.txt'), path.join(root, 'link.txt'));
    symlinkSync(outside, path.join(root, 'linked'));
    const file = typeof given === 'string' ? given : given();
    await expect(run('read_file', { file_path: file })).rejects.toThrow(/^Refused/);
    const many = await run('read_many_files', { paths: [file] }).catch(String);
    expect(many).not.toBe('secret');
    expect(many).toContain('Refused');
  });

  test.each(escapes)('writes nothing through %s', async (_what, given) => {
    symlinkSync(path.join(outside, 'secret.txt'), path.join(root, 'link.txt'));
    symlinkSync(outside, path.join(root, 'linked'));
    const file = typeof given === 'string' ? given : given();
    const everything = {
      file_path: file,
      content: 'changed',
      old_string: 'secret',
      new_string: 'changed',
      line_number: 1,
      start_line: 1,
      end_line: 1,
    };
    for (const name of writing) await expect(run(name, everything)).rejects.toThrow(/^Refused/);
    expect(readFileSync(path.join(outside, 'secret.txt'), 'utf8')).toBe('secret');
  });

  test('puts no file in the place of a pipe or a folder', async () => {
    const pipe = path.join(root, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(run('write_file', { file_path: 'pipe', content: 'x' })).rejects.toThrow('pipe is not a regular file.');
    expect(statSync(pipe).isFIFO()).toBe(true);
    await expect(run('write_file', { file_path: 'src', content: 'x' })).rejects.toThrow('src is not a regular file.');
  });

  test('does not follow links when it looks for files', async () => {
    symlinkSync(outside, path.join(root, 'linked'));
    symlinkSync(path.join(outside, 'secret.txt'), path.join(root, 'link.txt'));
    expect(await run('glob', { pattern: '**/*.txt' })).toBe('No file matches.');
    expect(await run('search_file_content', { pattern: 'secret' })).toBe('Nothing matches.');
    await expect(run('glob', { pattern: '*', path: '..' })).rejects.toThrow('Refused');
    await expect(run('run_shell_command', { command: 'ls', directory: 'linked' })).rejects.toThrow('Refused');
  });

  test('must be a folder', () => {
    expect(() => new Workspace(path.join(root, 'b.md'))).toThrow(expect.objectContaining({ code: 'USAGE' }));
    symlinkSync('circle', path.join(root, 'circle'));
    expect(() => new Workspace(path.join(root, 'circle'))).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });
});

describe('globs', () => {
  test.each([
    ['*.ts', ['a.ts', 'src/a.ts'], ['a.tsx', 'ats']],
    ['src/*.ts', ['src/a.ts'], ['src/b/a.ts', 'a.ts']],
    ['src/**/*.ts', ['src/a.ts', 'src/b/c/a.ts'], ['lib/a.ts']],
    ['**', ['a', 'b/c'], []],
    ['?.{js,m?}', ['a.js', 'd/a.md'], ['ab.js', 'a.ts']],
    ['[a-c]x[!0]', ['axb', 'cxz'], ['dxb', 'ax0']],
    ['a+b(c).txt', ['a+b(c).txt'], ['aab(c).txt']],
    ['{open', ['{open'], ['open']],
  ])('%s', (glob, matching, others) => {
    const pattern = globPattern(glob);
    expect(matching.filter((name) => !pattern.test(name))).toEqual([]);
    expect(others.filter((name) => pattern.test(name))).toEqual([]);
  });

  test('any text is a glob', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), (glob) => {
        expect(globPattern(glob)).toBeInstanceOf(RegExp);
      }),
    );
  });
});
