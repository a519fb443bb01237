import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BlockArchive, blockHash } from '../../src/disk/block-archive.ts';
import { UpstreamServer } from '../proxy/upstream-server.ts';
import { Computer, EDITED, sessionText } from './density.ts';

const upstream = new UpstreamServer();
let base: URL;
beforeAll(async () => {
  base = await upstream.start();
  upstream.answer = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
});
afterAll(() => upstream.stop());

const foldersOf = (computer: Computer) => {
  const data = path.join(computer.home, '.local/share/high-density');
  return { archive: path.join(data, 'archive'), conversations: path.join(data, 'live/conversations') };
};

/** Runs an agent that reads a file and replaces it; its requests name the session `recall`. */
async function wrapped(computer: Computer): Promise<void> {
  const bin = path.join(computer.home, 'bin');
  mkdirSync(bin);
  copyFileSync(path.resolve(import.meta.dirname, '../fixtures/recall-agent.mjs'), path.join(bin, 'recall'));
  chmodSync(path.join(bin, 'recall'), 0o755);
  const PATH = `${bin}${path.delimiter}${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH']}`;
  const environment = { PATH, RECALL_BASE_URL: base.href.replace(/\/$/, '') };
  expect((await computer.run(['wrap', '--env', 'RECALL_BASE_URL', 'recall'], environment)).code).toBe(0);
}

describe('the archive', () => {
  test('says where removed text is, how much, from when, and the limits of the settings', async () => {
    const computer = new Computer();
    const { archive: folder } = foldersOf(computer);
    const nothing = await computer.run(['restore', '--archive']);
    expect([nothing.code, nothing.err, existsSync(folder)]).toEqual([0, '', false]);
    expect(nothing.out).toBe(
      `${folder}\n0 blocks of removed text, 0 B\nlimit 256.0 MB; what was kept or used within 30 days is not deleted\n`,
    );
    const block = { type: 'text', text: 'removed '.repeat(500) } as const;
    await new BlockArchive(folder).keep([block, { type: 'text', text: 'other' }]);
    const old = new Date('2026-01-02T10:00:00Z');
    utimesSync(path.join(folder, `${blockHash(block)}.json`), old, old);
    computer.write(
      'work/.density.json',
      '{ "compression.density.archiveMegabytes": 5, "compression.density.archiveDays": 7 }',
    );
    const { out } = await computer.run(['restore', '--archive']);
    expect(out).toMatch(
      /^2 blocks of removed text, \d+ B, from 2026-01-02 10:00 to .* \(UTC\)\nlimit 5\.0 MB; .* 7 days /m,
    );
    expect(JSON.parse((await computer.run(['restore', '--archive', '--json'])).out)).toEqual({
      folder,
      blocks: 2,
      sizeBytes: expect.any(Number),
      oldestAt: old.getTime(),
      newestAt: expect.any(Number),
      mostBytes: 5e6,
      keepDays: 7,
      isFull: false,
    });
  });

  test('says that it is full', async () => {
    const computer = new Computer();
    computer.write('work/.density.json', '{ "compression.density.archiveMegabytes": 1 }');
    computer.write(`.local/share/high-density/archive/${'a'.repeat(64)}.json`, 'x'.repeat(1_200_000));
    const session = computer.write('work/day.jsonl', sessionText(EDITED));
    const other = computer.write('work/other.jsonl', sessionText(EDITED).replaceAll('before', 'earlier'));
    const optimize = (output: string, file = other) =>
      computer.run(['optimize', file, '-o', output, '--archive', 'on']);
    expect((await optimize('one.jsonl', session)).code).toBe(0);
    expect((await computer.run(['restore', '--archive'])).out).toContain('It is full');
    const refused = await optimize('two.jsonl');
    expect([refused.code, existsSync(path.join(computer.folder, 'two.jsonl'))]).toEqual([1, false]);
    expect(refused.err).toContain('density restore --delete <session or all>');
    const deleted = await computer.run(['restore', '--delete', 'all']);
    expect(deleted.out).toMatch(/^Deleted \d+ blocks of removed text, 1\.2 MB, from /);
    expect((await optimize('two.jsonl')).code).toBe(0);
  });

  test('deletes the text of one session, by the id that its agent gave it, and of nothing else', async () => {
    const computer = new Computer();
    await wrapped(computer);
    const { archive: folder, conversations } = foldersOf(computer);
    const archive = new BlockArchive(folder);
    const own = await archive.list();
    expect(own.length).toBeGreaterThan(1);
    await archive.keep([{ type: 'text', text: 'of another session' }]);
    const before = readdirSync(conversations);
    const { code, out, err } = await computer.run(['restore', '--delete', 'recall', '--json']);
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({ folder, deleted: { blocks: own.length } });
    expect((await archive.contents(await archive.list())).map(({ block }) => block)).toEqual([
      { type: 'text', text: 'of another session' },
    ]);
    expect(readFileSync(path.join(folder, '.recent'), 'utf8')).not.toContain('const old0');
    expect(readdirSync(conversations)).toEqual(before);
  });

  test('deletes the text of a recorded session, by its file, and says if nothing is known of it', async () => {
    const computer = new Computer();
    await wrapped(computer);
    const session = computer.write('work/day.jsonl', sessionText(EDITED, { id: 'recall' }));
    const other = computer.write('work/other.jsonl', sessionText(EDITED, { id: 'planted' }));
    const unknown = await computer.run(['restore', '--delete', other]);
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('no known conversation')]);
    expect((await computer.run(['restore', '--delete', 'nobody'])).code).toBe(1);
    expect((await computer.run(['restore', '--delete', session])).out).toMatch(/^Deleted [1-9]\d* blocks /);
    const { archive } = foldersOf(computer);
    expect(readdirSync(archive).filter((name) => name.endsWith('.json'))).toEqual([]);
    expect((await computer.run(['restore', '--delete', 'all', '--archive'])).code).toBe(2);
  });
});
