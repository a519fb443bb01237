import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/build.ts',
    setupFiles: 'test/property-seed.ts',
    reporters: ['default', './test/count-reporter.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // What a test waits for comes, or not at all: how soon is not what is tested.
    expect: { poll: { timeout: 240_000 } },
  },
});
