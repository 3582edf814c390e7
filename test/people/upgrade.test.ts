import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { FIXTURES } from '#test/fixtures/versions/versions.ts';
import { testApp } from '#test/support/app.ts';
import { tempFolder } from '#test/support/process/process.ts';

const FILE = path.join(FIXTURES, '014.db.gz');
const as = (email: string) => ({ 'edge-access-authenticated-user-email': email });

test('an upgrade creates people from addresses with roles, and nobody gains a permission', async () => {
  const file = path.join(tempFolder(), 'service.db');
  fs.writeFileSync(file, gunzipSync(fs.readFileSync(FILE)));
  const before = new Database(file);
  before.exec('DELETE FROM pub_admin_roles');
  const insert = before.prepare(
    'INSERT INTO pub_admin_roles (email, role, granted_by, granted_at) VALUES (?, ?, ?, ?)',
  );
  insert.run('olga@club.example', 'owner', 'shell', 1);
  insert.run('mia@club.example', 'manager', 'olga@club.example', 2);
  insert.run('mia@club.example', 'dj', 'olga@club.example', 3);
  insert.run('vic@club.example', 'viewer', 'olga@club.example', 4);
  before.close();

  await using service = await testApp({ DATABASE_URL: `file:${file}` });

  const { assignments } = (await service.get('/api/admin/roles', as('olga@club.example'))).json();
  expect(assignments).toEqual([
    { email: 'mia@club.example', roles: ['manager', 'dj'] },
    { email: 'olga@club.example', roles: ['owner'] },
    { email: 'vic@club.example', roles: ['viewer'] },
  ]);
  const statusOf = async (email: string, url: string) => (await service.get(url, as(email))).statusCode;
  expect(await statusOf('mia@club.example', '/api/admin/calendar/subscribers')).not.toBe(403);
  expect(await statusOf('vic@club.example', '/api/admin/plays')).toBe(403);
  expect(await statusOf('vic@club.example', '/api/admin/audit')).toBe(403);
});
