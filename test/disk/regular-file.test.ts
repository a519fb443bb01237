import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { filePart } from '../../src/disk/file-part.ts';
import { regularFileText } from '../../src/disk/regular-file.ts';
import { fileTexts } from '../../src/guard/file-texts.ts';
import { fileVariables } from '../../src/proxy/agents/settings/environment-file.ts';
import { readSettingsObject } from '../../src/settings/settings-file.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'density-regular-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const inFolder = (name: string): string => path.join(folder, name);

const plain = inFolder('plain');
writeFileSync(plain, 'text');
const pipe = inFolder('pipe');
execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', pipe]);
const link = inFolder('link');
symlinkSync('/dev/zero', link);
const odd = [pipe, link, '/dev/zero', '/dev/tty'];

test('a pipe without a writer, a device, or a link to one is refused at once, and a folder by its own reason', () => {
  for (const file of odd) {
    expect(() => regularFileText(file)).toThrow('Expected a regular file');
    expect(() => filePart(file, 0, 10)).toThrow('Expected a regular file');
  }
  expect(() => regularFileText(folder)).toThrow(expect.objectContaining({ code: 'EISDIR' }));
  expect(regularFileText(plain)).toBe('text');
  expect(() => regularFileText(plain, 3)).toThrow(expect.objectContaining({ code: 'EFBIG' }));
});

test('what a call names is read for the guard only if it is a regular file, and not without end', () => {
  const large = ['one', 'two'].map((name) => {
    writeFileSync(inFolder(name), name.padEnd(5 << 20));
    return inFolder(name);
  });
  expect(fileTexts([...odd, folder, 'relative', inFolder('missing'), plain])).toEqual(['text']);
  expect(fileTexts([...large, plain]).map((text) => text.trim())).toEqual(['one', 'text']);
});

test('settings in a folder of others that are a pipe or a device are refused or passed over', async () => {
  for (const file of [pipe, link])
    await expect(readSettingsObject(file)).rejects.toThrow('Expected a file that can be read');
  const work = inFolder('work');
  mkdirSync(work);
  symlinkSync('/dev/zero', path.join(work, '.env'));
  writeFileSync(inFolder('.env'), 'A=b\n');
  expect(await fileVariables({ folder: work, home: folder, environment: {}, parameters: [] }, '.qwen')).toEqual({
    A: 'b',
  });
});
