import fs from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { isoTime } from '#kernel/clock.ts';
import { openDatabase } from '#kernel/db/database.ts';
import { sha256 } from '#kernel/secrets.ts';
import { testApp } from '#test/support/app.ts';
import { addElection, auditOf, castAll } from '#test/support/factories.ts';
import { storeBallots } from '#test/support/full-election.ts';
import { leftByKill, startHere, startService, tempFolder } from '#test/support/process/process.ts';
import { sealElections } from '#voting/counting/sealing.ts';

const ask = async (url: string, method = 'GET', body?: object) =>
  (
    await fetch(url, {
      method,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  ).json() as Promise<Record<string, unknown>>;

test('a service killed while the ballots are rewritten loses none, and the next start seals them', async () => {
  const folder = tempFolder();
  const file = path.join(folder, 'service.db');
  const first = await startService(folder);
  const now = Date.now();
  const { id } = await ask(`${first.url}/admin/elections`, 'POST', {
    title: 'Piano',
    ballot_type: 'SIMPLE_TRIPLE',
    open_at: isoTime(now - 60_000),
    close_at: isoTime(now + 3_600_000),
  });
  const choices = Array.from({ length: 20_000 }, (_, index) => (index % 3 === 0 ? 'yes' : 'no'));
  {
    using filled = openDatabase(file);
    await storeBallots({ write: filled.write, now: () => now }, String(id), choices, { mailed: false });
  }
  const database = new Sqlite(file, { readonly: true });
  const stored = database.prepare('SELECT id, choice FROM ballots ORDER BY id');
  const state = database.prepare<[], { settled: number; sealed: number }>(
    `SELECT (SELECT count(*) FROM results) AS settled,
            (SELECT count(*) FROM elections WHERE sealed_at IS NOT NULL) AS sealed`,
  );
  const contents = () => sha256(JSON.stringify(stored.all()));
  const before = contents();
  // While somebody reads, the ballots are rewritten and the election is not sealed, however late the kill comes.
  const reader = new Sqlite(file, { readonly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM ballots').get();

  const closing = ask(`${first.url}/admin/elections/${id}/close`, 'POST').catch(() => undefined);
  await expect.poll(() => state.get(), { interval: 1, timeout: 20_000 }).toMatchObject({ settled: 1 });
  first.process.kill('SIGKILL');
  await Promise.all([first.ended, closing]);
  reader.close();
  const killed = { ...state.get(), ballots: contents() };

  const second = await startHere(folder);
  await expect.poll(() => state.get(), { timeout: 20_000 }).toMatchObject({ sealed: 1 });
  expect(killed).toEqual({ settled: 1, sealed: 0, ballots: before });
  expect(contents()).toBe(before);
  expect(await ask(`${second.url}/e/${id}/results`)).toMatchObject({
    total_ballots: 20_000,
    books: { balanced: true },
    result_matches: true,
  });
  database.close();
});

test('an election is not sealed during a read transaction: only after it ends, or at the next start after a kill', async () => {
  const folder = tempFolder();
  const file = path.join(folder, 'service.db');
  await using service = await testApp({ DATABASE_URL: `file:${file}` });
  const id = await addElection(service);
  await castAll(service, id, [{ choice: 'yes' }, { choice: 'no' }, { choice: 'yes' }]);
  const reader = new Sqlite(file, { readonly: true });
  reader.exec('BEGIN');
  const ballots = reader.prepare('SELECT id FROM ballots').pluck().all() as string[];
  const inLogOf = (name: string) =>
    ballots.filter((ballot) => fs.readFileSync(`${name}-wal`, 'latin1').includes(ballot));
  const inLog = () => inLogOf(file);
  await service.post(`/admin/elections/${id}/close`);
  const seal = async () => {
    await sealElections(service.ctx);
    return (await auditOf(service, id)).some(({ action }) => action === 'election.sealed');
  };

  expect([await seal(), await seal(), inLog().length]).toEqual([false, false, 3]);
  // A kill between result and sealing.
  const killed = leftByKill(folder);
  const left = path.join(killed, 'service.db');
  reader.close();

  expect([await seal(), inLog()]).toEqual([true, []]);

  expect(inLogOf(left)).toHaveLength(3);
  const second = await startHere(killed);
  const actions = async () => {
    const { logs } = await ask(`${second.url}/admin/audit-logs?election_id=${id}`);
    return (logs as { action: string }[]).map(({ action }) => action);
  };
  await expect.poll(actions).toContain('election.sealed');
  expect(inLogOf(left)).toEqual([]);
  expect(await ask(`${second.url}/e/${id}/results`)).toMatchObject({
    total_ballots: 3,
    books: { balanced: true },
    result_matches: true,
  });
});
