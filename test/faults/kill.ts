// kill -9 under a load of ballots, tracks and sign-ups: everything acknowledged is stored afterwards.
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
  // The service recovers from the crash at its next start; then the database is checked.
  await end(await start(folder), 'SIGTERM');
  report(
    `kill -9 after ${so.ballots} ballots, ${so.plays.length} tracks, ${so.addresses.length} sign-ups`,
    await complaints(folder, opened, so),
  );
}
