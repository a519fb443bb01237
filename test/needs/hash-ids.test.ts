import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HashIds } from '../../src/needs/hash-ids.ts';

test('hashes get ids from 0 in the order of their first use; an equal hash gets an equal id', () => {
  const hashes = fc.array(fc.oneof(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), fc.integer({ min: -9, max: 9 })));
  fc.assert(
    fc.property(hashes, (met) => {
      const ids = new HashIds();
      const expected = [...new Set(met)];
      expect(met.map((hash) => ids.of(hash))).toEqual(met.map((hash) => expected.indexOf(hash)));
      expect(ids.size).toBe(expected.length);
    }),
  );
});

test('a hundred thousand hashes keep their ids', () => {
  const ids = new HashIds();
  const hashes = Array.from({ length: 100_000 }, (_, at) => Math.imul(at, 0x01000193));
  for (const hash of hashes) ids.of(hash);
  expect(hashes.every((hash, at) => ids.of(hash) === at)).toBe(true);
});
