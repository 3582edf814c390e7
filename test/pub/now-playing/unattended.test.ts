import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { openDatabase } from '#kernel/db/database.ts';
import { build } from '#kernel/db/queries.ts';
import { type ServiceProcess, startService, tempFolder } from '#test/support/process.ts';
import { openStream } from '#test/support/stream-client.ts';

/** No requests to other hosts, and no overload protection however busy this machine is. */
const ALONE = { LYRICS_API_URL: '', GENRE_API_URL: '', OVERLOAD_DELAY_MS: '0' };

test('after a kill -9 during ingest every acknowledged play is stored under the id that was returned', async () => {
  const folder = tempFolder();
  const service = await startService(folder, ALONE);
  const acknowledged = new Map<number, string>();
  let next = 0;
  const device = async () => {
    while (next < 5_000) {
      const title = `Song ${next++}`;
      const id = await post(service, { artist: 'Under load', title }).catch(() => undefined);
      if (id === undefined) return;
      acknowledged.set(id, title);
      if (acknowledged.size === 250) service.process.kill('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: 20 }, device));
  await service.ended;

  using database = openDatabase(`${folder}/service.db`);
  const { db } = database;
  const stored = db.all(build.selectFrom('plays').select(['id', 'title']));
  const titles = new Map(stored.map(({ id, title }) => [id, title]));
  expect(acknowledged.size).toBeGreaterThanOrEqual(250);
  expect([...acknowledged].filter(([id, title]) => titles.get(id) !== title)).toEqual([]);
  expect(new Set(titles.values()).size).toBe(stored.length);
});

test('with time the device goes offline and the track becomes stale; a stop ends the streams first', async () => {
  const service = await startService(tempFolder(), ALONE);
  const client = await openStream(service.url);
  const heard = (event: string) => client.heard.filter((one) => one.event === event).map(({ data }) => data);
  await post(service, { heartbeat: true });
  await post(service, { artist: 'A', title: 'B' });
  await client.until(() => heard('status').length === 2 && heard('track').length === 2);
  service.moveClock(91 * SECOND);
  await client.until(() => heard('status').length === 3);
  service.moveClock(10 * MINUTE);
  await client.until(() => heard('track').length === 3);

  expect(heard('status').map(({ state }) => state)).toEqual(['offline', 'online', 'offline']);
  expect(heard('track')).toEqual([null, expect.objectContaining({ artist: 'A' }), null]);
  service.process.kill('SIGTERM');
  await client.ended;
  expect(await service.ended).toBe(0);
});

async function post(service: ServiceProcess, body: object): Promise<number> {
  const answer = await fetch(`${service.url}/api/now-playing/ingest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status !== 200) throw new Error(`${answer.status}`);
  return ((await answer.json()) as { id: number }).id;
}
