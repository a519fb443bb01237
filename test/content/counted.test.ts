import fc from 'fast-check';
import { test } from 'vitest';
import { grouped } from '../../src/content/counted.ts';

test('numbers are grouped as in English, whole ones without `Intl`', () => {
  const english = new Intl.NumberFormat('en-US');
  const whole = fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -10_000, max: 10_000 }), fc.constantFrom(0, 999, 1000));
  const numbers = fc.oneof(whole, fc.double(), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53));
  fc.assert(fc.property(numbers, (number) => grouped(number) === english.format(number === 0 ? 0 : number)));
});
