import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MarkNumbers } from '../../src/needs/mark-numbers.ts';

test('marks are numbered from 0 on in the order in which they are met, the same mark always alike', () => {
  const marks = fc.array(fc.oneof(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), fc.integer({ min: -9, max: 9 })));
  fc.assert(
    fc.property(marks, (met) => {
      const numbers = new MarkNumbers();
      const expected = [...new Set(met)];
      expect(met.map((mark) => numbers.of(mark))).toEqual(met.map((mark) => expected.indexOf(mark)));
      expect(numbers.size).toBe(expected.length);
    }),
  );
});

test('a hundred thousand marks keep their numbers', () => {
  const numbers = new MarkNumbers();
  const marks = Array.from({ length: 100_000 }, (_, at) => Math.imul(at, 0x01000193));
  for (const mark of marks) numbers.of(mark);
  expect(marks.every((mark, at) => numbers.of(mark) === at)).toBe(true);
});
