import { defineConfig } from 'vitest/config';

/**
 * Tests of these rooms share a process, which loads the source once. What a module keeps there is no input of another test, and
 * no test of them replaces a module.
 */
const SHARED = [
  ...['content', 'economics', 'formats', 'gate', 'guard', 'mcp', 'needs', 'offload', 'plugin', 'pruning', 'report'],
  ...['strategies', 'strict-provider', 'telemetry', 'tokens'],
].map((room) => `test/${room}/**/*.test.ts`);

const EACH = {
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
      { test: { ...EACH, name: 'shared', include: SHARED, isolate: false } },
      { test: { ...EACH, name: 'others', include: ['test/**/*.test.ts'], exclude: SHARED } },
    ],
  },
});
