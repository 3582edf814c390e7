import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '#kernel/config.ts';
import { backUp } from '#kernel/db/backup.ts';
import { keyFileOf } from '#kernel/db/key-check.ts';
import { openContext } from '#kernel/open-context.ts';
import { GROUPS, groupPath } from '#kernel/settings/setting.ts';
import { nest, SECRETS } from '#kernel/settings/settings.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { EXAMPLES } from './examples.ts';

/** A value for each secret that is found wherever it is written, and that no other text holds. */
const VALUES = Object.fromEntries(SECRETS.map((name, at) => [name, `found-if-written-${at}-${name}`]));

let folder: string;
let file: string;
let service: TestApp;
let owner: Record<string, string>;
const tokens: string[] = [];

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'secrets-'));
  file = path.join(folder, 'publichouse.db');
  service = await testApp({ DATABASE_URL: `file:${file}` });
  owner = await appoint(service, 'olga@club.example', 'owner');
  const beside = SECRETS.map((name) => EXAMPLES[name as keyof typeof EXAMPLES].beside ?? {});
  const given = { ...Object.assign({}, ...beside), ...VALUES };
  const answer = await service.request({
    method: 'PUT',
    url: '/api/admin/settings',
    payload: nest(Object.entries(given)),
    headers: { accept: 'application/json', ...owner },
  });
  expect([answer.statusCode, answer.json().error]).toEqual([200, undefined]);
  expectNone('the answer', answer.body);
  for (const sender of ['player', 'device'])
    tokens.push((await service.post(`/api/admin/settings/tokens/${sender}`, {}, owner)).json().token);
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
  fs.rmSync(folder, { recursive: true });
});

/** Each secret as it is, and as it would be sent or written. */
const forms = () =>
  [...Object.values(VALUES), ...tokens].flatMap((secret) => [
    secret,
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    Buffer.from(secret).toString('hex'),
  ]);

function expectNone(place: string, text: string): void {
  expect([place, forms().filter((secret) => text.includes(secret))]).toEqual([place, []]);
}

it('every secret is in use', () => {
  for (const [name, value] of Object.entries(VALUES))
    expect([name, (service.ctx.config.settings as Record<string, unknown>)[name]]).toEqual([name, value]);
});

it('no column of any table has one', () => {
  const database = new Sqlite(file, { readonly: true });
  // Some virtual tables cannot be read; what they hold is in others.
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
    .pluck()
    .all();
  expect(tables.length).toBeGreaterThan(50);
  for (const table of tables) {
    const rows = database.prepare(`SELECT * FROM "${table}"`).all();
    expectNone(String(table), rows.map((row) => Object.values(row as object).join('\n')).join('\n'));
  }
  database.close();
});

it('no file beside the database has one', () => {
  for (const name of fs.readdirSync(folder).filter((one) => fs.statSync(path.join(folder, one)).isFile()))
    expectNone(name, fs.readFileSync(path.join(folder, name), 'latin1'));
});

it('a copy has none, not even sealed', async () => {
  const copy = await backUp(file, { folder: path.join(folder, 'backups'), keep: 1, at: service.clock.now });
  const bytes = fs.readFileSync(copy, 'latin1');
  expectNone('the copy', bytes);
  const database = new Sqlite(copy, { readonly: true });
  expect(database.prepare('SELECT name FROM settings WHERE sealed = 1').all()).toEqual([]);
  const sealed = new Sqlite(file, { readonly: true });
  const stored = sealed.prepare('SELECT value FROM settings WHERE sealed = 1').pluck().all();
  expect(stored).toHaveLength(SECRETS.length);
  for (const value of stored) expect(bytes).not.toContain(JSON.parse(String(value)));
  database.close();
  sealed.close();
});

it('no line of the log has one', () => {
  expect(service.logged.length).toBeGreaterThan(0);
  expectNone('the log', service.logged.join('\n'));
});

it.each([
  '/api/admin/settings',
  '/admin/settings',
  ...GROUPS.map(groupPath),
  '/admin/audit-logs',
  '/api/admin/audit-logs',
  '/admin/health',
  '/admin',
  '/admin/pub',
  '/api/admin/pub',
  '/metrics',
  '/me/export',
])('%s has none', async (url) => {
  for (const accept of ['text/html', 'application/json'])
    expectNone(url, (await service.get(url, { accept, ...owner })).body);
});

it('a refused form does not show what was typed', async () => {
  const answer = await service.submit(
    '/admin/settings',
    { 'scrobble.url': 'no address', 'scrobble.token': VALUES['scrobble.token'] ?? '' },
    owner,
  );
  expect(answer.statusCode).toBe(400);
  expectNone('the refused form', answer.body);
});

it('with another key they are lost, and count as not set', async () => {
  const copy = path.join(folder, 'moved', 'publichouse.db');
  fs.mkdirSync(path.dirname(copy));
  const database = new Sqlite(file, { readonly: true });
  database.prepare('VACUUM INTO ?').run(copy);
  database.close();
  fs.writeFileSync(keyFileOf(copy), 'another key of more than 32 characters');
  await using ctx = await openContext(
    readConfig({ DATABASE_URL: `file:${copy}`, NODE_ENV: 'test', LOG_LEVEL: 'silent' }, ''),
  );
  for (const name of SECRETS) expect([name, ctx.config.settings[name]]).toEqual([name, null]);
});
