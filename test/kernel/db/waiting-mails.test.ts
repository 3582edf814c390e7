import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { migrate } from '#kernel/db/connection.ts';
import { FIXTURES } from '#test/fixtures/versions/versions.ts';

test('mails that waited, or were being sent, in an earlier version are in the outbox', async () => {
  const sqlite = new Sqlite(gunzipSync(fs.readFileSync(path.join(FIXTURES, '042.db.gz'))));
  const { id: election } = sqlite.prepare('SELECT id FROM elections LIMIT 1').get() as { id: string };
  const run = (sql: string, ...values: unknown[]) => sqlite.prepare(sql).run(...values);
  run('DELETE FROM mailing_mails');
  run('DELETE FROM invites');
  const invite =
    'INSERT INTO invites (id, election_id, email, mode, status, wait_for_open, claimed_by, created_at)';
  for (const [email, mode, status, waits, claimed] of [
    ['ann@club.example', 'individual', 'QUEUED', 1, null],
    ['bob@club.example', 'batch', 'QUEUED', 0, 'an ended run'],
    ['cid@club.example', 'individual', 'SENT', 1, null],
  ])
    run(`${invite} VALUES (?, ?, ?, ?, ?, ?, ?, 5)`, email, election, email, mode, status, waits, claimed);
  for (const kind of ['results', 'reminders'])
    run(
      'INSERT INTO mailings (id, kind, election_id, started_at, total) VALUES (?, ?, ?, 7, 2)',
      kind,
      kind,
      election,
    );
  const mail =
    'INSERT INTO mailing_mails (id, mailing_id, invite_id, email, state, mailed_before, sent_at, error)';
  run(`${mail} VALUES ('r1', 'results', NULL, 'ann@club.example', 'SENT', NULL, 8, NULL)`);
  run(`${mail} VALUES ('r2', 'results', NULL, 'bob@club.example', 'WAITING', NULL, NULL, NULL)`);
  run(`${mail} VALUES ('m1', 'reminders', 'cid@club.example', 'cid@club.example', 'FAILED', 6, NULL, 'No')`);

  await migrate(sqlite);

  const columns =
    'kind, ref, facts, email, bundle, group_id, state, created_at, due_at, claimed_by, ended_at, error';
  expect(sqlite.prepare(`SELECT ${columns} FROM outbox ORDER BY rowid`).raw().all()).toEqual([
    [
      'invitation',
      'ann@club.example',
      '{"waits":true}',
      'ann@club.example',
      null,
      null,
      'WAITING',
      5,
      5,
      null,
      null,
      null,
    ],
    [
      'invitation',
      'bob@club.example',
      '{}',
      'bob@club.example',
      'bob@club.example',
      null,
      'SENDING',
      5,
      5,
      'an ended run',
      null,
      null,
    ],
    ['results', election, '{}', 'ann@club.example', null, 'results', 'SENT', 7, 7, null, 8, null],
    ['results', election, '{}', 'bob@club.example', null, 'results', 'WAITING', 7, 7, null, null, null],
    [
      'reminder',
      'cid@club.example',
      '{"mailed_before":6}',
      'cid@club.example',
      null,
      'reminders',
      'FAILED',
      7,
      7,
      null,
      null,
      'No',
    ],
  ]);
  sqlite.close();
});
