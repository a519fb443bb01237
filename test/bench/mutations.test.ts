import { expect, test } from 'vitest';
import { MUTATIONS } from '../../bench/mutations.ts';

/** How many requirements each group has. Source: spec/requirements.md. */
const REQUIREMENTS = [10, 10, 6, 4, 11, 5, 6, 6, 6, 5, 4, 3, 7];

test('every requirement of groups 001 to 013 has a mutation that breaks it', () => {
  const ids = REQUIREMENTS.flatMap((count, group) =>
    Array.from({ length: count }, (_, at) => `REQ-HD-${String(group + 1).padStart(3, '0')}.${at + 1}`),
  );
  const broken = new Set(MUTATIONS.map(({ requirement }) => requirement));
  expect(ids.filter((id) => !broken.has(id))).toEqual([]);
  expect([...broken].filter((id) => !ids.includes(id))).toEqual([]);
});
