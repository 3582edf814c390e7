import { expect, test } from 'vitest';
import { HOUR, isoTime, systemClock } from '#kernel/clock.ts';
import { openDatabase } from '#kernel/db/database.ts';
import { build } from '#kernel/db/queries.ts';
import { type ServiceProcess, startHere, startService, tempFolder } from '#test/support/process.ts';

test('2,000 ballots from 64 connections are all counted, none lost and none twice', async () => {
  const folder = tempFolder();
  const service = await startService(folder);
  const { id, tokens } = await openElection(service, 2_000);

  const answers = await inParallel(tokens, 64, (token, index) => vote(service, id, token, index));
  const results = await json(service, `/e/${id}/results?refresh=1`);

  expect(new Set(answers)).toEqual(new Set([200]));
  expect(results.total_ballots).toBe(2_000);
  expect(results.turnout).toEqual({ issued: 2_000, used: 2_000 });
  expect(results.results).toMatchObject({ yes: 1_000, no: 1_000 });
});

test('after a kill -9 under load every acknowledged ballot is stored, and each used token has a ballot', async () => {
  const folder = tempFolder();
  const service = await startService(folder);
  const { id, tokens } = await openElection(service, 3_000);

  let acknowledged = 0;
  await inParallel(tokens, 64, async (token, index) => {
    const status = await vote(service, id, token, index).catch(() => 0);
    if (status === 200) acknowledged += 1;
    if (acknowledged === 700) service.process.kill('SIGKILL');
    return status;
  });
  await service.ended;
  const again = await startHere(folder);
  const results = await json(again, `/e/${id}/results`);

  expect(acknowledged).toBeGreaterThanOrEqual(700);
  expect(results.total_ballots).toBeGreaterThanOrEqual(acknowledged);
  expect(results.total_ballots).toBeLessThan(3_000);
  expect(results.turnout.used).toBe(results.total_ballots);
  using database = openDatabase(`${folder}/service.db`);
  const { db } = database;
  const submitted = db.all(
    build.selectFrom('audit_log').select('seq').where('action', '=', 'vote.submitted'),
  );
  expect(submitted).toHaveLength(results.total_ballots);
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
  while (tokens.length < count) {
    tokens.push(...(await json(service, `/admin/elections/${id}/tokens`, { count: 1_000 })).tokens);
  }
  return { id, tokens };
}

async function vote(service: ServiceProcess, id: string, token: string, index: number): Promise<number> {
  const answer = await fetch(`${service.url}/e/${id}/vote`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'edge-connecting-ip': `10.1.${index >> 8}.${index & 255}`,
    },
    body: JSON.stringify({ token, choice: index % 2 ? 'yes' : 'no' }),
  });
  await answer.text();
  return answer.status;
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
