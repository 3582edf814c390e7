// A stop under load: what was acknowledged is there, what came too late hears so, and the process ends in order.
import { complaints, crowd, end, openElection, report, start, tempFolder } from './house.ts';

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  const folder = tempFolder();
  const house = await start(folder);
  const opened = await openElection(house, 4_000);
  const stream = await fetch(`${house.url}/api/now-playing/current`);
  let told = false;
  const so = await crowd(house, opened, ({ ballots }) => {
    // Once: a second signal would end it at once.
    if (ballots >= 800 && !told) told = house.process.kill(signal);
    return false;
  });
  const code = await end(house);
  // The stream ends too, however its end looks to a reader.
  await stream.text().catch(() => '');
  const found = code === 0 ? [] : [`it ended with ${code}`];
  report(`${signal} after ${so.ballots} ballots`, [...found, ...(await complaints(folder, opened, so))]);
}
