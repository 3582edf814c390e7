import { once } from 'node:events';
import http from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { HOUR, isoTime, systemClock } from '#kernel/clock.ts';
import { openDatabase } from '#kernel/db/database.ts';
import { build } from '#kernel/db/queries.ts';
import { type ServiceProcess, startHere, startService, tempFolder } from '#test/support/process/process.ts';

const connections = new http.Agent({ keepAlive: true, maxSockets: 64 });
afterAll(() => connections.destroy());

test('2,000 ballots from 64 connections are all counted; after a kill -9 what was acknowledged is stored, and nothing twice', async () => {
  const folder = tempFolder();
  // No requests to other hosts.
  const service = await startService(folder, { LYRICS_API_URL: '', GENRE_API_URL: '' });
  const counted = await openElection(service, 2_000);

  const answers = await inParallel(counted.tokens, 64, (token, index) =>
    vote(service, counted.id, token, index),
  );
  const whole = await json(service, `/e/${counted.id}/results?refresh=1`);

  expect(new Set(answers)).toEqual(new Set([200]));
  expect(whole.total_ballots).toBe(2_000);
  expect(whole.turnout).toEqual({ issued: 2_000, used: 2_000 });
  expect(whole.results).toMatchObject({ yes: 1_000, no: 1_000 });

  // Killed under load: while ballots and plays are written.
  const { id, tokens } = await openElection(service, 3_000);
  let acknowledged = 0;
  const plays = new Map<number, string>();
  const killWhenDue = () => {
    if (acknowledged >= 700 && plays.size >= 250) service.process.kill('SIGKILL');
  };
  const voting = inParallel(tokens, 32, async (token, index) => {
    const isKilled = service.process.killed;
    const status = isKilled ? 0 : await vote(service, id, token, index).catch(() => 0);
    if (status === 200) acknowledged += 1;
    killWhenDue();
  });
  let next = 0;
  const device = async () => {
    while (next < 5_000) {
      const title = `Song ${next++}`;
      const play = await ingest(service, title).catch(() => undefined);
      if (play === undefined) return;
      plays.set(play, title);
      killWhenDue();
    }
  };
  await Promise.all([voting, ...Array.from({ length: 20 }, device)]);
  await service.ended;
  const again = await startHere(folder);
  const results = await json(again, `/e/${id}/results`);

  expect(acknowledged).toBeGreaterThanOrEqual(700);
  expect(results.total_ballots).toBeGreaterThanOrEqual(acknowledged);
  expect(results.total_ballots).toBeLessThan(3_000);
  // Each used token has a ballot.
  expect(results.turnout.used).toBe(results.total_ballots);
  using database = openDatabase(`${folder}/service.db`);
  const { db } = database;
  const submitted = db.all(
    build
      .selectFrom('audit_log')
      .select('seq')
      .where('action', '=', 'vote.submitted')
      .where('election_id', '=', id),
  );
  expect(submitted).toHaveLength(results.total_ballots);
  // Every play is stored under the id that was returned.
  const stored = db.all(build.selectFrom('plays').select(['id', 'title']));
  const titles = new Map(stored.map((play) => [play.id, play.title]));
  expect(plays.size).toBeGreaterThanOrEqual(250);
  expect([...plays].filter(([play, title]) => titles.get(play) !== title)).toEqual([]);
  expect(new Set(titles.values()).size).toBe(stored.length);
});

async function openElection(
  service: ServiceProcess,
  count: number,
): Promise<{ id: string; tokens: string[] }> {
  const now = systemClock();
  const { id } = await json(service, '/admin/elections', {
    title: 'Under load',
    ballot_type: 'SIMPLE_TRIPLE',
    open_at: isoTime(now - HOUR),
    close_at: isoTime(now + HOUR),
  });
  const tokens: string[] = [];
  while (tokens.length < count)
    tokens.push(...(await json(service, `/admin/elections/${id}/tokens`, { count: 1_000 })).tokens);
  return { id, tokens };
}

/** Reports a play as the player in the bar does. @returns its id */
async function ingest(service: ServiceProcess, title: string): Promise<number> {
  const { id } = await json(service, '/api/now-playing/ingest', { artist: 'Under load', title });
  if (!id) throw new Error('It was refused');
  return id;
}

/** Not by `fetch`, which takes more time than the service does. */
async function vote({ url }: ServiceProcess, id: string, token: string, index: number): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    'edge-connecting-ip': `10.1.${index >> 8}.${index & 255}`,
  };
  const request = http.request(`${url}/e/${id}/vote`, { method: 'POST', headers, agent: connections });
  request.end(JSON.stringify({ token, choice: index % 2 ? 'yes' : 'no' }));
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
  await once(answer.resume(), 'end');
  return answer.statusCode ?? 0;
}

async function json(service: Pick<ServiceProcess, 'url'>, path: string, body?: object) {
  const answer = await fetch(service.url + path, {
    headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return answer.json();
}

async function inParallel<T, R>(
  items: T[],
  width: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < items.length; index = next++)
      results[index] = await work(items[index]!, index);
  };
  await Promise.all(Array.from({ length: width }, lane));
  return results;
}
