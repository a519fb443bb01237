/**
 * `npm run check`: types, style and the nearest tests of what changed since the last commit. Tests stop after 20 s. Says what
 * it did not run. Types always finish; the first time that takes longer.
 */
import { execFileSync, spawn } from 'node:child_process';
import path from 'node:path';
// biome-ignore lint/correctness/useImportExtensions: plain JavaScript with declarations beside it.
import { testsOf } from './check/tests-of.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');
const LIMIT_MS = 20_000;
const startedMs = Date.now();
const NOTHING = { isFailed: false, isEnded: false, output: '' };

const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean);

/** The output and exit code of a program of `node_modules`, and whether it was ended at the limit. */
function run(program, args, { limitMs } = {}) {
  const child = spawn(process.execPath, [path.join(ROOT, 'node_modules', program), ...args], {
    cwd: ROOT,
    env: { ...process.env, SKIP_BUILD: '1' },
  });
  let isEnded = false;
  const end = () => {
    isEnded = true;
    child.kill('SIGKILL');
  };
  const timer = limitMs === undefined ? undefined : setTimeout(end, limitMs);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ isFailed: isEnded ? output.includes('×') : code !== 0, isEnded, output });
    });
  });
}

const changed = [
  ...git('diff', '-z', '--name-only', '--relative', '--diff-filter=d', 'HEAD'),
  ...git('ls-files', '-z', '--others', '--exclude-standard'),
];
const tests = testsOf(changed, ROOT);
const notRun = tests.built.map((test) => `${test}: it runs the built package`);

const cache = 'node_modules/.cache/check.tsbuildinfo';
const types = run('typescript/bin/tsc', ['-p', '.', '--incremental', '--tsBuildInfoFile', cache]);
const style =
  changed.length === 0
    ? NOTHING
    : run('@biomejs/biome/bin/biome', [
        'check',
        '--config-path=tools/check/rules-of-a-file.json',
        '--no-errors-on-unmatched',
        ...changed,
      ]);
const limitMs = LIMIT_MS - 1000 - (Date.now() - startedMs);
const tested = tests.run.length === 0 ? NOTHING : run('vitest/vitest.mjs', ['run', ...tests.run], { limitMs });
const results = {
  types: await types,
  style: await style,
  tests: await tested,
};

for (const [name, { isFailed, isEnded, output }] of Object.entries(results)) {
  if (isFailed) process.stdout.write(output);
  process.stdout.write(`${name}: ${isFailed ? 'FAIL' : isEnded ? 'not finished' : 'pass'}\n`);
}
if (results.tests.isEnded) {
  const finished = results.tests.output;
  notRun.push(...tests.run.filter((test) => !finished.includes(test)).map((test) => `${test}: no time was left`));
}
process.stdout.write(`
${changed.length} changed files, ${tests.run.length} test files, ${((Date.now() - startedMs) / 1000).toFixed(1)} s. Not run:
${notRun.map((line) => `- ${line}\n`).join('')}- tests that neither name a changed file nor mirror its folder
- rules of style that read all files
- unused code, the package's declarations, and the packed file (npm run test:package)
npm test runs the others.
`);
process.exitCode = Object.values(results).some(({ isFailed }) => isFailed) ? 1 : 0;
