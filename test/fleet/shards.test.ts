import { expect, test } from 'vitest';
import { shardsOf } from '../../src/fleet/batch/fleet-files.ts';

const MB = 1024 * 1024;
const sizes = (...mb: readonly number[]): { sizeBytes: number }[] => mb.map((size) => ({ sizeBytes: size * MB }));
const shapes = (files: readonly { sizeBytes: number }[]): number[][] =>
  shardsOf(files).map((shard) => shard.map(({ sizeBytes }) => sizeBytes / MB));

test('a shard has at most 64 MB, and a larger file is one of its own', () => {
  expect(shapes(sizes(200, 40, 24, 1, 63, 1))).toEqual([[200], [40, 24], [1, 63], [1]]);
});

test('a shard has at most 100 files', () => {
  const files = Array.from({ length: 250 }, () => ({ sizeBytes: 1 }));
  expect(shardsOf(files).map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(shardsOf(files).flat()).toEqual(files);
});

test('no file gives no shard', () => {
  expect(shardsOf([])).toEqual([]);
});
