import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { OWNER_FILE_MODE } from '../../src/disk/owner-only.ts';
import { replaceFile } from '../../src/disk/temporary-file.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'replace-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const modeOf = (file: string): number => statSync(file).mode & 0o777;

describe.skipIf(process.platform === 'win32')('a replaced file', () => {
  test('keeps its mode, and a link to it stays a link', async () => {
    const file = path.join(folder, 'kept.json');
    const link = path.join(folder, 'link.json');
    writeFileSync(file, 'before');
    chmodSync(file, 0o666);
    symlinkSync(file, link);
    await replaceFile(link, 'after');
    expect(readFileSync(file, 'utf8')).toBe('after');
    expect(modeOf(file)).toBe(0o666);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });

  test('gets the mode that is asked for', async () => {
    const file = path.join(folder, 'owner.json');
    writeFileSync(file, 'before', { mode: 0o644 });
    await replaceFile(file, 'after', { mode: OWNER_FILE_MODE });
    expect(modeOf(file)).toBe(OWNER_FILE_MODE);
  });

  test('is as before if it cannot be replaced, and no other file is left', async () => {
    const place = path.join(folder, 'taken');
    mkdirSync(path.join(place, 'is-a-folder'), { recursive: true });
    await expect(replaceFile(path.join(place, 'is-a-folder'), 'text')).rejects.toMatchObject({ code: 'EISDIR' });
    expect(readdirSync(place)).toEqual(['is-a-folder']);
  });
});
