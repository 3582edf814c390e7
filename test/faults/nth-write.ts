// A crash at the n-th write to the disk, for many n: strace ends the process inside the system call.
import { spawnSync } from 'node:child_process';
import { complaints, crowd, end, openElection, report, start, tempFolder } from './service.ts';

const POINTS = Number(process.argv[2] ?? 12);
const CALLS = ['pwrite64', 'fsync'];

if (spawnSync('strace', ['-V']).status !== 0) {
  console.log('ok   crash at the n-th write: strace is not on this machine, so this was not tried');
} else {
  for (const call of CALLS) {
    for (let point = 0; point < POINTS; point++) {
      // From the first commit to well into the load, at growing distances.
      const nth = call === 'pwrite64' ? 3 + Math.round(4 * 1.6 ** point) : 1 + Math.round(1.35 ** point);
      const folder = tempFolder();
      const service = await start(folder);
      const opened = await openElection(service, 1_000);
      await end(service, 'SIGTERM');
      const kill = `inject=${call}:signal=SIGKILL:when=${nth}`;
      const doomed = await start(folder, {
        under: ['strace', '-f', '-o', '/dev/null', '-e', `trace=${call}`, '-e', kill],
      }).catch(() => undefined);
      // The kill may come before the service listens: then nothing was acknowledged.
      const so = doomed
        ? await crowd(doomed, opened, () => false)
        : { ballots: 0, plays: [], addresses: [], refused: {} };
      if (doomed) await end(doomed, 'SIGKILL');
      await end(await start(folder), 'SIGTERM');
      report(
        `crash in ${call} number ${nth}, after ${so.ballots} ballots and ${so.plays.length} tracks`,
        await complaints(folder, opened, so),
      );
    }
  }
}
