// Lint and types side by side, because each of them leaves a core idle for part of its time: npm run check, and the
// first part of npm test.
import { spawn } from 'node:child_process';

const COMMANDS = [
  'biome ci --error-on-warnings .',
  'npm run -s lint:browsers',
  'tsc --checkers 2 --incremental --tsBuildInfoFile node_modules/.cache/types.tsbuildinfo',
];

/** Runs a command, and prints what it said when it has ended. @returns its exit code */
function run(command: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    child.on('error', reject);
    child.on('close', (code) => {
      process.stdout.write(said);
      resolve(code ?? 1);
    });
  });
}

const codes = await Promise.all(COMMANDS.map(run));
process.exitCode = Math.max(...codes);
