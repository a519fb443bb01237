import { appendFileSync, chmodSync, existsSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { formatNamed } from '../../src/formats/index.ts';
import { decode, joinLines } from '../../src/formats/lines/lines.ts';
import { Computer, jsonLines, type Outcome } from './density.ts';

const ID = '5f3c2d1e-0000-4000-8000-000000000001';
const DAY_MS = 24 * 60 * 60_000;
const MODEL = 'claude-sonnet-4-5';
const LINES = Array.from({ length: 300 }, (_, at) => `const value${at} = ${at};`).join('\n');

interface Told {
  readonly agoMs: number;
  readonly model?: string;
  readonly isStale?: boolean;
  readonly signature?: string;
  /** Of what the user says after the write. */
  readonly words?: number;
}

/** A read, a write of the same file, and many further calls: the read is stale. The last call was so long ago. */
function entries(folder: string, { agoMs, model = MODEL, isStale = true, signature, words = 0 }: Told): IContent[] {
  const file = path.join(folder, 'a.ts');
  const end = Date.now() - agoMs;
  const all: IContent[] = [];
  const add = (speaker: IContent['speaker'], ...blocks: IContent['blocks'][number][]): void => {
    const usage = { promptTokens: 30_000, completionTokens: 10, totalTokens: 30_010, cachedTokens: 0 };
    const facts = speaker === 'ai' ? { model, usage } : {};
    all.push({
      speaker,
      blocks,
      metadata: { id: `m${all.length}`, timestamp: end - (100 - all.length) * 1_000, ...facts },
    });
  };
  const call = (name: string, parameters: object, result: string): void => {
    const id = `call${all.length}`;
    const thought =
      signature === undefined
        ? []
        : [{ type: 'thinking' as const, thought: 'Hm.', signature, sourceField: 'thinking' as const }];
    add('ai', ...thought, { type: 'tool_call', id, name, parameters });
    add('tool', { type: 'tool_response', callId: id, toolName: name, result });
  };
  add('human', { type: 'text', text: 'Please write it again.' });
  call('Read', { file_path: file }, LINES);
  if (isStale) call('Write', { file_path: file, content: 'const one = 1;' }, `The file ${file} has been updated.`);
  if (words > 0) add('human', { type: 'text', text: 'and so on, '.repeat(words) });
  for (let number = 0; number < 8; number++) call('Bash', { command: `echo ${number}` }, `${number}`);
  add('ai', { type: 'text', text: 'Done.' });
  return all;
}

/** A computer with a session of Claude Code in its working folder, unchanged for a minute. */
function planted(told: Told): { computer: Computer; file: string; text: string } {
  const computer = new Computer();
  const facts = {
    id: ID,
    model: told.model ?? MODEL,
    workspaceRoot: computer.folder,
    startedAt: Date.now() - told.agoMs,
  };
  const parts = formatNamed('claude-code').create?.(entries(computer.folder, told), facts) ?? [];
  const text = decode(joinLines(parts));
  const file = computer.write(`.claude/projects/${computer.folder.replaceAll(/[^\w]/g, '-')}/${ID}.jsonl`, text);
  utimesSync(file, Date.now() / 1_000 - 60, Date.now() / 1_000 - 60);
  const agent = computer.write('bin/claude', '#!/bin/sh\necho "started $@ in $(pwd)" | tee "$HOME/started"; exit 7\n');
  chmodSync(agent, 0o755);
  return { computer, file, text };
}

const withAgent = (computer: Computer) => ({
  PATH: `${path.join(computer.home, 'bin')}${path.delimiter}${process.env['PATH']}`,
});

/** Starts an agent that only says what it got, and ends with code 7. What it said is the end of `out`. */
async function start(computer: Computer, ...args: string[]): Promise<Outcome> {
  const told = path.join(computer.home, 'started');
  rmSync(told, { force: true });
  const outcome = await computer.run(['optimize', ...args, '--start'], withAgent(computer));
  return { ...outcome, out: outcome.out + (existsSync(told) ? readFileSync(told, 'utf8') : '') };
}

const STARTED = /^started --resume ([\w-]{36}) in (.*)$/m;

const report = async (computer: Computer, ...args: string[]) => {
  const { code, out, err } = await computer.run(['optimize', '--start', '--dry-run', '--json', ...args]);
  expect([code, err]).toEqual([0, expect.not.stringContaining('Expected')]);
  return jsonLines(out)[0]!;
};

describe('density optimize --start', () => {
  test('prunes the newest session of this folder if its cache has expired, and leaves it as it is', async () => {
    const { computer, file, text } = planted({ agoMs: DAY_MS });
    const { code, out, err } = await computer.runApart(['optimize', '--start'], withAgent(computer));
    expect([code, err]).toEqual([7, expect.stringMatching(/^Newest session in this folder, from Claude Code: .*\n$/)]);
    expect(out).toContain('last model call 1 day ago; the prompt cache has expired');
    expect(out).toMatch(/as it is +[\d,]+ +0% +\$0\.\d+\n *pruned +[\d,]+ +0% +\$0\.\d+\n/);
    expect(out).toContain('Pruning costs nothing extra now');
    expect(readFileSync(file, 'utf8')).toBe(text);
    const [, id = '', folder] = STARTED.exec(out) ?? [];
    expect([id === ID, folder]).toEqual([false, computer.folder]);
    const installed = readFileSync(path.join(path.dirname(file), `${id}.jsonl`), 'utf8');
    expect(installed).not.toContain('const value299');
    expect(installed).toContain('Please write it again.');
  });

  test('says with --dry-run what it would do, and what to type', async () => {
    const { computer, file } = planted({ agoMs: DAY_MS });
    const { code, out, err } = await computer.run(['optimize', ID, '--start', '--dry-run']);
    expect([code, err]).toEqual([0, expect.stringMatching(/^next: density optimize [0-9a-f]{6,} --start\n$/)]);
    expect(out).toMatch(/Pruning costs nothing extra now[\s\S]*\nNothing was written\.\n$/);
    expect(readdirSync(path.dirname(file))).toEqual([path.basename(file)]);
    const json = await computer.run(['optimize', ID, '--start', '--json']);
    expect([json.code, json.err]).toEqual([2, expect.stringContaining('--dry-run')]);
  });

  test('says with --json what it costs before and after, and why', async () => {
    const { computer, file } = planted({ agoMs: DAY_MS });
    const told = await report(computer, ID);
    expect(told).toMatchObject({
      format: 'claude-code',
      model: MODEL,
      cache: 'expired',
      cachedTokens: 0,
      decision: { cause: 'cold' },
      removed: { readWritePairs: 1 },
      resume: null,
      output: null,
      make: expect.stringMatching(/^density optimize [0-9a-f]{6,} --start$/),
    });
    expect(readdirSync(path.dirname(file))).toEqual([path.basename(file)]);
    expect(existsSync(path.join(computer.home, '.local'))).toBe(false);
    const [, , id = ''] = String(told['make']).split(' ');
    expect((await start(computer, id)).out).toMatch(/^started --resume (?!5f3c2d1e)/m);
    const tokens = Number(told['tokens']);
    const after = Number(told['tokensAfter']);
    expect(tokens - after).toBeGreaterThan(1_000);
    // 3.75 dollars for a million tokens written for five minutes.
    expect(told['dollars']).toBeCloseTo((tokens * 3.75) / 1e6, 6);
    expect(told['dollarsAfter']).toBeCloseTo((after * 3.75) / 1e6, 6);
  });

  test.each<[string, Told, string]>([
    ['the cache is warm and pruning costs more than it saves', { agoMs: 30_000, words: 30_000 }, 'costs'],
    ['earlier thinking is bound', { agoMs: DAY_MS, model: 'claude-opus-5-5', signature: 'c2ln' }, 'bound'],
    ['nothing is stale', { agoMs: DAY_MS, isStale: false }, 'none'],
  ])('gives the command of the old session if %s', async (_why, told, cause) => {
    const { computer, file } = planted(told);
    expect(await report(computer)).toMatchObject({
      decision: { cause },
      output: null,
      resume: `cd ${computer.folder} && claude --resume ${ID}`,
      make: null,
    });
    expect(readdirSync(path.dirname(file))).toEqual([path.basename(file)]);
    const { out } = await start(computer);
    expect(STARTED.exec(out)?.[1]).toBe(ID);
    expect(out).toMatch(/Pruning waits: |Nothing was removed/);
  });

  test('prunes all the same with --install', async () => {
    const { computer } = planted({ agoMs: 30_000, words: 30_000 });
    expect(await report(computer, '--install')).toMatchObject({
      cache: 'warm',
      make: expect.stringMatching(/ --start --install$/),
    });
  });

  test('refuses while the agent writes, and writes nothing', async () => {
    const { computer, file } = planted({ agoMs: DAY_MS });
    // Still within seconds of its last change, however long the command takes to start.
    const soon = new Date(Date.now() + 3_600_000);
    utimesSync(file, soon, soon);
    const { code, err } = await start(computer, '--install');
    expect([code, err]).toEqual([1, expect.stringContaining('does not write to')]);
    expect(readdirSync(path.dirname(file))).toEqual([path.basename(file)]);
  });

  test('says how to install an agent that it does not find, and writes nothing', async () => {
    const { computer, file } = planted({ agoMs: DAY_MS });
    const { code, err } = await computer.run(['optimize', '--start'], { PATH: '/nowhere' });
    expect([code, err]).toEqual([2, expect.stringContaining('npm install -g @anthropic-ai/claude-code')]);
    expect(readdirSync(path.dirname(file))).toEqual([path.basename(file)]);
  });

  test('wants a session, and one whose agent can go on', async () => {
    const computer = new Computer();
    const none = await computer.run(['optimize', '--start']);
    expect(none).toMatchObject({ code: 1, err: expect.stringContaining('density doctor') });
    const own = computer.write('day.jsonl', readFileSync(path.resolve('src/sessions/example-session.jsonl')));
    const { code, err } = await start(computer, own);
    expect([code, err]).toEqual([1, expect.stringContaining('how its agent finds a new session is not known')]);
  });

  /** The sessions in the folder of this one, without transcripts. */
  const sessionsBeside = (file: string): string[] =>
    readdirSync(path.dirname(file)).filter((name) => !name.includes('transcript'));

  test.each([
    ['--start', (computer: Computer) => start(computer, ID)],
    ['--install', (computer: Computer) => computer.run(['optimize', ID, '--install'])],
  ] as const)(
    '%s makes one copy, however often it is asked, until somebody goes on from it or from the old one',
    async (option, run) => {
      const { computer, file } = planted({ agoMs: DAY_MS });
      const resumed = async (): Promise<string> => {
        const { code, out, err } = await run(computer);
        expect(code, err).toBe(option === '--start' ? 7 : 0);
        return /--resume ([\w-]{36})/.exec(option === '--start' ? out : err)?.[1] ?? '';
      };
      const first = await resumed();
      expect([await resumed(), await resumed(), await resumed(), await resumed()]).toEqual(Array(4).fill(first));
      expect(sessionsBeside(file).toSorted()).toEqual([path.basename(file), `${first}.jsonl`].toSorted());
      expect(await report(computer, ID)).toMatchObject({ resume: expect.stringContaining(first), make: null });
      const copy = path.join(path.dirname(file), `${first}.jsonl`);
      const [line = ''] = readFileSync(copy, 'utf8').trimEnd().split('\n').slice(-1);
      const { uuid, ...last } = JSON.parse(line) as { uuid: string };
      appendFileSync(copy, `${JSON.stringify({ ...last, uuid: uuid.replace(/^./, 'f'), parentUuid: uuid })}\n`);
      const goneOn = readFileSync(copy);
      const second = await resumed();
      expect(second).not.toBe(first);
      expect(await resumed()).toBe(second);
      expect(readFileSync(copy)).toEqual(goneOn);
      appendFileSync(
        file,
        `${JSON.stringify({ ...last, sessionId: ID, uuid: uuid.replace(/^./, 'e'), parentUuid: uuid })}\n`,
      );
      utimesSync(file, Date.now() / 1_000 - 60, Date.now() / 1_000 - 60);
      expect([first, second]).not.toContain(await resumed());
    },
  );

  test('prices the next call as `optimize` does, and both name the prices', async () => {
    const { computer } = planted({ agoMs: DAY_MS });
    const trial = await computer.run(['optimize', ID, '--dry-run']);
    const prices = 'list prices of claude-sonnet-4-5, cache writes for 5 minutes';
    expect(trial.out.replaceAll('\n', ' ')).toContain(prices);
    const { dollars, dollarsAfter } = await report(computer, ID);
    const less = Number(dollars) - Number(dollarsAfter);
    expect(trial.out).toContain(`$${less.toFixed(3)} less for the next call`);
    expect((await start(computer, ID)).out.replaceAll('\n', ' ')).toContain(prices);
  });

  test('takes the session itself again after a copy was written', async () => {
    const { computer, file } = planted({ agoMs: DAY_MS });
    await start(computer, ID);
    const again = await start(computer);
    expect(again.err).toContain(path.basename(file));
    expect(again.out).toContain('is that session, written before');
  });

  test('shows copies and their origin in the list, and removes those that nobody went on from', async () => {
    const { computer, file } = planted({ agoMs: DAY_MS });
    expect((await computer.run(['sessions'])).out).not.toContain('copy of');
    const made = await start(computer, ID);
    const copy = path.join(path.dirname(file), `${STARTED.exec(made.out)?.[1]}.jsonl`);
    const listed = jsonLines((await computer.run(['sessions', '--json'])).out);
    expect(listed.map(({ path: found, copyOf }) => [found, copyOf])).toEqual([
      [copy, file],
      [file, null],
    ]);
    const origin = listed.find(({ path: found }) => found === file)?.['id'];
    expect((await computer.run(['sessions'])).out).toMatch(new RegExp(`copy of ${origin} .*\\n${origin} .*\\n`));
    const kept = readFileSync(copy);
    expect(jsonLines((await computer.run(['sessions', '--copies', '--json'])).out)).toMatchObject([
      { path: copy, copyOf: file, isRemoved: false },
    ]);
    appendFileSync(copy, '\n');
    expect((await computer.run(['sessions', '--copies', '--remove'])).out).toBe('0 copies removed.\n');
    computer.write(path.relative(computer.home, copy), kept);
    expect((await computer.run(['sessions', '--copies', '--remove'])).out).toContain('1 copy removed.');
    expect(readdirSync(path.dirname(file))).toEqual([path.basename(file)]);
  });
});
