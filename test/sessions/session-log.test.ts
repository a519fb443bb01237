import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { SessionLock } from '../../src/disk/session-lock.ts';
import { liveHistory } from '../../src/formats/contract.ts';
import { highDensity } from '../../src/formats/high-density/high-density.ts';
import { linesOfText } from '../../src/formats/lines/lines.ts';
import { SessionLog } from '../../src/sessions/session-log.ts';
import { afterFile } from '../after-file.ts';

const folders: string[] = [];
afterFile(() => {
  for (const one of folders) rmSync(one, { recursive: true, force: true });
});
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'density-log-'));
  folders.push(folder);
});

const HEADER = { id: 's', startedAt: 1, model: 'gpt-5', workspaceRoot: '/w' };
const said = (id: string, words = id): IContent => ({
  speaker: 'human',
  blocks: [{ type: 'text', text: words }],
  metadata: { id },
});
const live = (file: string): unknown[] =>
  liveHistory(highDensity.read(linesOfText(readFileSync(file, 'utf8')))).map(({ metadata }) => metadata?.id);

describe('the file of a session', () => {
  test('is created with the first entry, readable by its user only, and only grows', async () => {
    const file = path.join(folder, 'deep', 's.jsonl');
    const log = new SessionLog(file, HEADER);
    expect(existsSync(file)).toBe(false);
    log.add(said('a'));
    await log.flush();
    const before = readFileSync(file, 'utf8');
    log.add(said('b'));
    log.rebuild([said('s', 'both'), said('b')]);
    await log.close();
    expect(readFileSync(file, 'utf8').startsWith(before)).toBe(true);
    expect(live(file)).toEqual(['s', expect.stringMatching(/^line-/)]);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  test('refers to entries that it already contains instead of writing them again', async () => {
    const file = path.join(folder, 's.jsonl');
    const log = new SessionLog(file, HEADER);
    const entries = [said('a', 'x'.repeat(1000)), said('b')];
    for (const entry of entries) log.add(entry);
    log.rebuild(entries);
    await log.close();
    expect(readFileSync(file, 'utf8').trimEnd().split('\n').at(-1)).toBe('{"history":["a","b"]}');
  });

  test('survives a cut anywhere: whole lines remain, and it continues after them', async () => {
    const file = path.join(folder, 's.jsonl');
    const log = new SessionLog(file, HEADER);
    const entries = ['a', 'b', 'c'].map((id) => said(id));
    for (const entry of entries) log.add(entry);
    log.rebuild([entries[2]!, said('sum', 'ä€🎉')]);
    log.add(said('d'));
    await log.close();
    const whole = readFileSync(file);
    const afterLines = [[], [], ['a'], ['a', 'b'], ['a', 'b', 'c'], ['c', 'sum'], ['c', 'sum', 'd']];
    for (let size = 0; size <= whole.length; size++) {
      writeFileSync(file, whole.subarray(0, size));
      const lines = whole.subarray(0, size).toString('latin1').split('\n').length - 1;
      const isOnlyLineEndCut = whole[size] === 0x0a;
      const again = new SessionLog(file, HEADER);
      again.add(said('new'));
      await again.close();
      expect(live(file), `cut at ${size}`).toEqual([...afterLines[isOnlyLineEndCut ? lines + 1 : lines]!, 'new']);
    }
  });

  test('begins with its header after a process that was killed before it wrote one', async () => {
    const file = path.join(folder, 's.jsonl');
    writeFileSync(file, '');
    const log = new SessionLog(file, HEADER);
    log.add(said('a'));
    await log.close();
    expect(readFileSync(file, 'utf8')).toMatch(/^\{"format":"high-density".*\n\{"speaker":"human"/);
  });

  test('says why it cannot be written', async () => {
    const file = path.join(folder, 'file');
    appendFileSync(file, 'not a folder');
    const log = new SessionLog(path.join(file, 's.jsonl'), HEADER);
    log.add(said('a'));
    await expect(log.flush()).rejects.toMatchObject({ code: 'OUTPUT_FAILED', message: expect.stringContaining(file) });
    await log.close();
  });
});

describe('the lock of a session', () => {
  test('is held once, and free after its release', () => {
    const file = path.join(folder, 's.jsonl');
    const lock = SessionLock.take(file);
    expect(() => SessionLock.take(file)).toThrow(expect.objectContaining({ code: 'SESSION_IN_USE' }));
    expect(() => SessionLock.take(file)).toThrow(String(process.pid));
    lock.release();
    SessionLock.take(file).release();
  });

  test.each([
    ['a process that has ended', '4194303 12345\n'],
    ['a process whose id was reused', `${process.pid} 1\n`],
    ['no process', ''],
    ['a file that is not a lock', 'hello'],
  ])('of %s is taken over', (_who, token) => {
    const file = path.join(folder, 's.jsonl');
    writeFileSync(`${file}.lock`, token);
    const lock = SessionLock.take(file);
    expect(readFileSync(`${file}.lock`, 'utf8')).toContain(`${process.pid} `);
    lock.release();
  });
});
