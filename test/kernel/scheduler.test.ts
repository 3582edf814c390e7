import pino from 'pino';
import { expect, test } from 'vitest';
import { startJobs } from '#kernel/scheduler.ts';

test('a job that fails is logged and runs again, and stopping waits for the current run', async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const runs = Promise.withResolvers<void>();
  let count = 0;
  let finished = 0;
  const jobs = startJobs(
    [
      {
        name: 'flaky',
        every: 1,
        run: async () => {
          count += 1;
          if (count === 1) throw new Error('not today');
          runs.resolve();
          await new Promise(setImmediate);
          finished += 1;
        },
      },
    ],
    log,
  );

  await runs.promise;
  await jobs[Symbol.asyncDispose]();

  expect(finished).toBe(count - 1);
  expect(lines.join()).toContain('not today');
});
