import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { haveRedis, RedisServer } from '../fleet/redis-server.ts';
import { Computer, jsonLines, outcomeOf } from './density.ts';

const FIRST = '5f3c2d1e-0000-4000-8000-000000000001';
const SECOND = '5f3c2d1e-0000-4000-8000-000000000002';
const CALLS = 6;
/** Two of its calls read what was changed later: `optimize` removes them. */
const LEFT = CALLS - 2;
const START = Date.UTC(2026, 10, 20, 8);
const CODE = (version: number): string =>
  Array.from({ length: 200 }, (_, at) => `export const value${at} = ${at + version};`).join('\n');

type Lines = readonly Readonly<Record<string, unknown>>[];

/** A step of Claude Code: it reads a file, or changes a line of it that it saw, a minute after the step before. */
function step(at: number, file: string): Lines {
  const isEdit = at % 2 === 1;
  const time = (second: number): string => new Date(START + at * 60_000 + second * 1000).toISOString();
  const input = isEdit
    ? { file_path: file, old_string: `export const value${at} = ${at};`, new_string: `export const value${at} = -1;` }
    : { file_path: file };
  const usage = {
    input_tokens: 10,
    cache_creation_input_tokens: 5000,
    cache_read_input_tokens: at * 5000,
    output_tokens: 100,
  };
  const content = [{ type: 'tool_use', id: `toolu_${at}`, name: isEdit ? 'Edit' : 'Read', input }];
  const shown = isEdit ? `The file ${file} has been updated.` : CODE(0);
  const result = [{ type: 'tool_result', tool_use_id: `toolu_${at}`, content: shown }];
  return [
    {
      type: 'assistant',
      timestamp: time(10),
      requestId: `req_${at}`,
      message: { id: `msg_${at}`, model: 'claude-sonnet-4-5', role: 'assistant', content, usage },
    },
    { type: 'user', timestamp: time(20), message: { role: 'user', content: result } },
  ];
}

