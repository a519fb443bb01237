import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { MUTATIONS } from '../../tools/mutations/mutations.ts';
import { anchorOf, headingsOf } from '../headings.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** How many requirements each group has. Source: docs/requirements.md. */
const REQUIREMENTS = [10, 10, 6, 4, 11, 5, 6, 6, 6, 5, 4, 3, 7];

/** Rooms whose promises are in documents: what they do has no requirement of its own. */
const ROOMS = ['live', 'proxy', 'economics', 'guard', 'pruning', 'offload'];

const contentOf = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

const broken = [...new Set(MUTATIONS.map(({ requirement }) => requirement))];
const isRequirement = (name: string): boolean => name.startsWith('REQ-HD-');

test('every requirement of groups 001 to 013 has a mutation that breaks it', () => {
  const ids = REQUIREMENTS.flatMap((count, group) =>
    Array.from({ length: count }, (_, at) => `REQ-HD-${String(group + 1).padStart(3, '0')}.${at + 1}`),
  );
  expect(ids.filter((id) => !broken.includes(id))).toEqual([]);
  expect(broken.filter((name) => isRequirement(name) && !ids.includes(name))).toEqual([]);
});

test('what breaks no requirement breaks a section of a document', () => {
  const lost = broken.filter((name) => {
    const [file = '', anchor = ''] = name.split('#');
    return !isRequirement(name) && !headingsOf(contentOf(file)).map(anchorOf).includes(anchor);
  });
  expect(lost).toEqual([]);
});

test.each(ROOMS)('src/%s has mutations', (room) => {
  expect(MUTATIONS.filter(({ file }) => file.startsWith(`src/${room}/`)).length).toBeGreaterThanOrEqual(4);
});

test.each(MUTATIONS)('there is one place and a test for: $what ($requirement)', ({ file, find, tests }) => {
  expect(contentOf(file).split(find)).toHaveLength(2);
  expect(tests.filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([]);
});
