// npm run test:faults: every fault script, one after the other. Exit code 1 when any of them complains.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const SCRIPTS = [
  'stop',
  'lock',
  'clock',
  'kill',
  'standby',
  'disk',
  'backups',
  'nth-write',
  'content',
  'attacks',
  'audit',
];

for (const name of SCRIPTS) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, `${name}.ts`)], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) process.exitCode = 1;
}
