import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const DIST = pathToFileURL(path.resolve(import.meta.dirname, '../../../dist/'));

/** What a thread sees of the built bundle, started from a process that compiles as `flags` says. */
const rejected = (flags: string): string =>
  execFileSync(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    encoding: 'utf8',
    env: { ...process.env, DIST: DIST.href, FLAGS: flags },
  }).trim();

const PROGRAM = `
import { Worker } from 'node:worker_threads';
const { compileForComparison } = await import(process.env.DIST + '/src/lab/compile-flags.js');
if (process.env.FLAGS === 'comparison') compileForComparison();
new Worker(\`
  import(process.env.DIST + '/src/offload/bundle.js').then(({ loadBundle }) =>
    console.log(loadBundle(new URL(process.env.DIST + '/workers/compare.cjs')).script.cachedDataRejected))
\`, { eval: true });
`;

test('a comparing thread starts from the bytecode that the build kept', () => {
  expect(rejected('comparison')).toBe('false');
});

test('bytecode is not taken under other flags: the build must make it under those of a comparison', () => {
  expect(rejected('usual')).toBe('true');
});
