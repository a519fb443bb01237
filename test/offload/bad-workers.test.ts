import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

const SESSION = path.resolve(import.meta.dirname, '../fixtures/bad-session.mjs');
const folder = mkdtempSync(path.join(tmpdir(), 'high-density-bad-workers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What `test/fixtures/bad-session.mjs` prints. */
interface Session {
  readonly turns: readonly { readonly isSame: boolean; readonly degraded: number; readonly restored: number }[];
  readonly degraded: readonly string[];
  readonly restored: number;
  readonly lostThreads: number;
  readonly entries: number;
}

/** Runs a session in a process of its own, which must end by itself. */
async function session(worker: string, misdeeds: number, options: object = {}): Promise<Session> {
  const name = `${worker}-${misdeeds}-${Object.keys(options).join('-')}`;
  const child = spawn(
    process.execPath,
    [SESSION, `./bad-workers/${worker}.mjs`, `${misdeeds}`, JSON.stringify(options)],
    {
      env: { ...process.env, MISDEEDS_FILE: path.join(folder, name) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const output: string[] = [];
  const errors: string[] = [];
  child.stdout.on('data', (chunk) => output.push(String(chunk)));
  child.stderr.on('data', (chunk) => errors.push(String(chunk)));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect({ code, errors: errors.join('') }).toEqual({ code: 0, errors: '' });
  return JSON.parse(output.join('')) as Session;
}

/** Long enough for a thread to start on a busy machine, short enough to wait for twice. */
const HANG_DEADLINE_MS = 5_000;

const CASES: readonly { worker: string; reason: string; options?: object }[] = [
  { worker: 'throws', reason: 'crashed' },
  { worker: 'rejects', reason: 'crashed' },
  { worker: 'throws-later', reason: 'crashed' },
  { worker: 'exits', reason: 'crashed' },
  { worker: 'unclonable-reply', reason: 'crashed' },
  { worker: 'out-of-memory', reason: 'crashed', options: { maxOldGenerationSizeMb: 48 } },
  { worker: 'hangs', reason: 'hung', options: { hangDeadlineMs: HANG_DEADLINE_MS } },
  { worker: 'never-answers', reason: 'hung', options: { hangDeadlineMs: HANG_DEADLINE_MS } },
  { worker: 'foreign-revision', reason: 'garbage' },
  { worker: 'garbage', reason: 'garbage' },
];

describe.concurrent('a worker that misbehaves', () => {
  test.each(CASES)(
    '$worker once: asked again on a fresh thread, nothing lost, no notice',
    async ({ worker, options }) => {
      const { turns, degraded, lostThreads, entries } = await session(worker, 1, options);
      expect(turns.map(({ isSame }) => isSame)).toEqual([true, true, true]);
      expect({ degraded, lostThreads, entries }).toEqual({ degraded: [], lostThreads: 1, entries: 15 });
    },
  );

  test.each(CASES)(
    '$worker twice: done inline with one notice, then threads serve again',
    async ({ worker, reason, options }) => {
      const { turns, degraded, restored, lostThreads, entries } = await session(worker, 2, options);
      expect(turns.map(({ isSame }) => isSame)).toEqual([true, true, true]);
      expect({ degraded, restored, lostThreads, entries }).toEqual({
        degraded: [reason],
        restored: 1,
        lostThreads: 2,
        entries: 15,
      });
    },
  );

  test.each(['fails-to-load', 'syntax-error'])(
    '%s: done inline with one notice; after a rest threads are tried again and serve',
    async (worker) => {
      const { turns, degraded, restored, lostThreads, entries } = await session(worker, 1_000, { heals: true });
      expect(turns).toEqual([
        { isSame: true, degraded: 1, restored: 0 },
        { isSame: true, degraded: 1, restored: 0 },
        { isSame: true, degraded: 1, restored: 1 },
      ]);
      expect({ degraded, restored, lostThreads, entries }).toEqual({
        degraded: ['failed-to-load'],
        restored: 1,
        lostThreads: 2,
        entries: 15,
      });
    },
  );

  test.each(['replies-twice', 'dies-while-replying'])(
    '%s: the first answer counts, and a new thread does the rest',
    async (worker) => {
      const { turns, degraded, lostThreads, entries } = await session(worker, 2);
      expect(turns.map(({ isSame }) => isSame)).toEqual([true, true, true]);
      expect({ degraded, entries }).toEqual({ degraded: [], entries: 15 });
      // A thread that is lost after its last answer may be found out only after the session has ended.
      expect([1, 2]).toContain(lostThreads);
    },
  );

  test('main closes the pool while a task runs: done inline with one notice', async () => {
    const { turns, degraded, entries } = await session('never-answers', 1, { closes: true });
    expect(turns.map(({ isSame }) => isSame)).toEqual([true, true, true]);
    expect({ degraded, entries }).toEqual({ degraded: ['closed'], entries: 15 });
  });
});
