import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import stringWidth from 'string-width';
import { get_encoding } from 'tiktoken';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { callOf } from '../proxy/live-calls.ts';
import { COMMAND } from './command.ts';
import { Computer, EDITED, jsonLines, outcomeOf, sessionText } from './density.ts';

const computer = new Computer();

describe('density dev count', () => {
  const text = 'Größe: 42 名前 🎉 const answer = await harbour.open();\n'.repeat(40_000);
  const file = computer.write('large.txt', text);

  test('counts a file exactly for any chunks', async () => {
    const tokenizer = get_encoding('o200k_base');
    const { out } = await computer.run(['dev', 'count', '--json', file]);
    expect(jsonLines(out)).toEqual([
      {
        file,
        tokens: tokenizer.encode_ordinary(text).length,
        bytes: Buffer.byteLength(text),
        model: 'gpt-5',
        family: 'o200k',
        isExact: true,
      },
    ]);
  });

  test('adds up several files and says whether it is exact', async () => {
    const one = computer.write('one.txt', 'harbour');
    const { out, err } = await computer.run(['dev', 'count', one, one, '--model', 'claude-opus-4-5']);
    expect(out).toMatch(/^2 files +\d+ +14 B$/m);
    expect(err).toContain('an estimate');
    expect((await computer.run(['dev', 'count', one])).err).toContain('exact');
  });

  test('counts 0 in an empty file, and the other files if one is missing', async () => {
    const { code, out } = await computer.run([
      'dev',
      'count',
      '--json',
      computer.write('empty.txt', ''),
      'missing',
      file,
    ]);
    expect(code).toBe(1);
    expect(jsonLines(out).map(({ tokens }) => tokens === 0)).toEqual([true, false]);
  });
});

