// The process of script-runner.ts: runs scripts one after another and reports their exit codes and output.
import { pathToFileURL } from 'node:url';
import type { Run } from './script-runner.ts';

let runs = 0;
let output = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr'] as const)
  process[name].write = (text: string | Uint8Array) => {
    output[name] += text;
    return true;
  };

process.on('message', async ({ script, args, cwd, env }: Run) => {
  output = { stdout: '', stderr: '' };
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, script, ...args];
  process.exitCode = 0;
  runs += 1;
  try {
    // Another address each time: a module runs only once.
    await import(`${pathToFileURL(script)}?run=${runs}`);
  } catch (error) {
    output.stderr += (error as Error).stack;
    process.exitCode = 1;
  }
  process.send?.({ code: process.exitCode, ...output });
});
