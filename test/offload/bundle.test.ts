import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { codeCacheBytes, codeCacheOf, loadBundle } from '../../src/offload/bundle.ts';

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
    writeFileSync(codeCacheOf(file), codeCacheBytes(file, load().script));
    const { exports, script } = load();
    expect(script.cachedDataRejected).toBe(false);
    expect(exports.answer()).toBe(42);
  });

  test.each([
    ['of another script, just as long', (bytes: Buffer) => bytes, SOURCE.replace('42', '43')],
    ['with a broken byte', (bytes: Buffer) => bytes.fill(0xff, bytes.length / 2, bytes.length / 2 + 1), SOURCE],
    ['that is cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2), SOURCE],
    ['that is empty', () => Buffer.alloc(0), SOURCE],
  ])('compiles anew beside bytecode %s', (_, spoil, source) => {
    writeFileSync(codeCacheOf(file), spoil(codeCacheBytes(file, load().script)));
    writeFileSync(file, source);
    const { exports, script } = load();
    expect(script.cachedDataRejected).toBeUndefined();
    expect(exports.answer()).toBe(source === SOURCE ? 42 : 43);
  });

  test.each(['arch', 'platform'] as const)('compiles anew beside bytecode of another %s', (name) => {
    writeFileSync(codeCacheOf(file), codeCacheBytes(file, load().script));
    const property = Object.getOwnPropertyDescriptor(process, name)!;
    try {
      Object.defineProperty(process, name, { ...property, value: 'other' });
      const { exports, script } = load();
      expect(script.cachedDataRejected).toBeUndefined();
      expect(exports.answer()).toBe(42);
    } finally {
      Object.defineProperty(process, name, property);
    }
  });

  test('says which bundle is missing', () => {
    rmSync(file);
    expect(load).toThrow(/ENOENT.*some bundle\.cjs/);
  });
});
