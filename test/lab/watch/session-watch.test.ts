import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import { SessionWatch } from '../../../src/lab/watch/session-watch.ts';
import type { WatchedSession } from '../../../src/lab/watch/watched-session.ts';
import { HighDensityStrategy } from '../../../src/strategies/high-density/high-density.ts';

const NOW = Date.UTC(2026, 10, 22, 12);
const ROUNDS = 12;

let file = '';
beforeEach(() => {
  file = path.join(mkdtempSync(path.join(tmpdir(), 'watch-')), 'session.jsonl');
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(path.dirname(file), { recursive: true, force: true });
});

/** Reads a file, changes it, and reads it again, a minute each. */
function entries(rounds: number): IContent[] {
  const at = (minute: number) => ({ timestamp: NOW - (rounds * 4 - minute) * 60_000 });
  return Array.from({ length: rounds }, (_, round): IContent[] => {
    const name = round % 3 === 1 ? 'replace' : 'read_file';
    const parameters = { absolute_path: '/w/a.ts', file_path: '/w/a.ts', round };
    const result = `round ${Math.floor(round / 3)}\n${'const value = 1;\n'.repeat(300)}`;
    return [
      {
        speaker: 'ai',
        blocks: [{ type: 'tool_call', id: `call-${round}`, name, parameters }],
        metadata: at(round * 4),
      },
      {
        speaker: 'tool',
        blocks: [{ type: 'tool_response', callId: `call-${round}`, toolName: name, result }],
        metadata: at(round * 4 + 1),
      },
    ];
  }).flat();
}

const HEAD = { format: 'high-density', version: 1, id: 'watched', model: 'claude-sonnet-4-5', workspaceRoot: '/w' };
const LINES = [HEAD, { speaker: 'human', blocks: [{ type: 'text', text: 'Begin.' }] }, ...entries(ROUNDS)].map(
  (line) => `${JSON.stringify(line)}\n`,
);

const look = (watch: SessionWatch): Promise<WatchedSession> => watch.look({ path: file, now: NOW });
/** As by a program that is started now. */
const afresh = (): Promise<WatchedSession> => look(new SessionWatch());

test('a session that grows is seen as by a program that is started at that moment', async () => {
  const watch = new SessionWatch();
  writeFileSync(file, LINES.slice(0, 4).join(''));
  for (const line of LINES.slice(4)) {
    expect(await look(watch)).toEqual(await afresh());
    appendFileSync(file, line);
  }
  const last = await look(watch);
  expect(last).toEqual(await afresh());
  expect(last.removable.tokens).toBeGreaterThan(0);
  expect(last.soFar.prunedDollars).not.toBe(last.soFar.dollars);
});

test('what was played is not played again', async () => {
  const watch = new SessionWatch();
  writeFileSync(file, LINES.slice(0, -2).join(''));
  const optimize = vi.spyOn(HighDensityStrategy.prototype, 'optimize');
  await look(watch);
  expect(optimize.mock.calls.length).toBeGreaterThan(ROUNDS - 2);
  optimize.mockClear();
  appendFileSync(file, LINES.slice(-2).join(''));
  await look(watch);
  // Once for the new call, once for what would be removed now.
  expect(optimize).toHaveBeenCalledTimes(2);
});

test.each([
  ['cut', LINES.slice(0, 9)],
  ['written again with another line in it', LINES.with(5, LINES[5]!.replace('round 0', 'round zero'))],
  ['of another model', LINES.with(0, LINES[0]!.replace('claude-sonnet-4-5', 'gpt-5.5'))],
  ['with half a line at its end', [...LINES.slice(0, -1), LINES.at(-1)!.slice(0, 40)]],
  ['of another folder', LINES.with(0, LINES[0]!.replace('"/w"', '"/elsewhere"'))],
])('a session that is %s is played whole', async (_, lines) => {
  const watch = new SessionWatch();
  writeFileSync(file, LINES.slice(0, -4).join(''));
  await look(watch);
  writeFileSync(file, lines.join(''));
  expect(await look(watch)).toEqual(await afresh());
  writeFileSync(file, LINES.join(''));
  expect(await look(watch)).toEqual(await afresh());
});

test('an error is told each time, and the next look is right', async () => {
  const watch = new SessionWatch();
  writeFileSync(file, LINES.join(''));
  await look(watch);
  writeFileSync(file, '');
  await expect(look(watch)).rejects.toMatchObject({ code: 'SESSION_UNREADABLE' });
  writeFileSync(file, LINES.slice(0, 12).join(''));
  expect(await look(watch)).toEqual(await afresh());
});
