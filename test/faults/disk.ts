// The disk fails: fsync returns EIO, or no space is left. No success is reported that is not on the disk, and the
// service keeps responding.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {
  complaints,
  crowd,
  end,
  openElection,
  post,
  report,
  type ServiceProcess,
  start,
  tempFolder,
} from './service.ts';

const has = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;

/** Checks that the service responds, and /health with this status. */
async function isAlive({ url }: ServiceProcess, status: number): Promise<string[]> {
  const answer = await fetch(`${url}/health`).catch(() => undefined);
  if (!answer) return ['the service no longer answers'];
  return answer.status === status ? [] : [`/health answers ${answer.status} instead of ${status}`];
}

/** Makes fsync fail from the 40th call on. */
async function failingSync(): Promise<void> {
  const folder = tempFolder();
  const first = await start(folder);
  const opened = await openElection(first, 2_000);
  await end(first, 'SIGTERM');
  const inject = 'inject=fdatasync,fsync:error=EIO:when=40+';
  const service = await start(folder, {
    under: ['strace', '-f', '-o', '/dev/null', '-e', 'trace=fdatasync,fsync', '-e', inject],
  });
  const so = await crowd(service, opened, ({ refused }) => (refused[503] ?? 0) >= 50);
  const alive = await isAlive(service, 503);
  await end(service, 'SIGKILL');
  await end(await start(folder), 'SIGTERM');
  const found = [...alive, ...(await complaints(folder, opened, so))];
  if ((so.refused[503] ?? 0) === 0) found.push('nobody was told that the disk fails');
  report(`fsync fails after ${so.ballots} ballots; then ${so.refused[503]} were refused`, found);
}

/** Fills a disk of a few megabytes under load, then frees space again. */
async function fullDisk(): Promise<void> {
  const folder = tempFolder();
  const disk = path.join(folder, 'disk');
  fs.mkdirSync(disk);
  if (!has('mount', '-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', disk)) {
    console.log('ok   full disk: no right to mount a small one here, so this was not tried');
    return;
  }
  try {
    const service = await start(disk);
    const opened = await openElection(service, 3_000);
    fs.writeFileSync(path.join(disk, 'ballast'), Buffer.alloc(2 * 1024 * 1024));
    const so = await crowd(service, opened, ({ refused }) => (refused[503] ?? 0) >= 20);
    // A smaller write may still succeed after the last one was refused.
    const track = { artist: 'The Anchors', title: 'No room '.repeat(30) };
    let last = 200;
    for (let tries = 0; last === 200 && tries < 200; tries++)
      last = (await post(`${service.url}/api/now-playing/ingest`, track)).status;
    const found = await isAlive(service, 503);
    if (last === 200) found.push('the disk has room for everything');
    if ((so.refused[503] ?? 0) === 0) found.push('the disk did not run full');
    fs.rmSync(path.join(disk, 'ballast'));
    const again = await post(`${service.url}/api/now-playing/ingest`, {
      artist: 'The Anchors',
      title: 'Room again',
    });
    if (again.status !== 200) found.push(`with room again it answered ${again.status}`);
    found.push(...(await isAlive(service, 200)));
    await end(service, 'SIGTERM');
    found.push(...(await complaints(disk, opened, so)));
    report(
      `full disk after ${so.ballots} ballots; then ${so.refused[503]} were refused, and room again`,
      found,
    );
  } finally {
    spawnSync('umount', ['-l', disk]);
  }
}

if (has('strace', '-V')) await failingSync();
else console.log('ok   failing fsync: strace is not on this machine, so this was not tried');
await fullDisk();
