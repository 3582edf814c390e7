import type { Logger } from 'pino';

export interface Job {
  name: string;
  /** Milliseconds from the end of one run to the start of the next. */
  every: number;
  run: (stopping?: AbortSignal) => Promise<void>;
}

/**
 * Runs each job at once and then repeatedly, never twice at the same time. Logs failed runs. Disposal waits for running
 * jobs; long ones stop early by their signal.
 */
export function startJobs(jobs: Job[], log: Logger): AsyncDisposable {
  const stopping = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  const running = new Set<Promise<void>>();

  for (const job of jobs) turn(job);
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      for (const timer of timers) clearTimeout(timer);
      await Promise.allSettled(running);
    },
  };

  function turn(job: Job): void {
    const run = job
      .run(stopping.signal)
      .catch((err: unknown) => log.error({ err, job: job.name }, 'job failed'))
      .finally(() => {
        running.delete(run);
        if (stopping.signal.aborted) return;
        const timer = setTimeout(() => {
          timers.delete(timer);
          turn(job);
        }, job.every);
        timers.add(timer.unref());
      });
    running.add(run);
  }
}
