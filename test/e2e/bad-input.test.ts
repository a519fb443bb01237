import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { COMMAND } from './command.ts';
import { Computer, EDITED, jsonLines, outcomeOf, sessionText } from './density.ts';

const computer = new Computer();
const whole = sessionText(EDITED);
const session = computer.write('edited.jsonl', whole);

const pipe = path.join(computer.folder, 'pipe');
execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', pipe]);

describe('a file that is not a session', () => {
  test.each([
    ['that is missing', path.join(computer.home, 'missing.jsonl'), 'no such file'],
    ['that is empty', computer.write('empty.jsonl', ''), 'empty file (0 bytes)'],
    ['that is no regular file', '/dev/null', 'no regular file'],
    ['that is a pipe without a writer', pipe, 'no regular file'],
    [
      'in an unknown format',
      computer.write('notes.md', '# Notes\n'),
      'Expected a session in a known format, got "# Notes',
    ],
    ['that is binary', computer.write('binary', new Uint8Array([127, 69, 76, 70, 0, 255, 254])), 'known format'],
    ['without a message', computer.write('header.jsonl', sessionText([])), 'has no message yet'],
  ])('%s gets a clear error that names it', async (_what, file, reason) => {
    for (const command of ['replay', 'inspect']) {
      const { code, out, err } = await computer.run([command, file]);
      expect([code, out]).toEqual([1, '']);
      expect(err).toContain(file);
      expect(err).toContain(reason);
      expect(err).not.toMatch(/\n\s+at /);
    }
  });

  test('that is a folder gets a clear error', async () => {
    const folder = path.join(computer.folder, 'empty');
    mkdirSync(folder);
    expect(await computer.run(['inspect', folder])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('is a directory'),
    });
    const replay = await computer.run(['replay', folder]);
    expect(replay).toMatchObject({ code: 2, out: '', err: expect.stringContaining(`got none in ${folder}`) });
  });

  test('can be read with --format, as the error says', async () => {
    const { err } = await computer.run(['inspect', computer.write('odd.txt', 'x\n'.repeat(9))]);
    expect(err).toContain('--format');
    const forced = await computer.run(['inspect', '--format', 'high-density', computer.write('odd.txt', 'x\n')]);
    expect(forced.code).toBe(1);
    expect(forced.err).toContain('line 1');
  });
});

describe('a damaged session', () => {
  test('is read as far as possible, and skipped lines are counted', async () => {
    const lines = whole.split('\n');
    const half = computer.write(
      'half.jsonl',
      [...lines.slice(0, 4), '{"speaker": "to', ...lines.slice(4)].join('\n').slice(0, -30),
    );
    const { code, out } = await computer.run(['replay', '--json', half]);
    expect(code).toBe(0);
    expect(jsonLines(out)[0]).toMatchObject({ skippedLines: 2, pairsBroken: 0 });
    expect((await computer.run(['inspect', half])).out).toContain('2 lines were skipped; line 5');
  });

  test('that is one cut document gets an error with the file and the place', async () => {
    const cut = computer.write(
      'cut.json',
      '{"model":"claude-x","messages":[{"role":"user","content":"hello"},{"role":"assis',
    );
    const { code, err } = await computer.run(['replay', cut]);
    expect(code).toBe(1);
    expect(err).toContain(cut);
  });
});