describe('density inspect', () => {
  const session = computer.write('edited.jsonl', sessionText(EDITED));

  test('shows tokens by speaker, tool and file, the largest entries and what stands out', async () => {
    const { code, out } = await computer.run(['inspect', session]);
    expect(code).toBe(0);
    for (const line of out.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(80);
    expect(out).toMatch(/^tools: tool results +3 +\d+ +\d+% +█+$/m);
    expect(out).toMatch(/^read_file +2 +\d+/m);
    expect(out).toMatch(/^a\.ts +2 +1 +\d+/m);
    expect(out).toMatch(/^ *3 +tool +read_file a\.ts +\d+/m);
    expect(out).toMatch(/^What optimize would remove\n/m);
  });

  test('keeps its columns aligned with wide characters', async () => {
    const wide = EDITED.map((entry) =>
      JSON.parse(JSON.stringify(entry).replaceAll('/project/a.ts', '/project/設定ファイル.ts')),
    );
    const { out } = await computer.run(['inspect', computer.write('wide.jsonl', sessionText(wide))]);
    const rows = out.split('\n').filter((line) => /^\S*設定ファイル\.ts|^file /.test(line));
    expect(rows).toHaveLength(2);
    const startOfBar = (row: string): number => stringWidth(row.slice(0, row.search(/share|\d+%/)));
    expect(stringWidth(rows[0]!.slice(0, rows[0]!.indexOf('share') + 5))).toBe(
      stringWidth(rows[1]!.slice(0, rows[1]!.indexOf('%') + 1)),
    );
    expect(startOfBar(rows[1]!)).toBeGreaterThan(0);
  });

  test('reports the same as one JSON object', async () => {
    const { out } = await computer.run(['inspect', '--json', session]);
    expect(jsonLines(out)).toHaveLength(1);
    const { context, tokens } = JSON.parse(out);
    expect(tokens).toBe(context.tokens);
    expect(jsonLines(out)[0]).toMatchObject({
      format: 'high-density',
      entries: 8,
      recordedTokens: expect.any(Number),
      removed: { readWritePairs: 1 },
      skippedLines: 0,
    });
  });

  test('prints no control characters', async () => {
    const evil = EDITED.map((entry) => JSON.parse(JSON.stringify(entry).replaceAll('read_file', 'read\\u001b[2Jfile')));
    const { out } = await computer.run(['inspect', computer.write('evil.jsonl', sessionText(evil))]);
    expect(out).not.toContain('\u001b');
  });
});

describe('density doctor', () => {
  test('checks Node, the vocabulary, threads and the data folder, and finds sessions', async () => {
    const { code, out } = await computer.run(['doctor', '--json']);
    expect(code).toBe(0);
    const findings = jsonLines(out)[0]?.['findings'] as { check: string; isFine: boolean }[];
    expect(findings.map(({ check }) => check)).toEqual([
      'Node',
      'vocabulary',
      'threads',
      'data folder',
      'density',
      'Claude Code',
      'Codex',
      'Gemini CLI',
      'LLxprt',
      'opencode',
      'Kilo CLI',
      'pi',
      'Qwen Code',
      'Copilot CLI',
      'Cline',
      'Roo Code',
      'Kilo Code',
      'prices',
    ]);
    expect(findings.every(({ isFine }) => isFine)).toBe(true);
  });

  test('shortens the home in paths to ~', async () => {
    const { out } = await computer.run(['doctor']);
    expect(out).toContain('✓ data folder  ~/.local/share/high-density\n');
    expect(out).toContain('✓ Claude Code  no sessions in ~/.claude/projects\n');
    expect(out).not.toContain(computer.home);
  });

  test('fails if something does not work, and says what', async () => {
    const file = computer.write('a-file', '');
    const { code, out } = await computer.run(['doctor'], { XDG_DATA_HOME: file });
    expect(code).toBe(1);
    expect(out).toMatch(/✗ data folder/);
  });
});

describe('density completion', () => {
  test.each(['bash', 'zsh', 'fish'])('prints a script for %s with every command, option and choice', async (shell) => {
    const { code, out } = await computer.run(['completion', shell]);
    expect(code).toBe(0);
    for (const word of [
      'replay',
      'inspect',
      'optimize',
      'strategy',
      'count',
      'doctor',
      'completion',
      'context-limit',
      'high-density',
      'none',
    ]) {
      expect(out).toContain(word);
    }
  });

  test('for bash is valid and completes', async () => {
    const { out } = await computer.run(['completion', 'bash']);
    const script = computer.write('completion.bash', out);
    const complete = `source ${script}; COMP_WORDS=(density replay --strategy hi); COMP_CWORD=3; _density; echo "\${COMPREPLY[@]}"`;
    expect(execFileSync('bash', ['-c', complete]).toString()).toBe('high-density\n');
    const commands = `source ${script}; COMP_WORDS=(density co); COMP_CWORD=1; _density; echo "\${COMPREPLY[@]}"`;
    const names = COMMANDS.map(({ name }) => name).filter((name) => name.startsWith('co'));
    expect(execFileSync('bash', ['-c', commands]).toString()).toBe(`${names.join(' ')}\n`);
  });

  test('for bash completes commands of a group, and their options', async () => {
    const { out } = await computer.run(['completion', 'bash']);
    const script = computer.write('completion.bash', out);
    const completed = (...words: string[]): string => {
      const line = `source ${script}; COMP_WORDS=(density ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _density; echo "\${COMPREPLY[@]}"`;
      return execFileSync('bash', ['-c', line]).toString();
    };
    expect(completed('te')).toBe('team\n');
    expect(completed('team', 'w')).toBe('worker\n');
    expect(completed('team', 'worker', '--li')).toBe('--listen\n');
    expect(completed('team', 'token', 'add', '--per')).toBe('--per-minute\n');
    expect(completed('dev', 'shape', '--passing-tests', 'of')).toBe('off\n');
  });

  test('for bash completes ids of sessions', async () => {
    const { out } = await computer.run(['completion', 'bash']);
    const script = computer.write('completion.bash', out);
    computer.write('.codex/sessions/rollout-1.jsonl', '{}\n');
    const [id = ''] = (await computer.run(['sessions', '--ids'])).out.split('\t');
    expect(id).toMatch(/^[0-9a-f]{6,}$/);
    const command = `density() { "${process.execPath}" "${COMMAND}" "$@"; }; source ${script}; COMP_WORDS=(density inspect ${id.slice(0, 2)}); COMP_CWORD=2; _density; echo "\${COMPREPLY[@]}"`;
    const completed = execFileSync('bash', ['-c', command], {
      cwd: computer.folder,
      env: { ...process.env, HOME: computer.home },
    });
    expect(completed.toString()).toBe(`${id}\n`);
  });
});

describe('standard output', () => {
  test.each(['doctor', '--help'])('that is full makes %s fail with an explanation', async (word) => {
    const full = openSync('/dev/full', 'w');
    const { spawn } = await import('node:child_process');
    const main = path.resolve(import.meta.dirname, '../../dist/density.js');
    const child = spawn(process.execPath, [main, word], {
      stdio: ['ignore', full, 'pipe'],
      env: { HOME: computer.home },
    });
    const { code, err } = await outcomeOf(child);
    closeSync(full);
    expect(code).toBe(1);
    expect(err).toContain('no space left');
  });
});

describe('density dev provider --script', () => {
  const start = async (text: string | undefined) => {
    const computer = new Computer();
    const file = text === undefined ? '/nowhere/script.json' : computer.write('script.json', text);
    return computer.run(['dev', 'provider', '--script', file]);
  };

  test('says in one line what is wrong with a script', async () => {
    const missing = await start(undefined);
    expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('there is no such file') });
    const wrong = await start('[{"text": 5}]');
    expect(wrong.code).toBe(2);
    expect(wrong.err).toMatch(/to be a JSON list of answers, .*, got: Invalid input: expected string.*\[0\]\.text/);
    expect(wrong.err.trim().split('\n')).toHaveLength(1);
  });
});

