// kill -9 under load of ballots, tracks and sign-ups: whatever was acknowledged is there afterwards.
import { complaints, crowd, end, openElection, report, start, tempFolder } from './house.ts';

const ROUNDS = Number(process.argv[2] ?? 5);

for (let round = 1; round <= ROUNDS; round++) {
  const folder = tempFolder();
  const house = await start(folder);
  const opened = await openElection(house, 4_000);
  const after = 300 * round;
  const so = await crowd(house, opened, ({ ballots }) => {
    if (ballots >= after) house.process.kill('SIGKILL');
    return ballots >= after;
  });
  await end(house, 'SIGKILL');
  // The service itself mends what a crash left behind; then it is looked at.
  await end(await start(folder), 'SIGTERM');
  report(
    `kill -9 after ${so.ballots} ballots, ${so.plays.length} tracks, ${so.addresses.length} sign-ups`,
    await complaints(folder, opened, so),
  );
}
