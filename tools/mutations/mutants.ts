import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Mutation } from './mutation.ts';
import { MUTATIONS } from './mutations.ts';

interface Verdict {
  readonly mutation: Mutation;
  /** File and title of the first test that failed; undefined: the mutation survived. */
  readonly caughtBy: string | undefined;
}

/** A copy of the checkout (tracked files, built packages) that can be changed without harm. */
function copyOfCheckout(root: string): string {
  const copy = mkdtempSync(path.join(tmpdir(), 'high-density-mutant-'));
  for (const file of execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)) {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    cpSync(path.join(root, file), path.join(copy, file));
  }
  cpSync(path.join(root, 'dist/vocabulary'), path.join(copy, 'dist/vocabulary'), { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  // The tests named by mutations run from source: without the build of the ordinary set-up.
  writeFileSync(
    path.join(copy, 'mutant.config.ts'),
    "export default { test: { include: ['test/**/*.test.ts'], testTimeout: 600_000 } };\n",
  );
  return copy;
}

/** File and title of a failed test among those of `tests` whose title matches; undefined when all pass. */
function firstFailure(copy: string, tests: readonly string[], titlePattern: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const vitest = path.join(copy, 'node_modules/vitest/vitest.mjs');
    const report = ['--reporter=json', '--outputFile=mutant.json', '--config=mutant.config.ts'];
    execFile(
      process.execPath,
      [vitest, 'run', ...tests, '--bail=1', `--testNamePattern=${titlePattern}`, ...report],
      { cwd: copy, maxBuffer: 1 << 28 },
      (error) => {
        if (!error) return resolve(undefined);
        const { testResults } = JSON.parse(readFileSync(path.join(copy, 'mutant.json'), 'utf8'));
        for (const file of testResults) {
          for (const result of file.assertionResults) {
            if (result.status === 'failed') return resolve(`${path.relative(copy, file.name)} › ${result.fullName}`);
          }
        }
        resolve(testResults.length > 0 ? 'a test file fails to load' : undefined);
      },
    );
  });
}

async function judge(copy: string, mutation: Mutation): Promise<Verdict> {
  const file = path.join(copy, mutation.file);
  const original = readFileSync(file, 'utf8');
  const parts = original.split(mutation.find);
  if (parts.length !== 2) {
    throw new Error(
      `Expected exactly one place in ${mutation.file} for ${mutation.requirement}, got ${parts.length - 1}`,
    );
  }
  writeFileSync(file, parts.join(mutation.replace));
  try {
    const { requirement, tests } = mutation;
    const id = /^REQ-HD-(.*)/.exec(requirement)?.[1];
    const caughtBy =
      (id && (await firstFailure(copy, tests, `${id}(?![0-9])`))) || (await firstFailure(copy, tests, '.'));
    return { mutation, caughtBy };
  } finally {
    writeFileSync(file, original);
  }
}

/** Applies one mutation after the other and prints which test catches it; exit code 1 when one survives. `REQ-HD-003`, `docs/live.md` or `src/live` runs those alone. */
async function main(): Promise<void> {
  const root = execFileSync('git', ['rev-parse', '--show-toplevel'], { encoding: 'utf8' }).trim();
  const only = process.argv.slice(2);
  const queue = MUTATIONS.filter(
    ({ requirement, file }) =>
      only.length === 0 || only.some((start) => requirement.startsWith(start) || file.startsWith(start)),
  );
  const verdicts: Verdict[] = [];
  const work = [...queue];
  await Promise.all(
    [0, 1].map(async () => {
      const copy = copyOfCheckout(root);
      try {
        for (let mutation = work.shift(); mutation !== undefined; mutation = work.shift()) {
          verdicts.push(await judge(copy, mutation));
        }
      } finally {
        rmSync(copy, { recursive: true, force: true });
      }
    }),
  );
  verdicts.sort((a, b) => queue.indexOf(a.mutation) - queue.indexOf(b.mutation));
  const width = Math.max(...queue.map(({ requirement }) => requirement.length));
  for (const { mutation, caughtBy } of verdicts) {
    console.log(`${mutation.requirement.padEnd(width)} ${mutation.what.padEnd(70)} ${caughtBy ?? 'SURVIVED'}`);
  }
  const survivors = verdicts.filter(({ caughtBy }) => caughtBy === undefined).length;
  console.log(`\n${verdicts.length} mutations, ${survivors} survived`);
  process.exitCode = survivors === 0 ? 0 : 1;
}

if (process.argv[1] === import.meta.filename) await main();
