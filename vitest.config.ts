import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/build.ts',
    reporters: ['default', './test/count-reporter.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
