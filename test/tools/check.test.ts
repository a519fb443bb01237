import path from 'node:path';
import { expect, test } from 'vitest';
// biome-ignore lint/correctness/useImportExtensions: plain JavaScript with declarations beside it.
import { testsOf } from '../../tools/check/tests-of.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');
const testsOfFile = (file: string) => testsOf([file], ROOT);

test('a changed file has the tests of its folder and those that import it', () => {
  const { run } = testsOfFile('src/settings/project/project-file.ts');
  expect(run).toContain('test/settings/sources.test.ts');
  expect(testsOfFile('src/settings/parse.ts').run).toContain('test/settings/profile-store.test.ts');
});

test('a file whose folder has no tests has those of the nearest folder above', () => {
  expect(testsOfFile('src/cli/commands/settings/profile.ts').run).toContain('test/cli/commands.test.ts');
});

test('a page has the test of all pages and those that name it', () => {
  const { run } = testsOfFile('docs/settings.md');
  expect(run).toEqual(expect.arrayContaining(['test/docs.test.ts', 'test/settings/settings-table.test.ts']));
});

test('a test has itself, and is not run where it needs a build', () => {
  const own = 'test/settings/settings.test.ts';
  expect(testsOfFile(own).run.concat(testsOfFile(own).built)).toContain(own);
  const { run, built } = testsOfFile('test/e2e/settings.test.ts');
  expect(run).toEqual([]);
  expect(built).toContain('test/e2e/settings.test.ts');
});

test('nothing changed has no tests', () => {
  expect(testsOf([], ROOT)).toEqual({ run: [], built: [] });
});