/** A session of Claude Code of these steps, whose lines have the names that their step and place give them. */
function claudeCode(id: string, steps: readonly number[], folder: string): string {
  const asked = {
    type: 'user',
    timestamp: new Date(START).toISOString(),
    message: { role: 'user', content: 'Go on.' },
  };
  const lines: Lines = [asked, ...steps.flatMap((at) => step(at, path.join(folder, 'a.ts')))];
  const uuid = (at: number): string => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
  return lines
    .map((line, at) => ({
      ...line,
      uuid: uuid(at),
      parentUuid: at === 0 ? null : uuid(at - 1),
      sessionId: id,
      version: '2.1.0',
      cwd: folder,
    }))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

const stepsTo = (end: number): number[] => Array.from({ length: end }, (_, at) => at);

/** A computer with a session of Claude Code, unchanged for a while. */
function planted(): { computer: Computer; folder: string; file: string; write: (id: string, text: string) => string } {
  const computer = new Computer();
  const folder = `.claude/projects/${computer.folder.replaceAll(/[^\w]/g, '-')}`;
  const write = (id: string, text: string): string => {
    const file = computer.write(`${folder}/${id}.jsonl`, text);
    utimesSync(file, 1_767_600_000, 1_767_600_000);
    return file;
  };
  const file = write(FIRST, claudeCode(FIRST, stepsTo(CALLS), computer.folder));
  return { computer, folder: path.dirname(file), file, write };
}

async function lines(computer: Computer, ...args: string[]): Promise<Record<string, unknown>[]> {
  const { code, out, err } = await computer.run([...args, '--json']);
  expect([code, err]).toEqual([0, expect.not.stringContaining('Expected')]);
  return jsonLines(out);
}

/** The sum of a bill: calls, copies and dollars. */
async function billed(computer: Computer, ...args: string[]): Promise<readonly [number, number, number]> {
  const rows = await lines(computer, 'bill', ...args);
  const sum = (field: string): number => rows.reduce((total, row) => total + Number(row[field]), 0);
  return [sum('calls'), sum('copiedCalls'), Number(sum('dollars').toFixed(6))];
}

describe('a copy of a session', () => {
  test('that was made smaller is not billed again', async () => {
    const { computer, folder, file } = planted();
    const before = await billed(computer, folder);
    expect(before.slice(0, 2)).toEqual([CALLS, 0]);
    const [made] = await lines(computer, 'optimize', file, '--install');
    const copy = String(made?.['output']);
    expect(await billed(computer, folder)).toEqual([CALLS, LEFT, before[2]]);
    expect(await billed(computer, file)).toEqual(before);
    // Alone, it is still known to be a copy.
    expect(await billed(computer, copy)).toEqual([0, LEFT, 0]);
    const { out } = await computer.run(['bill', folder]);
    expect(out.replaceAll('\n', ' ')).toContain('4 calls are copies of calls in other sessions');
    expect(out).toContain('for 6 calls of 1 session');
  });

  test('that an agent made with the same message ids is billed for its own calls only', async () => {
    const { computer, folder, file, write } = planted();
    const [, , dollars] = await billed(computer, file);
    const fork = write(SECOND, claudeCode(SECOND, stepsTo(CALLS + 2), computer.folder));
    const whole = await billed(computer, folder);
    expect(whole.slice(0, 2)).toEqual([CALLS + 2, CALLS]);
    const own = await billed(computer, fork);
    expect(own.slice(0, 2)).toEqual([2, CALLS]);
    expect(whole[2]).toBeCloseTo(dollars + own[2], 6);
    // A file elsewhere that repeats both is a copy of both.
    const elsewhere = computer.write('backup/all.jsonl', claudeCode(SECOND, stepsTo(CALLS + 2), computer.folder));
    expect(await billed(computer, folder, elsewhere)).toEqual([CALLS + 2, 2 * CALLS + 2, whole[2]]);
  });

  test('is no session of its own for compare, and adds no edit', async () => {
    const { computer, folder, file, write } = planted();
    const figures = async (): Promise<unknown> =>
      (await lines(computer, 'compare', folder)).map(({ outcomes }) =>
        (outcomes as Record<string, unknown>[]).map(({ policy, calls, evidencedEdits, bill }) => [
          policy,
          calls,
          evidencedEdits,
          bill,
        ]),
      );
    const before = await figures();
    await computer.run(['optimize', file, '--install']);
    expect(await figures()).toEqual(before);
    const { out } = await computer.run(['compare', folder]);
    expect(out.replaceAll('\n', ' ')).toContain('1 session, 6 model calls, 3 edits');
    expect(out.replaceAll('\n', ' ')).toContain('4 calls are copies');
    const [tuned] = await lines(computer, 'compare', '--save', 'mine', folder);
    expect(tuned).toMatchObject({ copiedCalls: LEFT, chosenOn: { sessions: 1 }, heldOut: { sessions: 0 } });
    write(SECOND, claudeCode(SECOND, stepsTo(CALLS + 2), computer.folder));
    expect(await lines(computer, 'compare', folder)).toMatchObject([
      {
        copiedCalls: 0,
        outcomes: expect.arrayContaining([expect.objectContaining({ calls: CALLS, evidencedEdits: 3 })]),
      },
      {
        copiedCalls: CALLS,
        outcomes: expect.arrayContaining([expect.objectContaining({ calls: 2, evidencedEdits: 1 })]),
      },
    ]);
  });

  test('says in replay and report that its calls were billed before', async () => {
    const { computer, file, folder, write } = planted();
    const fork = write(SECOND, claudeCode(SECOND, stepsTo(CALLS + 2), computer.folder));
    const [whole] = await lines(computer, 'replay', file);
    const [own] = await lines(computer, 'replay', fork);
    expect(whole).toMatchObject({ turns: CALLS, turnsCopied: 0, evidencedEdits: 3 });
    expect(own).toMatchObject({ turns: CALLS + 2, turnsCopied: CALLS, evidencedEdits: 1 });
    expect(Number(own?.['tokensSentRaw'])).toBe(30_010 + 35_010 + 10_000);
    const all = await lines(computer, 'replay', folder);
    expect(all.map(({ turnsCopied }) => turnsCopied)).toEqual([0, CALLS]);
    expect((await computer.run(['replay', folder])).out.replaceAll('\n', ' ')).toContain('6 calls are copies');
    const page = path.join(computer.folder, 'page.html');
    const [drawn] = await lines(computer, 'replay', fork, '-o', page);
    const results = drawn?.['results'] as Record<string, unknown>[];
    expect(results.find(({ strategy }) => strategy === 'high-density')).toMatchObject({
      turnsCopied: CALLS,
      dollarsRaw: own?.['dollarsRaw'],
    });
  });

  test('is compared again once another file is known to own its calls', async () => {
    const { computer, file, write } = planted();
    mkdirSync(path.join(computer.home, 'kept'));
    const results = path.join(computer.home, 'kept/results.jsonl');
    const fork = computer.write('elsewhere/fork.jsonl', claudeCode(SECOND, stepsTo(CALLS + 2), computer.folder));
    const calls = async (...files: string[]): Promise<unknown> =>
      (await lines(computer, 'compare', ...files, '--results', results)).map(({ copiedCalls }) => copiedCalls);
    expect(await calls(fork)).toEqual([0]);
    expect(await calls(fork, file)).toEqual([0, CALLS]);
    expect(await calls(fork, file)).toEqual([0, CALLS]);
    expect(await calls(fork)).toEqual([0]);
    write(FIRST, '');
  });
});

test.skipIf(process.platform === 'win32')('a pipe beside a session is not waited for', async () => {
  const { computer, folder, file } = planted();
  expect(spawnSync('mkfifo', [path.join(folder, `${SECOND}.jsonl`)]).status).toBe(0);
  expect(await billed(computer, file)).toMatchObject([CALLS, 0, 0.14418]);
});

describe.skipIf(!haveRedis)('a copy of a session, with --redis', () => {
  const server = new RedisServer();
  const { computer, folder, file, write } = planted();
  let worker: ChildProcess;

  beforeAll(async () => {
    await server.start();
    worker = computer.start(['team', 'worker', '--redis', server.url, '--threads', '1']);
    await once(worker.stderr!, 'data');
  });
  afterAll(async () => {
    worker.kill('SIGTERM');
    expect(await outcomeOf(worker)).toMatchObject({ code: 0 });
    await server.remove();
  });

  test('counts as it does without, also where its bytes were asked about before', async () => {
    const fork = write(SECOND, claudeCode(SECOND, stepsTo(CALLS + 2), computer.folder));
    const alone = computer.write('alone/fork.jsonl', claudeCode(SECOND, stepsTo(CALLS + 2), computer.folder));
    await lines(computer, 'optimize', file, '--install');
    // `fleet.test.ts` asks this of every command.
    const here = await lines(computer, 'compare', folder);
    expect(await lines(computer, 'compare', folder, '--redis', server.url)).toEqual(here);
    expect(await lines(computer, 'bill', fork, '--redis', server.url)).toEqual(await lines(computer, 'bill', fork));
    expect(await billed(computer, alone, '--redis', server.url)).toMatchObject([CALLS + 2, 0, 0.20424]);
    expect(await billed(computer, folder, '--redis', server.url)).toMatchObject([CALLS + 2, CALLS + LEFT, 0.20424]);
  });
});
