import { defineConfig } from 'vitest/config';

/** Tests of rooms without state share a process, which loads the source once: `test/architecture.test.ts` holds that they have none. */
const PURE = ['content', 'needs', 'economics', 'strategies', 'report'].map((room) => `test/${room}/**/*.test.ts`);

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
      { test: { ...EACH, name: 'pure', include: PURE, isolate: false } },
      { test: { ...EACH, name: 'others', include: ['test/**/*.test.ts'], exclude: PURE } },
    ],
  },
});
