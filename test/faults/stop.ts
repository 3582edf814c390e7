// A stop under load: everything acknowledged is stored, late requests are refused, and the process ends cleanly.
import { complaints, crowd, end, openElection, report, start, tempFolder } from './service.ts';

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  const folder = tempFolder();
  const service = await start(folder);
  const opened = await openElection(service, 4_000);
  const stream = await fetch(`${service.url}/api/now-playing/current`);
  let told = false;
  const so = await crowd(service, opened, ({ ballots }) => {
    // Only once: a second signal would end it at once.
    if (ballots >= 800 && !told) told = service.process.kill(signal);
    return false;
  });
  const code = await end(service);
  // The stream must end too, with or without an error.
  await stream.text().catch(() => '');
  const found = code === 0 ? [] : [`it ended with ${code}`];
  report(`${signal} after ${so.ballots} ballots`, [...found, ...(await complaints(folder, opened, so))]);
}
