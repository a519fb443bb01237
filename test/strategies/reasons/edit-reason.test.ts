import { expect, test } from 'vitest';
import { CERTIFICATE_RULES, COUNTERS, EDIT_RULES } from '../../../src/strategies/reasons/edit-reason.ts';

test('every reason is in a counter and has words in certificates', () => {
  expect(new Set(Object.values(EDIT_RULES).map(({ counter }) => counter))).toEqual(new Set(COUNTERS));
  expect(new Set(Object.values(EDIT_RULES).map(({ certificate }) => certificate))).toEqual(new Set(CERTIFICATE_RULES));
});
