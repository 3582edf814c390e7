import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { migrate } from '#kernel/db/connection.ts';
import { up } from '../../../migrations/064_address_domains.ts';

const UNICODE = 'ida@müller.example';
const ASCII = 'ida@xn--mller-kva.example';

let sqlite: Sqlite.Database;
beforeEach(async () => {
  sqlite = new Sqlite(':memory:');
  await migrate(sqlite);
  // The migration is from before the outbox.
  sqlite.exec('CREATE TABLE mailing_mails (email TEXT)');
});

const run = (sql: string, ...values: unknown[]) => sqlite.prepare(sql).run(...values);
const rows = (sql: string) => sqlite.prepare(sql).raw().all();
const upgrade = () => up(new Kysely({ dialect: new SqliteDialect({ database: sqlite }) }));

function addPerson(id: string): void {
  run(
    'INSERT INTO persons (id, name, sort_name, webauthn_id, created_at) VALUES (?, ?, ?, ?, 1)',
    id,
    id,
    id,
    Buffer.from(id),
  );
}
function addAddress(
  id: string,
  [person, email]: [string, string],
  [primary, verified, added]: [0 | 1, number | null, number],
): void {
  const values = [id, person, email, primary, verified, added];
  run(
    "INSERT INTO addresses (id, person_id, email, is_primary, verified_at, added_by, added_at) VALUES (?, ?, ?, ?, ?, 'x', ?)",
    ...values,
  );
}

test('two spellings of an address of one person become one, with its sessions', async () => {
  addPerson('ida');
  addPerson('jon');
  addAddress('a1', ['ida', UNICODE], [0, null, 5]);
  addAddress('a2', ['ida', ASCII], [1, 7, 3]);
  addAddress('a3', ['jon', UNICODE], [1, null, 4]);
  run(
    "INSERT INTO sessions (token_hash, id, person_id, method, address_id, credential_at, created_at, seen_at, sudo_until, stay, browser, network) VALUES ('h', 's', 'ida', 'code', 'a2', 1, 1, 1, 1, 0, 'b', 'n')",
  );
  const before = JSON.stringify({
    addresses: [
      { email: ASCII, primary: true, verified_at: 7 },
      { email: UNICODE, primary: false, verified_at: null },
    ],
    groups: ['g', 'h'],
  });
  run('INSERT INTO import_batches (id, at, created, changed, ended) VALUES (1, 1, 0, 1, 0)');
  run('INSERT INTO import_changes (batch_id, person_id, before, version) VALUES (1, ?, ?, 2)', 'ida', before);

  await upgrade();

  expect(
    rows('SELECT person_id, email, is_primary, verified_at, added_at FROM addresses ORDER BY person_id'),
  ).toEqual([
    ['ida', ASCII, 1, 7, 5],
    ['jon', ASCII, 1, null, 4],
  ]);
  expect(rows('SELECT a.email FROM sessions s JOIN addresses a ON a.id = s.address_id')).toEqual([[ASCII]]);
  expect(
    JSON.parse(sqlite.prepare<[], { before: string }>('SELECT before FROM import_changes').get()!.before),
  ).toEqual({
    addresses: [{ email: ASCII, primary: true, verified_at: 7 }],
    groups: ['g', 'h'],
  });
});

test('two subscriptions become the one that goes on, and the feed of the ended one stays ended', async () => {
  const add = (id: string, email: string, left: number | null, created: number) =>
    run(
      "INSERT INTO subscribers (id, calendar_id, email, name, search, created_at, verified_at, left_at) VALUES (?, 'programs', ?, 'Ida', ?, ?, 1, ?)",
      id,
      email,
      email,
      created,
      left,
    );
  add('gone', ASCII, 40, 2);
  add('on', UNICODE, null, 9);
  add('other', 'jon@ÄPFEL.example'.toLowerCase(), null, 3);
  for (const [id, of] of [
    ['t1', 'gone'],
    ['t2', 'on'],
  ])
    run(
      "INSERT INTO feed_tokens (id, subscriber_id, token_hash, last_four, created_at, expires_at) VALUES (?, ?, ?, 'abcd', 1, 99)",
      id,
      of,
      `${id}${'0'.repeat(62)}`,
    );

  await upgrade();

  expect(rows('SELECT id, email, created_at, left_at, search FROM subscribers ORDER BY id')).toEqual([
    ['on', ASCII, 2, null, `ida ${ASCII} ${UNICODE}`],
    ['other', 'jon@xn--pfel-koa.example', 3, null, 'ida jon@xn--pfel-koa.example jon@äpfel.example'],
  ]);
  expect(rows('SELECT id, subscriber_id, revoked_at FROM feed_tokens ORDER BY id')).toEqual([
    ['t1', 'on', 40],
    ['t2', 'on', null],
  ]);
});

test('lists have an address once, and no invitation loses its code', async () => {
  run("INSERT INTO distribution_lists (id, name, created_at) VALUES ('l', 'All', 1)");
  for (const [id, email, name] of [
    ['1', ASCII, null],
    ['2', UNICODE, 'Ida'],
    ['3', 'ann@club.example', 'Ann'],
  ])
    run(
      "INSERT INTO distribution_list_emails (id, list_id, email, name) VALUES (?, 'l', ?, ?)",
      id,
      email,
      name,
    );
  const columns = rows('SELECT name, type, "notnull", dflt_value FROM pragma_table_info(\'elections\')') as [
    string,
    string,
    number,
    unknown,
  ][];
  const needed = columns
    .filter(([, , notNull, preset]) => notNull === 1 && preset === null)
    .map(([name]) => name);
  const values = needed.map((name) =>
    name === 'id'
      ? 'e'
      : name === 'ballot_type'
        ? 'SIMPLE_TRIPLE'
        : name === 'settings'
          ? '{}'
          : name === 'close_at'
            ? 2
            : /_at$/.test(name)
              ? 1
              : 'x',
  );
  run(`INSERT INTO elections (${needed.join()}) VALUES (${needed.map(() => '?').join()})`, ...values);
  for (const [id, email, person] of [
    ['i1', ASCII, null],
    ['i2', UNICODE, null],
    ['i3', UNICODE, 'ida'],
  ])
    run(
      "INSERT INTO invites (id, election_id, email, person_id, status, created_at, token_hash) VALUES (?, 'e', ?, ?, 'SENT', 1, ?)",
      id,
      email,
      person,
      id,
    );

  await upgrade();

  expect(rows('SELECT email, name FROM distribution_list_emails ORDER BY email')).toEqual([
    ['ann@club.example', 'Ann'],
    [ASCII, 'Ida'],
  ]);
  expect(rows('SELECT id, email, token_hash FROM invites ORDER BY id')).toEqual([
    ['i1', ASCII, 'i1'],
    ['i2', UNICODE, 'i2'],
    ['i3', ASCII, 'i3'],
  ]);
});
