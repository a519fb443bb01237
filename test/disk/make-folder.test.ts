import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { makeFolder } from '../../src/disk/owner-only.ts';

describe('a folder', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'density-folder-'));
  afterAll(() => rmSync(root, { recursive: true }));
  const modeOf = (folder: string): number => statSync(folder).mode & 0o777;

  test('is made with those above it that are missing, all for the owner alone', async () => {
    const folder = path.join(root, 'a', 'b', 'c');
    await makeFolder(folder, 0o700);
    for (const made of [folder, path.dirname(folder)]) expect(modeOf(made)).toBe(0o700);
    await makeFolder(folder, 0o755);
    expect(modeOf(folder)).toBe(0o700);
    await makeFolder('/');
  });

  test('may be made by two callers at once, and below a link', async () => {
    const folder = path.join(root, 'x', 'y');
    await Promise.all([makeFolder(folder), makeFolder(folder), makeFolder(path.join(folder, 'z'))]);
    symlinkSync(folder, path.join(root, 'link'));
    await makeFolder(path.join(root, 'link'));
    await makeFolder(path.join(root, 'link', 'below'));
    expect(existsSync(path.join(folder, 'below'))).toBe(true);
  });

  test('is refused if a file has that path', async () => {
    writeFileSync(path.join(root, 'file'), '');
    await expect(makeFolder(path.join(root, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(makeFolder(path.join(root, 'file', 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  const hasProc = existsSync('/proc/self');
  if (!hasProc) console.log('There is no /proc: that a folder below it is refused is not tested.');
  test.runIf(hasProc)('is refused where the system makes none, and that at once', async () => {
    await expect(makeFolder('/proc/density/below')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
