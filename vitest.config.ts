import fs from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

if (Number.parseInt(process.versions.node, 10) < 26) {
  throw new Error(`Tests need Node 26+ (got ${process.version}); use "npm test".`);
}

/** The files that take longest, the longest first: were one of them the last, its worker would end long after the others. */
const LONGEST = ['/test/meetings/evenings', '/test/browser/'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const long = LONGEST.map((part) => sorted.filter(({ moduleId }) => moduleId.includes(part)));
    return [...new Set([...long.flat(), ...sorted])];
  }
}

/** Tests that kill or start processes, wait for silence, need thousands of rows or walk through every page or task. */
const SLOW = 'test/**/*.slow.test.ts';

/** `npm run test:fresh` runs these without `KeptApp`: each service is registered with Fastify as in production. */
const FRESH = ['test/{routes,calendar}/**/*.test.ts', 'test/pub/{staff-room,requests}/*.test.ts'];

/** What tests store needs not survive a power cut: where memory has room for it, no commit waits for a disk. */
const IN_MEMORY = '/dev/shm';
const hasRoom = (folder: string): boolean => {
  if (!fs.existsSync(folder)) return false;
  const { bavail, bsize } = fs.statfsSync(folder);
  return bavail * bsize > 4 * 1024 ** 3;
};

/** Every page and screen again, in a language in which each text that is not translated shows, and in German. */
const IN_LANGUAGE = [
  'test/browser/accessibility/*-page-audit.slow.test.ts',
  'test/browser/{meetings/wall,screens/tv-reading.slow}.test.ts',
];
const LANGUAGE_OF: Record<string, string> = { pseudo: 'en-x-long', german: 'de' };

const INCLUDED: Record<string, string[]> = {
  slow: [SLOW],
  fresh: FRESH,
  pseudo: IN_LANGUAGE,
  german: IN_LANGUAGE,
};

export default defineConfig(({ mode }) => ({
  test: {
    include: INCLUDED[mode] ?? ['test/**/*.test.ts'],
    exclude: mode === 'slow' || mode in LANGUAGE_OF ? [] : [SLOW],
    isolate: false,
    // Node loads the modules itself, as it does for the service.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Twice the cores that it is made for: for half of its time a test waits for processes, pages and timers.
    maxWorkers: 4,
    // What is awaited is an event, and its absence is what fails: long enough for a machine busy with other work.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000, interval: 15 } },
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: [
      'test/support/quick-imports.ts',
      'test/support/plugin-names.ts',
      'test/support/strict-texts.ts',
    ],
    sequence: { sequencer: LongestFirst },
    // Every test makes a service of its own: much garbage, nearly all of it young.
    execArgv: ['--max-semi-space-size=64'],
    env: {
      ...(hasRoom(IN_MEMORY) && { TMPDIR: IN_MEMORY }),
      // Modules are compiled once, not by each worker.
      NODE_COMPILE_CACHE: path.join(import.meta.dirname, 'node_modules/.cache/node-compile'),
      ...(mode === 'fresh' && { FRESH_APPS: 'on' }),
      ...(LANGUAGE_OF[mode] && { TEST_LANGUAGE: LANGUAGE_OF[mode] }),
    },
  },
}));
