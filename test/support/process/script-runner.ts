import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { shared } from '#test/support/shared-app.ts';

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

/**
 * Runs scripts one after another in one other process, which loads their modules only once: most of what the start of
 * a script costs. For scripts that neither call `process.exit` nor leave anything open. Call it at the top of a file;
 * one of its tests should start the script itself.
 */
export function scriptRunner(): (run: Run) => Promise<Ended> {
  const opened = shared(startRunner);
  return async (run) => (await opened()).run(run);
}

async function startRunner() {
  const child = fork(path.join(import.meta.dirname, 'script-runner-process.ts'), { execArgv: [] });
  const gone = once(child, 'exit').then(failed);
  gone.catch(() => undefined);
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(run: Run): Promise<Ended> {
      const ended = last.then(async () => {
        const answer = Promise.race([once(child, 'message'), gone]);
        child.send(run);
        return (await answer)[0] as Ended;
      });
      last = ended.catch(() => undefined);
      return ended;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      // Scripts may have taken over the other signals.
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

function failed(): never {
  throw new Error('A script ended the process');
}
