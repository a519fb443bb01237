import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * A file has a process of its own if its tests replace modules, the environment, a clock or a tracer, load a second copy of our code, or run
 * commands. So has what measures long texts by `string-width`: it takes 60 core-seconds at the end of the shared process, and 2 alone.
 */
const ALONE =
  /\bvi\.(?:mock|doMock|stub\w+|spyOn|useFakeTimers|setSystemTime)\b|process\.(?:chdir|env\[)|\/(?:e2e\/|built-file)|@opentelemetry|'string-width'/;
/** The packed file, pages in a browser: `npm run test:package`. */
const OF_PACKAGE = 'test/package/**/*.test.ts';
const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') && !name.startsWith('package'))
  .map((name) => path.posix.join('test', name.replaceAll(path.sep, '/')));
const isAlone = (file: string): boolean =>
  /^test\/(?:[^/]+$|(?:bench|e2e|examples|tools)\/)/.test(file) || ALONE.test(readFileSync(file, 'utf8'));

const EACH = {
  // Node loads the build itself: nothing in it is changed.
  server: { deps: { external: [/\/dist\/[^/]+\.js$/] } },
  setupFiles: 'test/property-seed.ts',
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // What a test waits for comes, or not at all: how soon is not what is tested.
  expect: { poll: { timeout: 240_000 } },
};

export default defineConfig({
  test: {
    globalSetup: 'test/build.ts',
    reporters: ['default', './test/count-reporter.ts'],
    // One core less than there are is the default: most tests wait for processes, and two cores would run one file at a time.
    maxWorkers: '100%',
    projects: [
      { test: { ...EACH, name: 'shared', include: files.filter((file) => !isAlone(file)), isolate: false } },
      { test: { ...EACH, name: 'alone', include: files.filter(isAlone) } },
      { test: { ...EACH, name: 'package', include: [OF_PACKAGE] } },
    ],
  },
});
