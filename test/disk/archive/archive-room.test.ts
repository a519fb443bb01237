import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { ContentBlock } from '../../../src/content/content.ts';
import { type ArchivedBlock, BlockArchive, blockHash } from '../../../src/disk/block-archive.ts';
import { runs } from '../../property-runs.ts';

const root = mkdtempSync(path.join(tmpdir(), 'archive-room-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;
const folder = (): string => path.join(root, `archive-${folders++}`);
const DAY_MS = 24 * 60 * 60_000;

/** A block whose file has about so many bytes. */
const blockOf = (seed: number, bytes = 300): ContentBlock => {
  const digest = (part: number): string => createHash('sha512').update(`${seed} ${part}`).digest('base64');
  return { type: 'text', text: Array.from({ length: Math.ceil(bytes / 66) }, (_, part) => digest(part)).join('') };
};
const fileOf = ({ folder: place }: BlockArchive, block: ContentBlock): string =>
  path.join(place, `${blockHash(block)}.json`);
const agedBy = (archive: BlockArchive, block: ContentBlock, days: number): void => {
  const time = new Date(Date.now() - days * DAY_MS);
  utimesSync(fileOf(archive, block), time, time);
};
const hashesOf = (blocks: readonly ArchivedBlock[]): ReadonlySet<string> => new Set(blocks.map(({ hash }) => hash));
const sizeOf = (blocks: readonly ArchivedBlock[]): number => blocks.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

test('room is made of the oldest blocks that nothing used lately, and of no others', async () => {
  const kept = fc.record({ days: fc.integer({ min: 0, max: 60 }), bytes: fc.integer({ min: 50, max: 2_000 }) });
  const named = fc.array(fc.nat(19), { maxLength: 5 });
  const given = fc.record({
    blocks: fc.array(kept, { minLength: 1, maxLength: 20 }),
    named,
    mostBytes: fc.integer({ min: 0, max: 15_000 }),
    keepDays: fc.integer({ min: 1, max: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(given, async ({ blocks, named: places, mostBytes, keepDays }) => {
      const all = blocks.map(({ bytes }, seed) => blockOf(seed, bytes));
      const names = new Set(places.flatMap((at) => (all[at] ? blockHash(all[at]).slice(0, 12) : [])));
      const filling = new BlockArchive(folder(), { mostBytes: Number.POSITIVE_INFINITY });
      await filling.keep(all);
      for (const [at, { days }] of blocks.entries()) agedBy(filling, all[at]!, days + 0.5);
      const before = await filling.list();
      const archive = new BlockArchive(filling.folder, { mostBytes, keepDays, namedSince: async () => names });
      await archive.makeRoom();
      const after = await archive.list();
      const left = hashesOf(after);
      const mayGo = ({ hash, keptAt }: ArchivedBlock): boolean =>
        !names.has(hash.slice(0, 12)) && Date.now() - keptAt > (keepDays + 1) * DAY_MS;
      const dropped = before.filter(({ hash }) => !left.has(hash));
      const spared = after.filter(mayGo);
      expect(dropped.every(mayGo)).toBe(true);
      expect(Math.max(...dropped.map(({ keptAt }) => keptAt))).toBeLessThanOrEqual(
        Math.min(...spared.map(({ keptAt }) => keptAt)),
      );
      if (sizeOf(before) <= mostBytes) expect(dropped).toEqual([]);
      if (spared.length > 0) expect(sizeOf(after)).toBeLessThanOrEqual(mostBytes);
      expect(await archive.isFull()).toBe(sizeOf(after) > mostBytes);
    }),
    { numRuns: runs(40) },
  );
});

describe('a full archive', () => {
  const blocks = Array.from({ length: 8 }, (_, seed) => blockOf(seed));
  const limits = { mostBytes: 1_500 };
  const full = async (): Promise<BlockArchive> => {
    const archive = new BlockArchive(folder(), limits);
    await archive.keep(blocks);
    await archive.makeRoom();
    return archive;
  };
  const fresh = blockOf(99);

  test('keeps nothing new, in every process, says what to do, and has all that it had', async () => {
    const archive = await full();
    const hook = new BlockArchive(archive.folder, { mostBytes: Number.POSITIVE_INFINITY });
    for (const one of [archive, new BlockArchive(archive.folder, limits), hook]) {
      await expect(one.keep([blocks[0]!, fresh])).rejects.toMatchObject({
        code: 'ARCHIVE_FULL',
        message: expect.stringContaining('density restore --delete'),
      });
      await one.keep(blocks);
    }
    expect(existsSync(fileOf(archive, fresh))).toBe(false);
    expect(readFileSync(path.join(archive.folder, '.recent'), 'utf8')).not.toContain(JSON.stringify(fresh));
    expect(await archive.list()).toHaveLength(8);
  });

  test('keeps again once something was deleted, has grown old, or the limit is higher', async () => {
    const freed = await full();
    await freed.delete((await freed.list()).slice(0, 6));
    await freed.keep([fresh]);
    const aged = await full();
    for (const block of blocks) agedBy(aged, block, 40);
    await new BlockArchive(aged.folder, limits).keep([fresh]);
    expect(hashesOf(await aged.list()).has(blockHash(fresh))).toBe(true);
    expect(sizeOf(await aged.list())).toBeLessThanOrEqual(limits.mostBytes + 400);
    await new BlockArchive((await full()).folder, { mostBytes: 1e6 }).keep([fresh]);
  });
});

test('a block that is read is used: it is not deleted for as many days again', async () => {
  const read = blockOf(1);
  const unread = blockOf(2);
  const archive = new BlockArchive(folder(), { mostBytes: 400 });
  await archive.keep([read, unread]);
  await archive.list();
  for (const block of [read, unread]) agedBy(archive, block, 50);
  await archive.contents(await archive.list());
  await archive.find(blockHash(read).slice(0, 12));
  await archive.makeRoom();
  expect(hashesOf(await archive.list())).toEqual(new Set([blockHash(read)]));
});

describe('the files of blocks', () => {
  const json = fc.jsonValue({ maxDepth: 2 });

  test('have every block again, and are no larger than its JSON', async () => {
    const archive = new BlockArchive(folder());
    await fc.assert(
      fc.asyncProperty(fc.string(), json, fc.nat(400), async (callId, value, times) => {
        const result = typeof value === 'string' ? value.repeat(times) : value;
        const block: ContentBlock = { type: 'tool_response', callId, toolName: 'Read', result };
        await archive.keep([block]);
        expect((await archive.find(blockHash(block))).block).toEqual(JSON.parse(JSON.stringify(block)));
        expect(statSync(fileOf(archive, block)).size).toBeLessThanOrEqual(Buffer.byteLength(JSON.stringify(block)));
      }),
      { numRuns: runs(60) },
    );
  });

  test('of earlier versions are read, listed and known as kept', async () => {
    const archive = new BlockArchive(folder());
    const old: ContentBlock = { type: 'text', text: 'kept by an earlier version. '.repeat(50) };
    await archive.keep([blockOf(1)]);
    writeFileSync(fileOf(archive, old), JSON.stringify(old));
    const later = new BlockArchive(archive.folder);
    await later.keep([old]);
    expect(readFileSync(fileOf(archive, old), 'utf8')).toBe(JSON.stringify(old));
    rmSync(path.join(archive.folder, '.recent'));
    expect(await later.find(blockHash(old))).toMatchObject({ block: old });
    expect(await later.contents(await later.list())).toHaveLength(2);
  });

  test('that are deflated and damaged are named in the error', async () => {
    const archive = new BlockArchive(folder());
    const block = blockOf(1, 3_000);
    await archive.keep([block]);
    const bytes = readFileSync(fileOf(archive, block));
    expect(bytes.length).toBeLessThan(Buffer.byteLength(JSON.stringify(block)));
    bytes[100]! ^= 0xff;
    writeFileSync(fileOf(archive, block), bytes);
    rmSync(path.join(archive.folder, '.recent'));
    await expect(new BlockArchive(archive.folder).find(blockHash(block))).rejects.toMatchObject({
      code: 'ARCHIVE_UNKNOWN',
      message: expect.stringContaining(`was changed: ${fileOf(archive, block)}`),
    });
  });
});

describe('deleting', () => {
  const blocks = [blockOf(1), blockOf(2), blockOf(3)];

  test('takes blocks away, also from what was kept lately, but none that was kept again since', async () => {
    const archive = new BlockArchive(folder());
    await archive.keep(blocks);
    for (const block of blocks) agedBy(archive, block, 1);
    const listed = (await archive.list()).filter(({ hash }) => hash !== blockHash(blocks[2]!));
    await new BlockArchive(archive.folder).keep([blocks[1]!]);
    expect(hashesOf(await archive.delete(listed))).toEqual(new Set([blockHash(blocks[0]!)]));
    const later = new BlockArchive(archive.folder);
    await expect(later.find(blockHash(blocks[0]!))).rejects.toMatchObject({ code: 'ARCHIVE_UNKNOWN' });
    // What was kept lately still has the others, whatever happens to their files.
    for (const block of blocks.slice(1)) {
      writeFileSync(fileOf(archive, block), '');
      expect(await later.find(blockHash(block))).toMatchObject({ block });
    }
  });

  test('loses nothing that other processes keep at the same time', async () => {
    const archive = new BlockArchive(folder());
    await archive.keep(blocks);
    const others = Array.from({ length: 60 }, (_, at) => blockOf(100 + at));
    const writer = new BlockArchive(archive.folder);
    const [deleted] = await Promise.all([
      archive.delete(await archive.list()),
      ...others.map((block) => writer.keep([block])),
    ]);
    expect(deleted).toHaveLength(3);
    for (const name of readdirSync(archive.folder)) if (name.endsWith('.json')) rmSync(path.join(archive.folder, name));
    const later = new BlockArchive(archive.folder);
    for (const block of others) expect(await later.find(blockHash(block))).toMatchObject({ block });
    for (const block of blocks)
      await expect(later.find(blockHash(block))).rejects.toMatchObject({ code: 'ARCHIVE_UNKNOWN' });
  });

  test('everything leaves no text, and files of others', async () => {
    const archive = new BlockArchive(folder(), { mostBytes: 500 });
    await archive.keep(blocks);
    await archive.makeRoom();
    writeFileSync(path.join(archive.folder, 'note.txt'), 'mine');
    writeFileSync(path.join(archive.folder, `.${blockHash(blocks[0]!)}.json.abc.tmp`), 'half of a text');
    expect(await archive.deleteAll()).toHaveLength(3);
    expect(readdirSync(archive.folder).sort()).toEqual(['.added', '.recent', 'note.txt']);
    expect(readFileSync(path.join(archive.folder, '.recent'), 'utf8').trim()).toBe('');
    await archive.keep(blocks.slice(0, 1));
    expect(await new BlockArchive(folder()).deleteAll()).toEqual([]);
  });
});