describe('wrong usage', () => {
  test.each([
    [['--strategy', 'hi-density'], 'Did you mean "high-density"?'],
    [['--threshold', '1.5'], 'at most 1'],
    [['--preserve', '-1'], 'compression-preserve-threshold'],
    [['--recency-retention', '2.5'], 'whole number'],
    [['--file-dedupe', 'of'], 'Did you mean "off"?'],
    [['--context-limit', 'much'], '200k'],
    [['--format', 'claude'], 'Did you mean "claude-code"?'],
    [['--treshold', '0.5'], 'Did you mean --threshold?'],
    [['--model'], 'argument missing'],
  ])('%j ends with 2 and says what is right', async (args, hint) => {
    const { code, out, err } = await computer.run(['replay', session, ...args]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(hint);
    expect(err).toMatch(/^density: /);
  });

  test('an unknown command gets the nearest name, no command gets help', async () => {
    const unknown = await computer.run(['repaly']);
    expect([unknown.code, unknown.err.includes('Did you mean replay?')]).toEqual([2, true]);
    const none = await computer.run([]);
    expect([none.code, none.err.includes('Usage: density')]).toEqual([2, true]);
  });

  test('control characters in it do not reach the terminal', async () => {
    const { code, err } = await computer.run(['show', '\u001b]0;title\u0007']);
    expect(code).toBe(1);
    expect(err).toContain('got "·]0;title·"');
  });

  test('a missing argument or option is named', async () => {
    expect((await computer.run(['convert', session])).err).toContain("required option '--to <format>'");
    expect((await computer.run(['optimize', session])).err).toContain("required option '-o, --output <file>'");
  });
});

describe('help and version', () => {
  test('help lists every command of a door, each in one line of 80 columns, and each has help of its own', async () => {
    const { code, out } = await computer.run(['--help']);
    expect(code).toBe(0);
    const listed = COMMANDS.filter(({ door }) => door !== undefined);
    const rows = [...out.matchAll(/^ {2}([a-z]+) {2,}(\S.*)$/gm)].map(([, name, summary]) => ({ name, summary }));
    expect(rows).toEqual(listed.map(({ name, summary }) => ({ name, summary })));
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(out.split('\n').length).toBeLessThanOrEqual(45);
  });

  test.each(COMMANDS)(
    'help of $name and of its commands fits a screen, with at most twelve options',
    async ({ name }) => {
      const left = [[name]];
      for (let words = left.pop(); words !== undefined; words = left.pop()) {
        const { code, out } = await computer.run([...words, '--help']);
        expect([code, out]).toEqual([0, expect.stringContaining(`Usage: density ${words.join(' ')}`)]);
        const [described = ''] = out.split('\nExamples:\n');
        const lines = described.split('\n');
        expect(lines.filter((line) => line.length > 80)).toEqual([]);
        expect(lines.filter((line) => /^ {2}-/.test(line)).length, out).toBeLessThanOrEqual(12);
        expect(out.trimEnd().split('\n').length, out).toBeLessThanOrEqual(45);
        const [, own = ''] = described.split('\nCommands:\n');
        for (const [, inner = ''] of own.matchAll(/^ {2}([a-z]+)(?= |$)/gm)) left.push([...words, inner]);
      }
    },
  );

  test.each([[['watch']], [['help', 'serve']], [['--plain', 'chat', 'day.jsonl']]])(
    '%j names what takes the place of a removed command',
    async (args) => {
      const { code, out, err } = await computer.run(args);
      expect([code, out]).toEqual([2, '']);
      expect(err).toMatch(/^density: `(?:watch|serve|chat)` is no command any more; .*`.*`.*\.\n$/);
    },
  );

  test.each([[['--help']], [['bill', '--help']], [['--nonsense']]])(
    '%j ends quietly when its reader closes',
    async (args) => {
      const child = computer.start(args);
      child.stdout?.destroy();
      child.stderr?.destroy();
      expect((await outcomeOf(child)).code).toBe(args[0] === '--nonsense' ? 2 : 0);
    },
  );

  test('what only a part of the output fits into is no success', () => {
    const out = openSync(path.join(computer.folder, 'part.jsonl'), 'w');
    // In blocks of 512 or 1,024 bytes. The rest of a write that began below the limit is lost without an error.
    const limited = ['-c', 'ulimit -f 3; exec "$@"', 'sh', process.execPath, COMMAND, 'convert', session];
    const { status, stderr } = spawnSync('/bin/sh', [...limited, '--to', 'high-density', '-o', '-'], {
      env: { PATH: process.env.PATH, HOME: computer.home, NODE_DISABLE_COMPILE_CACHE: '1' },
      stdio: ['ignore', out, 'pipe'],
      encoding: 'utf8',
    });
    expect(fstatSync(out).size).toBeGreaterThan(0);
    closeSync(out);
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('Expected to write the output, but the file would be larger than is allowed.'),
    ]);
  });

  test('version is that of the package', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect((await computer.run(['--version'])).out).toBe(`${version}\n`);
  });
});

describe('stack traces', () => {
  test('are printed with --debug only', async () => {
    expect((await computer.run(['inspect', 'missing'])).err).not.toMatch(/\n\s+at /);
    expect((await computer.run(['inspect', 'missing', '--debug'])).err).toMatch(/\n\s+at /);
  });
});
