import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { ContentBlock } from '../../src/content/content.ts';
import { BlockArchive, blockHash, removedBlocks } from '../../src/disk/block-archive.ts';
import { ai, human } from '../strategies/conversation.ts';

const root = mkdtempSync(path.join(tmpdir(), 'density-archive-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;
const folder = (): string => path.join(root, `archive-${folders++}`);
const text = (words: string): ContentBlock => ({ type: 'text', text: words });
/** Words that deflate to about 240 bytes. */
const words = (seed: string | number): string =>
  [1, 2, 3, 4, 5].map((part) => createHash('sha256').update(`${seed} ${part}`).digest('base64')).join('');

describe('the archive of blocks', () => {
  test('keeps a block under the hash of its content, and finds it by the first digits', async () => {
    const archive = new BlockArchive(folder());
    const block: ContentBlock = { type: 'tool_response', callId: 'c', toolName: 'read_file', result: { lines: ['a'] } };
    await archive.keep([block, text('other')]);
    const hash = blockHash(block);
    expect(hash).toBe(createHash('sha256').update(JSON.stringify(block)).digest('hex'));
    expect(await archive.find(hash)).toEqual({ hash, block });
    expect(await archive.find(hash.slice(0, 8).toUpperCase())).toEqual({ hash, block });
  });

  test('finds what another process keeps and misses what it deletes, after the folder was read', async () => {
    const archive = new BlockArchive(folder());
    await archive.keep([text('one')]);
    expect(await archive.find(blockHash(text('one')).slice(0, 12))).toMatchObject({ block: text('one') });
    await new BlockArchive(archive.folder).keep([text('two')]);
    expect(await archive.find(blockHash(text('two')).slice(0, 12))).toMatchObject({ block: text('two') });
    rmSync(path.join(archive.folder, `${blockHash(text('one'))}.json`));
    rmSync(path.join(archive.folder, '.recent'));
    for (const digits of [8, 12])
      await expect(archive.find(blockHash(text('one')).slice(0, digits))).rejects.toMatchObject({
        code: 'ARCHIVE_UNKNOWN',
      });
  });

  test('is readable by its owner only, and leaves no unfinished file', async () => {
    const archive = new BlockArchive(folder());
    await archive.keep([text('one'), text('two'), text('one')]);
    const names = readdirSync(archive.folder);
    expect(names.filter((name) => name.endsWith('.json'))).toHaveLength(2);
    expect(names.some((name) => name.endsWith('.tmp'))).toBe(false);
    for (const name of names) expect(statSync(path.join(archive.folder, name)).mode & 0o777).toBe(0o600);
    expect(statSync(archive.folder).mode & 0o777).toBe(0o700);
  });

  test('does nothing to the disk while nothing is kept', async () => {
    const archive = new BlockArchive(folder());
    await archive.keep([]);
    expect(await archive.list()).toEqual([]);
    expect(existsSync(archive.folder)).toBe(false);
  });

  test('lets go of what was kept longest ago when there is too much, and not of what was kept again', async () => {
    const archive = new BlockArchive(folder(), { mostBytes: 700 });
    const blocks = ['a', 'b', 'c'].map((letter) => text(words(letter)));
    for (const [at, block] of blocks.slice(0, 2).entries()) {
      await archive.keep([block]);
      utimesSync(path.join(archive.folder, `${blockHash(block)}.json`), 1_000 + at, 1_000 + at);
    }
    await archive.keep([blocks[0]!]);
    const more = new BlockArchive(archive.folder, { mostBytes: 500 });
    await more.keep([blocks[2]!]);
    const kept = (await more.list()).map(({ hash }) => hash);
    expect(new Set(kept)).toEqual(new Set([blockHash(blocks[0]!), blockHash(blocks[2]!)]));
  });

  test('clears away what another process never finished, and leaves other files alone', async () => {
    const archive = new BlockArchive(folder());
    await archive.keep([text('one')]);
    const old = path.join(archive.folder, `.${'a'.repeat(64)}.abc.tmp`);
    const note = path.join(archive.folder, 'note.txt');
    for (const file of [old, note]) {
      writeFileSync(file, 'x');
      utimesSync(file, 1_000, 1_000);
    }
    const later = new BlockArchive(archive.folder);
    await later.keep([text('two')]);
    await later.list();
    expect(existsSync(old)).toBe(false);
    expect(existsSync(note)).toBe(true);
  });

  test('makes room again when a part of the limit was kept since, and nobody waits for it', async () => {
    const archive = new BlockArchive(folder(), { mostBytes: 4_000 });
    const blocks = Array.from({ length: 40 }, (_, at) => text(words(at)));
    for (const [at, block] of blocks.entries()) {
      await archive.keep([block]);
      expect((await archive.find(blockHash(block))).block).toEqual(block);
      utimesSync(path.join(archive.folder, `${blockHash(block)}.json`), 1_000 + at, 1_000 + at);
      const sizeBytes = (await archive.list()).reduce((sum, one) => sum + one.sizeBytes, 0);
      expect(sizeBytes).toBeLessThanOrEqual(4_000 + 4_000 / 16 + 300);
    }
    const left = new Set((await archive.list()).map(({ hash }) => hash));
    expect(left.has(blockHash(blocks[39]!))).toBe(true);
    expect(left.has(blockHash(blocks[0]!))).toBe(false);
    expect(left.size).toBeLessThan(20);
  });

  test('says what is wrong with a hash that is none, unknown, ambiguous, or whose file was changed', async () => {
    const archive = new BlockArchive(folder());
    const code = 'ARCHIVE_UNKNOWN';
    await expect(archive.find('xyz!')).rejects.toMatchObject({ code, message: expect.stringContaining('at least 4') });
    await expect(archive.find('../../etc')).rejects.toMatchObject({ code });
    await expect(archive.find('abcdef')).rejects.toMatchObject({
      code,
      message: expect.stringContaining('density.archive'),
    });
    await archive.keep([text('one')]);
    const hash = blockHash(text('one'));
    const twin = `${hash.slice(0, 6)}${'0'.repeat(58)}`;
    writeFileSync(path.join(archive.folder, `${twin}.json`), '{}');
    await expect(archive.find(hash.slice(0, 6))).rejects.toMatchObject({
      code,
      message: expect.stringContaining('2 begin'),
    });
    await expect(archive.find(twin)).rejects.toMatchObject({ code, message: expect.stringContaining('was changed') });
  });

  test('passes on why nothing can be kept', async () => {
    const file = path.join(root, 'a-file');
    writeFileSync(file, '');
    chmodSync(file, 0o400);
    await expect(new BlockArchive(path.join(file, 'archive')).keep([text('one')])).rejects.toMatchObject({
      code: 'ENOTDIR',
    });
  });
});

test('`removedBlocks` are the blocks that no later entry contains', () => {
  const kept = human('kept');
  const removed = ai('removed');
  expect(removedBlocks([kept, removed], [kept])).toEqual(removed.blocks);
  const changed = { ...removed, blocks: [...removed.blocks, text('new')] };
  expect(removedBlocks([kept, removed], [kept, changed])).toEqual([]);
});

describe('an archive after a crash of the computer', () => {
  const block = text('a text that was removed, and another one. '.repeat(5));
  const fileOf = ({ folder: place }: BlockArchive): string => path.join(place, `${blockHash(block)}.json`);

  test.each([
    ['is empty', (file: string) => writeFileSync(file, '')],
    ['ends in the middle', (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 20))],
    ['has zeros of the right size', (file: string) => writeFileSync(file, Buffer.alloc(statSync(file).size))],
    ['is not there', (file: string) => rmSync(file)],
  ])('finds a block whose file %s, and keeps it again when it is asked to', async (_what, damage) => {
    const archive = new BlockArchive(folder());
    await archive.keep([block]);
    damage(fileOf(archive));
    expect(await new BlockArchive(archive.folder).find(blockHash(block).slice(0, 12))).toMatchObject({ block });
    const later = new BlockArchive(archive.folder);
    await later.keep([block]);
    rmSync(path.join(archive.folder, '.recent'));
    expect(await new BlockArchive(archive.folder).find(blockHash(block))).toMatchObject({ block });
  });

  test('waits for the disk twice for all blocks of a request, however many', async () => {
    const archive = new BlockArchive(folder());
    const handle = await open(root, 'r');
    const synced = vi.spyOn(Object.getPrototypeOf(handle), 'sync');
    await handle.close();
    await archive.keep(Array.from({ length: 200 }, (_, at) => text(`block ${at}`)));
    expect(synced).toHaveBeenCalledTimes(2);
    synced.mockRestore();
    expect(await archive.list()).toHaveLength(200);
  });
});

test('an archive whose files are of a clock that went back drops none of them, and says that it is full', async () => {
  const archive = new BlockArchive(folder(), { mostBytes: 5_000 });
  const blocks = (letter: string, count: number) => Array.from({ length: count }, (_, at) => text(words(letter + at)));
  await archive.keep(blocks('a', 39));
  const tomorrow = new Date(Date.now() + 24 * 60 * 60_000);
  for (const name of readdirSync(archive.folder)) utimesSync(path.join(archive.folder, name), tomorrow, tomorrow);
  await archive.makeRoom();
  expect(await archive.list()).toHaveLength(39);
  await expect(archive.keep(blocks('b', 1))).rejects.toMatchObject({ code: 'ARCHIVE_FULL' });
});

test.each(['.added', '.recent'])('%s is never written through a link', async (name) => {
  const archive = new BlockArchive(folder());
  const victim = path.join(root, `victim-of-${name}`);
  writeFileSync(victim, 'mine');
  mkdirSync(archive.folder, { recursive: true });
  symlinkSync(victim, path.join(archive.folder, name));
  await archive.keep([text('one')]);
  expect(readFileSync(victim, 'utf8')).toBe('mine');
  expect(await archive.find(blockHash(text('one')))).toMatchObject({ block: text('one') });
});
