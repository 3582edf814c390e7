// Twenty backups while ballots, tracks and sign-ups arrive: each is valid, and the service is hardly delayed. A backup
// with one damaged page is detected.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { listBackups, verifyBackup } from '#kernel/db/backup.ts';
import { complaints, crowd, end, openElection, report, start, tempFolder } from './service.ts';

const BACKUP = path.join(import.meta.dirname, '../../scripts/backup.ts');
const STALL_MS = 50;

const folder = tempFolder();
const service = await start(folder);
const opened = await openElection(service, 20_000);
// The first request for the metrics starts measuring the event loop.
await fetch(`${service.url}/metrics`);
const found: string[] = [];
let finished = false;
const load = crowd(service, opened, () => finished);

for (let count = 0; count < 20; count++) {
  const env = { PATH: process.env.PATH, DATABASE_URL: `file:${folder}/service.db` };
  const child = spawn(process.execPath, [BACKUP, `${folder}/backups`, '--keep', '30', '--now'], {
    env,
    stdio: 'pipe',
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) found.push(`backup ${count + 1} ended with ${code}: ${said.trim()}`);
}
// Of two backups within a second the later one is kept.
const kept = listBackups(`${folder}/backups`);
finished = true;
const so = await load;
const metrics = await (await fetch(`${service.url}/metrics`)).text();
const stall = Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(metrics)?.[1]) * 1_000;
if (!(stall < STALL_MS)) found.push(`the event loop waited ${stall.toFixed(1)} ms (99th percentile)`);
await end(service, 'SIGTERM');
for (const backup of kept) {
  const fault = faultOf(backup);
  if (fault) found.push(fault);
}
report(
  `20 backups within ${so.ballots} ballots; the event loop waited ${stall.toFixed(1)} ms at the 99th percentile`,
  [...found, ...(await complaints(folder, opened, so))],
);

const [newest = ''] = kept;
const bytes = fs.readFileSync(newest);
bytes.fill(0xa5, 4_096 * 10, 4_096 * 11);
fs.writeFileSync(newest, bytes);
report('a backup with one bad page', faultOf(newest) ? [] : ['it was taken for sound']);

/** Returns the fault of a backup; undefined if it is valid. */
function faultOf(backup: string): string | undefined {
  try {
    verifyBackup(backup);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
