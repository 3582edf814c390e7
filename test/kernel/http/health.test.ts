import fs from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { retryDisk } from '#kernel/http/health.ts';
import { runInThread } from '#kernel/in-thread.ts';
import { UNDO_IMPORT } from '#people/import/apply.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { openElection, page } from '#test/support/factories.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { tempFolder } from '#test/support/process/process.ts';

const pagesAtMost = (service: TestApp, pages: number) =>
  service.ctx.db.all(sql`PRAGMA max_page_count = ${sql.lit(pages)}`.compile(build));

const announce = (service: TestApp) =>
  service.post('/admin/elections', openElection(service, { description: 'x'.repeat(4_000) }));

/** Leaves the database no room to grow, and writes until a write is refused. */
async function fill(service: TestApp): Promise<void> {
  pagesAtMost(service, 1);
  const statuses = [];
  while (statuses.at(-1) !== 503 && statuses.length < 20) statuses.push((await announce(service)).statusCode);
  expect(statuses.at(-1)).toBe(503);
}

const health = async (service: TestApp) => {
  const answer = await service.get('/health');
  const { status, checks } = answer.json();
  return [answer.statusCode, status, checks.database];
};

test('while the disk is full /health says so, until a write succeeds', async () => {
  await using service = await testApp();
  expect(await health(service)).toEqual([200, 'ok', 'ok']);

  await fill(service);

  expect(await health(service)).toEqual([503, 'degraded', 'no_space']);
  expect((await page(service, '/')).statusCode).toBe(200);
  // There is nothing to delete, so nothing is written.
  await service.ctx.write((tx) => tx.run(build.deleteFrom('elections').where('id', '=', 'none')));
  expect(await health(service)).toEqual([503, 'degraded', 'no_space']);

  pagesAtMost(service, 1_000_000);
  expect((await announce(service)).statusCode).toBe(200);
  expect(await health(service)).toEqual([200, 'ok', 'ok']);
});

test('a full disk is logged once a minute, however many requests it refuses', async () => {
  await using service = await testApp({ LOG_LEVEL: 'error' });
  const said = () => service.logged.filter((line) => line.includes('the disk refused the write')).length;

  await fill(service);
  for (let count = 0; count < 5; count++) expect((await announce(service)).statusCode).toBe(503);
  expect(said()).toBe(1);

  service.clock.now += MINUTE;
  expect((await announce(service)).statusCode).toBe(503);
  expect(said()).toBe(2);
});

test('without any writes the service finds out by itself that the disk has room again', async () => {
  await using service = await testApp();
  const before = service.ctx.changes();
  await retryDisk(service.ctx);
  expect(service.ctx.changes()).toBe(before);

  await fill(service);
  pagesAtMost(service, 1_000_000);
  expect(await health(service)).toEqual([503, 'degraded', 'no_space']);
  await retryDisk(service.ctx);

  expect(await health(service)).toEqual([200, 'ok', 'ok']);
});

test('a database that has become read-only or was moved is reported as unhealthy', async () => {
  const file = path.join(tempFolder(), 'service.db');
  await using service = await testApp({ DATABASE_URL: `file:${file}` });
  const owner = await appoint(service, 'olga@club.example', 'owner');
  const words = async () => (await service.get('/admin/health', { accept: 'text/html', ...owner })).body;
  expect(await words()).toContain('The service can write to it.');
  const readOnly = new Sqlite.SqliteError('attempt to write a readonly database', 'SQLITE_READONLY');
  const refused = service.ctx.write(() => {
    throw readOnly;
  });

  await expect(refused).rejects.toThrow(readOnly.message);
  expect(await health(service)).toEqual([503, 'degraded', 'read_only']);
  expect(await words()).toContain('The file of the database is read-only: nothing can be saved');
  await retryDisk(service.ctx);
  expect(await health(service)).toEqual([200, 'ok', 'ok']);

  fs.renameSync(file, `${file}.moved`);
  expect(await health(service)).toEqual([503, 'degraded', 'not_there']);
  expect(await words()).toContain('The file of the database was moved or deleted');
  fs.renameSync(`${file}.moved`, file);
  expect(await health(service)).toEqual([200, 'ok', 'ok']);
});

test('once the lock of the database is lost nothing is written, also in a thread', async () => {
  const file = path.join(tempFolder(), 'service.db');
  await using service = await testApp({ DATABASE_URL: `file:${file}` });
  const owner = await appoint(service, 'olga@club.example', 'owner');
  expect((await announce(service)).statusCode).toBe(200);
  const { dev, ino } = fs.statSync(`${file}.lock`, { bigint: true });
  fs.rmSync(`${file}.lock`);
  const before = service.ctx.changes();

  const refused = await announce(service);
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '30']);
  expect(refused.json().error).toContain('Nothing was saved');
  expect(await health(service)).toEqual([503, 'degraded', 'lock_lost']);
  expect((await service.get('/admin/health', { accept: 'text/html', ...owner })).body).toContain(
    'this process saves nothing any more',
  );
  const lost = { code: 'LOCK_LOST' };
  const actor = { at: service.clock.now, ip: '' };
  const undo = [UNDO_IMPORT, { batch: 1, actor }] as const;
  await expect(service.ctx.inThread(...undo)).rejects.toMatchObject(lost);
  await expect(service.ctx.rewriteFile()).rejects.toMatchObject(lost);
  // Lost between the look of this thread and that of the other.
  const locked = { path: `${file}.lock`, dev, ino };
  await expect(runInThread({ file, locked }, (work) => work(), ...undo)).rejects.toMatchObject(lost);
  await retryDisk(service.ctx);
  expect(service.ctx.changes()).toBe(before);
  await vi.waitFor(() => expect(lostLines(service)).toHaveLength(1));
  expect((await page(service, '/')).statusCode).toBe(200);
});

const lostLines = ({ logged }: TestApp) => logged.filter((line) => line.includes('"msg":"The lock '));
