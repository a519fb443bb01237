import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { codeCacheOf, loadBundle } from '../../src/offload/bundle.ts';

const SOURCE = `
const { basename } = require('node:path');
exports.answer = () => 42;
exports.place = () => basename(__filename);
`;

let folder: string;
let file: URL;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'density bundle #'));
  file = pathToFileURL(path.join(folder, 'some bundle.cjs'));
  writeFileSync(file, SOURCE);
});
afterEach(() => rmSync(folder, { recursive: true }));

const load = () => loadBundle<{ answer(): number; place(): string }>(file);

describe('loadBundle', () => {
  test('runs a bundle that has no bytecode, which finds modules and its own place', () => {
    const { exports, script } = load();
    expect([exports.answer(), exports.place()]).toEqual([42, 'some bundle.cjs']);
    expect(script.cachedDataRejected).toBeUndefined();
  });

  test('takes the bytecode beside it, in a folder of any name', () => {
    writeFileSync(codeCacheOf(file), load().script.createCachedData());
    const { exports, script } = load();
    expect(script.cachedDataRejected).toBe(false);
    expect(exports.answer()).toBe(42);
  });

  test.each([
    ['of another script', () => loadBundle(file).script.createCachedData(), `${SOURCE}// longer`],
    ['that is none', () => Buffer.from('no bytecode'), SOURCE],
    ['that is empty', () => Buffer.alloc(0), SOURCE],
  ])('compiles anew beside bytecode %s', (_, codeCache, source) => {
    writeFileSync(codeCacheOf(file), codeCache());
    writeFileSync(file, source);
    const { exports, script } = load();
    expect(script.cachedDataRejected).toBe(true);
    expect(exports.answer()).toBe(42);
  });

  test('says which bundle is missing', () => {
    rmSync(file);
    expect(load).toThrow(/ENOENT.*some bundle\.cjs/);
  });
});
