import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

export interface Run {
  script: string;
  args: string[];
  cwd: string;
  env: Record<string, string | undefined>;
}

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** The process of this worker: test files that run one after another need only one. */
let runner: ReturnType<typeof startRunner> | undefined;

/**
 * Runs a script in another process, which runs one after another and loads their modules only once: most of what the
 * start of a script costs. For scripts that neither call `process.exit` nor leave anything open. One test of each
 * script should start it itself.
 */
export function runScript(run: Run): Promise<Ended> {
  runner ??= startRunner();
  return runner(run);
}

function startRunner() {
  // It ends with this process: nothing but the channel to it keeps it open.
  const child = fork(path.join(import.meta.dirname, 'script-runner-process.ts'), { execArgv: [] });
  const gone = once(child, 'exit').then(failed);
  gone.catch(() => undefined);
  let last: Promise<unknown> = Promise.resolve();
  return (run: Run): Promise<Ended> => {
    const ended = last.then(async () => {
      const answer = Promise.race([once(child, 'message'), gone]);
      child.send(run);
      return (await answer)[0] as Ended;
    });
    last = ended.catch(() => undefined);
    return ended;
  };
}

function failed(): never {
  runner = undefined;
  throw new Error('A script ended the process');
}
