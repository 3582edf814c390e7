// kill -9 under load of ballots, tracks and sign-ups: whatever was acknowledged is there afterwards.
import { complaints, crowd, end, openElection, report, start, tempFolder } from './service.ts';

const ROUNDS = Number(process.argv[2] ?? 5);

for (let round = 1; round <= ROUNDS; round++) {
  const folder = tempFolder();
  const service = await start(folder);
  const opened = await openElection(service, 4_000);
  const after = 300 * round;
  const so = await crowd(service, opened, ({ ballots }) => {
    if (ballots >= after) service.process.kill('SIGKILL');
    return ballots >= after;
  });
  await end(service, 'SIGKILL');
  // The service itself mends what a crash left behind; then it is looked at.
  await end(await start(folder), 'SIGTERM');
  report(
    `kill -9 after ${so.ballots} ballots, ${so.plays.length} tracks, ${so.addresses.length} sign-ups`,
    await complaints(folder, opened, so),
  );
}
