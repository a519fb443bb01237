import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ContentBlock } from '../../../src/content/content.ts';
import { ArchiveNames } from '../../../src/disk/archive/archive-names.ts';
import { BlockArchive, blockHash } from '../../../src/disk/block-archive.ts';

vi.mock(import('node:fs/promises'), async (original) => {
  const real = await original();
  return { ...real, readdir: vi.fn(real.readdir) as unknown as typeof real.readdir };
});

let folder: string;
beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), 'archive-names-')), 'archive');
  vi.mocked(readdir).mockClear();
});
afterEach(() => rmSync(path.dirname(folder), { recursive: true }));

const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const digits = (block: ContentBlock): string => blockHash(block).slice(0, 12);
/** As the hooks of the plugin open it. */
const writer = (): BlockArchive => new BlockArchive(folder, { mostBytes: Number.POSITIVE_INFINITY });

test('a folder that was read is not read again for what others keep later', async () => {
  await writer().keep([text('one')]);
  const archive = writer();
  await archive.find(digits(text('one')));
  for (let at = 0; at < 20; at++) {
    const block = text(`later ${at}`);
    await writer().keep([block]);
    expect(await archive.find(digits(block))).toEqual({ hash: blockHash(block), block });
  }
  expect(readdir).toHaveBeenCalledTimes(1);
});

test('the digits of a marker give no text any more once another process keeps a second one that begins alike', async () => {
  await writer().keep([text('one')]);
  const archive = writer();
  await archive.find(digits(text('one')));
  const twin = `${digits(text('one'))}${'0'.repeat(52)}`;
  await new ArchiveNames(folder).add([twin]);
  await expect(archive.find(digits(text('one')))).rejects.toThrow(`${blockHash(text('one'))}, ${twin}`);
  expect(await archive.find(blockHash(text('one')))).toMatchObject({ block: text('one') });
  expect(readdir).toHaveBeenCalledTimes(1);
});

test('a file that nobody told of is found by reading the folder', async () => {
  await writer().keep([text('one')]);
  const archive = writer();
  await archive.find(digits(text('one')));
  const copied = text('copied');
  writeFileSync(path.join(folder, `${blockHash(copied)}.json`), JSON.stringify(copied));
  expect(await archive.find(digits(copied))).toMatchObject({ block: copied });
  expect(readdir).toHaveBeenCalledTimes(2);
});

test('the list of what was added may be cut, damaged or gone', async () => {
  const archive = writer();
  await archive.keep([text('one')]);
  await archive.find(digits(text('one')));
  const added = path.join(folder, '.added');
  for (const content of ['', 'no hash\n', `${'f'.repeat(64)}\n${'e'.repeat(30)}`]) {
    writeFileSync(added, content);
    const block = text(`after ${content}`);
    await writer().keep([block]);
    expect(await archive.find(digits(block))).toMatchObject({ block });
    rmSync(added);
  }
});

test('a long list of what was added is removed when room is made', async () => {
  await writer().keep([text('one')]);
  const archive = writer();
  await archive.find(digits(text('one')));
  const added = path.join(folder, '.added');
  writeFileSync(added, `${'f'.repeat(64)}\n`.repeat(17_000));
  await new BlockArchive(folder).makeRoom();
  expect(
    await vi.importActual<typeof import('node:fs/promises')>('node:fs/promises').then((fs) => fs.readdir(folder)),
  ).toEqual(['.recent', `${blockHash(text('one'))}.json`]);
  await writer().keep([text('two')]);
  expect(await archive.find(digits(text('two')))).toMatchObject({ block: text('two') });
});
