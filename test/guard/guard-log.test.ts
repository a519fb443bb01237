import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type GuardedCall, GuardLog } from '../../src/guard/guard-log.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'density-guard-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const noted: GuardedCall = {
  at: 1,
  agent: 'pi',
  session: '5e55',
  kind: 'refused',
  tool: 'write',
  call: 'ca11',
  standsFor: 'Read src/a.ts, removed',
};

describe('the log of copied markers', () => {
  test('has what was noted, by any process, without secrets and for its owner only', async () => {
    const log = new GuardLog(path.join(folder, 'one'));
    expect(log.calls()).toEqual([]);
    await log.add(noted);
    await new GuardLog(path.join(folder, 'one')).add({
      ...noted,
      kind: 'told',
      standsFor: 'bash curl -H "Authorization: Bearer abcdefghijklmnopqrstuvwxyz012345" x',
    });
    expect(log.calls().map(({ kind }) => kind)).toEqual(['refused', 'told']);
    expect(log.calls()[1]!.standsFor).not.toContain('abcdefghijkl');
    const file = path.join(folder, 'one/copied-markers.jsonl');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    // A process that was killed.
    appendFileSync(file, '{"at":2,"ag');
    await log.add(noted);
    expect(log.calls().map(({ kind }) => kind)).toEqual(['refused', 'told', 'refused']);
  });

  test('does not grow without end', async () => {
    const log = new GuardLog(path.join(folder, 'two'));
    const long = { ...noted, standsFor: 'x'.repeat(400_000) };
    for (let at = 0; at < 8; at++) await log.add({ ...long, at });
    const kept = log.calls().map(({ at }) => at);
    expect(kept.length).toBeLessThan(7);
    expect(kept.at(-1)).toBe(7);
  });
});
