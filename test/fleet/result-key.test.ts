import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { builtHash } from '../../src/fleet/batch/result-key.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'density-builds-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A build of a worker, with what it loads late by its name. */
function build(name: string, late: Readonly<Record<string, string>>): string {
  const place = path.join(folder, name);
  mkdirSync(path.join(place, 'compare'), { recursive: true });
  writeFileSync(path.join(place, 'compare.js'), 'import("./compare/compress.js")');
  for (const [file, text] of Object.entries(late)) writeFileSync(path.join(place, 'compare', file), text);
  return builtHash(pathToFileURL(path.join(place, 'compare.js')));
}

test('two builds that differ only in what a worker loads late share no result', () => {
  const hash = build('one', { 'compress.js': 'one' });
  expect(build('copy', { 'compress.js': 'one' })).toBe(hash);
  expect(build('other', { 'compress.js': 'other' })).not.toBe(hash);
  expect(build('renamed', { 'other.js': 'one' })).not.toBe(hash);
  expect(build('more', { 'compress.js': 'one', 'more.js': '' })).not.toBe(hash);
});

test('a build that loads nothing late has a hash too', () => {
  const file = path.join(folder, 'alone.js');
  writeFileSync(file, 'alone');
  expect(builtHash(pathToFileURL(file))).toMatch(/^[0-9a-f]{64}$/);
});