test('a name of no file fails once, with the code of a failure', async () => {
  for (const command of ['bill', 'compare']) {
    const { code, err } = await new Computer().run([command, '/nowhere']);
    expect([command, code]).toEqual([command, 1]);
    expect(err.match(/density:/g)).toHaveLength(1);
  }
});

test('two characters that name no session are told as an id, not as a path', async () => {
  const { code, err } = await new Computer().run(['inspect', 'ff']);
  expect([code, err]).toEqual([1, expect.stringContaining('no session on this computer has this id')]);
});

test('density stats says of each sum how often it counts a text, and what the columns are', async () => {
  const own = new Computer();
  const changed = [
    {
      callId: 'c',
      kind: 'pruned',
      what: 'Read a.ts',
      reason: 'Read b.ts shows the same lines above',
      savedTokens: 3000,
    },
  ];
  const call = (minute: number, more: object) => ({
    at: Date.now() - (10 - minute) * 60_000,
    agent: 'claude-code',
    api: 'anthropic-messages',
    isShadow: false,
    isCount: false,
    isResent: false,
    status: 200,
    addedMs: 1,
    tookMs: 2,
    model: 'claude-opus-4-5',
    usage: { promptTokens: 20_000, cachedTokens: 18_000, writtenTokens: 2000, writtenHourTokens: 0, outputTokens: 9 },
    report: {
      conversation: 'c1',
      model: 'claude-opus-4-5',
      changed: [],
      projected: 1,
      savedTokens: 3000,
      sentTokens: 20_000,
      isEpoch: false,
      neededAgain: [],
      unknownTools: [],
      ...more,
    },
  });
  const lines = [call(1, { changed }), call(2, {}), call(3, {})].map((one) => `${JSON.stringify(one)}\n`);
  own.write('.local/share/high-density/live/calls.jsonl', lines.join(''));
  const { code, out } = await own.run(['stats']);
  const said = out.replaceAll(/\s+/g, ' ');
  expect(code).toBe(0);
  expect(said).toMatch(
    /^In all: saved \$0\.0\d\d at list prices \(25% of the bill\) · 9\.0k tokens left out \(13%\) · 3 calls\. 30 days: /,
  );
  expect(out).toContain('calls.\n\n30 days:\n');
  expect(said).toContain('9.0k left out · 1 result shortened');
  expect(said).toContain('(each counted once; above, "left out" counts it again at every later call)');
  expect(said).toContain('1 × Read b.ts shows the same lines above (3.0k tokens)');
  expect(said).toContain('Net: the difference.');
  expect(said).not.toContain('added');
});

test.each(['Etc/GMT+12', 'UTC', 'Etc/GMT-14'])(
  'density stats counts each call of its days once (TZ=%s)',
  async (TZ) => {
    const own = new Computer();
    const hoursAgo = [47.9, 24.1, 23.9, 14, 12, 0.1];
    const calls = hoursAgo.map((hours) => ({ ...callOf(), at: Date.now() - hours * 60 * 60_000 }));
    own.write('.local/share/high-density/live/calls.jsonl', calls.map((one) => `${JSON.stringify(one)}\n`).join(''));
    const callsOf = async (days: string) => {
      const [{ agents } = {}] = jsonLines((await own.run(['stats', '--days', days, '--json'], { TZ })).out);
      return (agents as { calls: number }[]).map((agent) => agent.calls);
    };
    expect([await callsOf('1'), await callsOf('2')]).toEqual([[4], [6]]);
  },
);
