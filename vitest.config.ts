import { defineConfig } from 'vitest/config';

if (Number.parseInt(process.versions.node, 10) < 26) {
  throw new Error(`Tests need Node 26+ (got ${process.version}); use "npm test".`);
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    isolate: false,
    maxWorkers: 2,
    // Long enough for a slow machine: what is awaited is an event, and its absence is what fails.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    globalSetup: ['test/support/global-setup.ts'],
  },
});
