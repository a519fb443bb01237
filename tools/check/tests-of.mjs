import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What a test names that runs the built package, which takes too long to build here. */
const BUILT = /(?:from|import\() ?'high-density|\bdist\/|from '[^']*\/(?:e2e\/|built-file)/;

const importOf = (file) => new RegExp(`\\.\\./${file.replaceAll('.', '\\.')}'`);

/** The folder of tests that mirrors the folder of `file`, else the nearest one above it. */
function mirrorOf(file, folders) {
  let folder = path.posix.dirname(file).replace(/^src\b/, 'test');
  while (folder.includes('/') && !folders.has(folder)) folder = path.posix.dirname(folder);
  return folder;
}

/** Whether a test is one of `file`: it is that file, mirrors its folder, or names it. */
function isTestOf(file, { test, text, folders }) {
  if (test === file) return true;
  if (file.endsWith('.md')) return test === 'test/docs.test.ts' || text.includes(file);
  return path.posix.dirname(test) === mirrorOf(file, folders) || importOf(file).test(text);
}

/**
 * The tests of the changed files, by their place in the repository: `run` need no build, `built` run the built package.
 * Tests that only depend on a changed file, without naming it, are in neither.
 */
export function testsOf(changed, root) {
  const run = [];
  const built = [];
  const names = readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' }).sort();
  const tests = names
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => path.posix.join('test', name.replaceAll(path.sep, '/')));
  const folders = new Set(tests.map((test) => path.posix.dirname(test)));
  for (const test of tests) {
    const text = readFileSync(path.join(root, test), 'utf8');
    if (!changed.some((file) => isTestOf(file, { test, text, folders }))) continue;
    (/^test\/(?:e2e|package)\//.test(test) || BUILT.test(text) ? built : run).push(test);
  }
  return { run, built };
}
