// npm run dev: starts the service as `npm start` does, and starts it again when a file of it changes. It has no options.
import { spawn } from 'node:child_process';
import { stopSignal } from '#kernel/stop-signal.ts';

// The process that watches loads no guard, and would go on after a wrong option: so it is started from here.
const child = spawn(process.execPath, ['-r', './scripts/guard.cjs', '--watch', 'src/main.ts'], {
  stdio: 'inherit',
});
stopSignal().addEventListener('abort', () => child.kill('SIGTERM'));
child.on('error', (error) => {
  console.error(error.message);
  process.exitCode = 1;
});
child.on('exit', (code) => {
  process.exitCode = code ?? 0;
});
