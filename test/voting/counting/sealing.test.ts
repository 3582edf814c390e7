import fs from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { isoTime } from '#kernel/clock.ts';
import { openDatabase } from '#kernel/db/database.ts';
import { testApp } from '#test/support/app.ts';
import { addElection, auditOf, castAll } from '#test/support/factories.ts';
import { storeBallots } from '#test/support/full-election.ts';
import { startHere, startService, tempFolder } from '#test/support/process.ts';
import { sealElections } from '#voting/counting/sealing.ts';

const ask = async (url: string, method = 'GET', body?: object) =>
  (
    await fetch(url, {
      method,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  ).json() as Promise<Record<string, unknown>>;

test('an election is sealed at the next start if the service was killed between result and sealing', async () => {
  const folder = tempFolder();
  const file = path.join(folder, 'service.db');
  const first = await startService(folder);
  const now = Date.now();
  const times = { open_at: isoTime(now - 60_000), close_at: isoTime(now + 3_600_000) };
  const { id } = await ask(`${first.url}/admin/elections`, 'POST', {
    title: 'Piano',
    ballot_type: 'SIMPLE_TRIPLE',
    ...times,
  });
  const { tokens } = await ask(`${first.url}/admin/elections/${id}/tokens`, 'POST', { count: 5 });
  for (const token of tokens as string[])
    await ask(`${first.url}/e/${id}/vote`, 'POST', { token, choice: 'yes' });

  // While a read transaction is open, the result can be settled but the log cannot be erased.
  const reader = new Sqlite(file, { readonly: true });
  reader.exec('BEGIN');
  const ballots = reader.prepare('SELECT id FROM ballots').pluck().all() as string[];
  await ask(`${first.url}/admin/elections/${id}/close`, 'POST');
  first.process.kill('SIGKILL');
  await first.ended;
  reader.close();
  const inLog = () => ballots.filter((ballot) => fs.readFileSync(`${file}-wal`, 'latin1').includes(ballot));
  expect(inLog()).toHaveLength(5);

  const second = await startHere(folder);
  const actions = async () => {
    const { logs } = await ask(`${second.url}/admin/audit-logs?election_id=${id}`);
    return (logs as { action: string }[]).map(({ action }) => action);
  };
  await expect.poll(actions).toContain('election.sealed');
  expect(inLog()).toEqual([]);
  expect(await ask(`${second.url}/e/${id}/results`)).toMatchObject({
    total_ballots: 5,
    books: { balanced: true },
    result_matches: true,
  });
});

test('a service killed while the ballots are rewritten loses none, and the next start seals them', async () => {
  const folder = tempFolder();
  const file = path.join(folder, 'service.db');
  const first = await startService(folder);
  const now = Date.now();
  const { id } = await ask(`${first.url}/admin/elections`, 'POST', {
    ...{ title: 'Piano', ballot_type: 'SIMPLE_TRIPLE' },
    ...{ open_at: isoTime(now - 60_000), close_at: isoTime(now + 3_600_000) },
  });
  const choices = Array.from({ length: 20_000 }, (_, index) => (index % 3 === 0 ? 'yes' : 'no'));
  {
    using filled = openDatabase(file);
    await storeBallots({ write: filled.write, now: () => now }, String(id), choices);
  }
  const database = new Sqlite(file, { readonly: true });
  const stored = database.prepare('SELECT id, choice FROM ballots ORDER BY id');
  const state = database.prepare<[], { settled: number; sealed: number }>(
    `SELECT (SELECT count(*) FROM results) AS settled,
            (SELECT count(*) FROM elections WHERE sealed_at IS NOT NULL) AS sealed`,
  );
  const before = stored.all();

  const closing = ask(`${first.url}/admin/elections/${id}/close`, 'POST').catch(() => undefined);
  await expect.poll(() => state.get(), { interval: 1, timeout: 20_000 }).toMatchObject({ settled: 1 });
  first.process.kill('SIGKILL');
  await Promise.all([first.ended, closing]);
  const killed = { ...state.get(), ballots: stored.all() };

  const second = await startHere(folder);
  await expect.poll(() => state.get(), { timeout: 20_000 }).toMatchObject({ sealed: 1 });
  expect(killed).toEqual({ settled: 1, sealed: 0, ballots: before });
  expect(stored.all()).toEqual(before);
  expect(await ask(`${second.url}/e/${id}/results`)).toMatchObject({
    total_ballots: 20_000,
    books: { balanced: true },
    result_matches: true,
  });
  database.close();
});

test('an election is not sealed during a read transaction, and the log is erased after it ends', async () => {
  const file = path.join(tempFolder(), 'service.db');
  await using service = await testApp({ DATABASE_URL: `file:${file}` });
  const id = await addElection(service);
  await castAll(service, id, [{ choice: 'yes' }, { choice: 'no' }, { choice: 'yes' }]);
  const reader = new Sqlite(file, { readonly: true });
  reader.exec('BEGIN');
  const ballots = reader.prepare('SELECT id FROM ballots').pluck().all() as string[];
  const inLog = () => ballots.filter((ballot) => fs.readFileSync(`${file}-wal`, 'latin1').includes(ballot));
  await service.post(`/admin/elections/${id}/close`);
  const seal = async () => {
    await sealElections(service.ctx);
    return (await auditOf(service, id)).some(({ action }) => action === 'election.sealed');
  };

  expect([await seal(), await seal(), inLog().length]).toEqual([false, false, 3]);
  reader.close();

  expect([await seal(), inLog()]).toEqual([true, []]);
});
