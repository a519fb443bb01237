import type { Random } from './random.ts';

/** One test that fails, and the assertion that says why. */
export interface Failure {
  readonly file: string;
  readonly title: string;
  readonly reason: string;
  readonly line: number;
}

export interface TestRun {
  readonly files: readonly { readonly name: string; readonly tests: number }[];
  readonly failures: readonly Failure[];
}

const rule = (title: string): string => `⎯⎯⎯⎯⎯⎯⎯ ${title} ⎯⎯⎯⎯⎯⎯⎯`;

/** What a test runner prints, with a time that differs from run to run. */
export function testOutput(run: TestRun, random: Random): string {
  const failedIn = (name: string): number => run.failures.filter(({ file }) => file === name).length;
  const lines = run.files.map(({ name, tests }) => {
    const failed = failedIn(name);
    const outcome = failed > 0 ? ` ❯ ${name} (${tests} tests | ${failed} failed)` : ` ✓ ${name} (${tests} tests)`;
    return `${outcome} ${12 + random.integer(60)}ms`;
  });
  const details = run.failures.map(
    ({ file, title, reason, line }) =>
      ` FAIL  ${file} > ${title}\n${reason}\n ❯ ${file}:${line}:${5 + random.integer(30)}\n` +
      `    at runTest (node_modules/vitest/dist/runner.js:${900 + random.integer(300)}:11)\n` +
      `    at runSuite (node_modules/vitest/dist/runner.js:${1200 + random.integer(300)}:15)`,
  );
  const tests = run.files.reduce((sum, file) => sum + file.tests, 0);
  const failed = run.failures.length;
  const failedFiles = run.files.filter(({ name }) => failedIn(name) > 0).length;
  return [
    '\n> harbour-office@3.8.0 test\n> vitest run\n',
    ' RUN  v4.1.12\n',
    ...lines,
    ...(failed > 0 ? [`\n${rule(`Failed Tests ${failed}`)}`, ...details] : []),
    `\n Test Files  ${failedFiles > 0 ? `${failedFiles} failed | ` : ''}${run.files.length - failedFiles} passed (${run.files.length})`,
    `      Tests  ${failed > 0 ? `${failed} failed | ` : ''}${tests - failed} passed (${tests})`,
    `   Duration  ${(0.8 + random.next()).toFixed(2)}s`,
  ].join('\n');
}
