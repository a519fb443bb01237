import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { MUTATIONS } from '../../tools/mutations/mutations.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** How many requirements each group has. Source: docs/requirements.md. */
const REQUIREMENTS = [10, 10, 6, 4, 11, 5, 6, 6, 6, 5, 4, 3, 7];

test('every requirement of groups 001 to 013 has a mutation that breaks it', () => {
  const ids = REQUIREMENTS.flatMap((count, group) =>
    Array.from({ length: count }, (_, at) => `REQ-HD-${String(group + 1).padStart(3, '0')}.${at + 1}`),
  );
  const broken = new Set(MUTATIONS.map(({ requirement }) => requirement));
  expect(ids.filter((id) => !broken.has(id))).toEqual([]);
  expect([...broken].filter((id) => !ids.includes(id))).toEqual([]);
});

test.each(MUTATIONS)('there is one place and a test for: $what ($requirement)', ({ file, find, tests }) => {
  expect(readFileSync(path.join(ROOT, file), 'utf8').split(find)).toHaveLength(2);
  expect(tests.filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([]);
});
