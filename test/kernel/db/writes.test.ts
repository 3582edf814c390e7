import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { assertDurable, openSqlite } from '#kernel/db/connection.ts';
import { DatabaseError } from '#kernel/db/database-error.ts';
import { build, prepareInsert, Statements, type Tx } from '#kernel/db/queries.ts';
import { Writes } from '#kernel/db/writes.ts';

const entry = (id: string) => ({
  id,
  action: 'test.written',
  ip_address: '',
  election_id: null,
  timestamp: 0,
  metadata: '{}',
  hash: '',
});
const write = (tx: Tx, id: string) => tx.run(build.insertInto('audit_log').values(entry(id)));

test('writes that arrive together share one commit', async () => {
  const { sqlite, writes, statements } = service();

  await Promise.all(['a', 'b', 'c'].map((id) => writes.write((tx) => write(tx, id))));

  expect(ids(sqlite)).toEqual(['a', 'b', 'c']);
  expect(statements.filter((sql) => sql === 'COMMIT')).toHaveLength(1);
});

test('a write that was asked for before the database is closed is refused', async () => {
  const { sqlite, writes } = service();
  const refused = [writes.write((tx) => write(tx, 'a')), writes.write((tx) => write(tx, 'b'))];
  sqlite.close();

  for (const { status } of await Promise.allSettled(refused)) expect(status).toBe('rejected');
});

test('writes that arrive during holds are committed when all holds have ended', async () => {
  const { sqlite, writes, statements } = service();
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = [writes.hold(() => first.promise), writes.hold(() => second.promise)];
  const waiting = ['a', 'b'].map((id) => writes.write((tx) => write(tx, id)));

  first.resolve();
  for (let turn = 0; turn < 5; turn++) await setImmediate();
  const before = [...statements];
  second.resolve();
  await Promise.all([...held, ...waiting]);

  expect(before).not.toContain('BEGIN IMMEDIATE');
  expect(ids(sqlite)).toEqual(['a', 'b']);
  expect(statements.filter((sql) => sql === 'COMMIT')).toHaveLength(1);
});

test('a hold that fails lets writes continue', async () => {
  const { sqlite, writes } = service();
  const failed = writes.hold(() => Promise.reject(new Error('no disk')));
  const waiting = writes.write((tx) => write(tx, 'a'));

  await expect(failed).rejects.toThrow('no disk');
  await waiting;
  expect(ids(sqlite)).toEqual(['a']);
});

test('a write that throws is rolled back alone, and others in its commit are kept', async () => {
  const { sqlite, writes } = service();

  const answers = await Promise.allSettled([
    writes.write((tx) => write(tx, 'a')),
    writes.write((tx) => {
      write(tx, 'half');
      throw new Error('changed my mind');
    }),
    writes.write((tx) => write(tx, 'c')),
  ]);

  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(ids(sqlite)).toEqual(['a', 'c']);
});

test('repeatable writes share a commit without savepoints, until one fails after a change', async () => {
  const { sqlite, writes, statements } = service();
  const repeatable = { repeatable: true };
  const all = (...pieces: ((tx: Tx) => unknown)[]) =>
    Promise.allSettled(pieces.map((piece) => writes.write(piece, repeatable)));

  const first = await all(
    (tx) => write(tx, 'a'),
    (tx) => {
      tx.run(build.deleteFrom('audit_log').where('id', '=', 'nobody'));
      throw new Error('nothing was there to change');
    },
    (tx) => write(tx, 'b'),
  );
  expect(first.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(statements).not.toContain('SAVEPOINT piece');

  const returning = build.insertInto('audit_log').values(entry('half')).returning('id');
  const second = await all(
    (tx) => write(tx, 'c'),
    (tx) => {
      tx.first(returning);
      throw new Error('changed my mind');
    },
    (tx) => write(tx, 'd'),
  );
  expect(second).toEqual([
    { status: 'fulfilled', value: 1 },
    { status: 'rejected', reason: new Error('changed my mind') },
    { status: 'fulfilled', value: 1 },
  ]);
  expect(ids(sqlite)).toEqual(['a', 'b', 'c', 'd']);
});

describe('rows that repeatable writes insert together', () => {
  const insert = prepareInsert((rows: ReturnType<typeof entry>[]) =>
    build.insertInto('audit_log').values(
      rows.map(({ id, action, ip_address, election_id, timestamp, metadata, hash }) => ({
        ...{ id, action, ip_address, election_id },
        ...{ timestamp, metadata, hash },
      })),
    ),
  );
  const add = (tx: Tx, ...added: string[]) => tx.insertTogether(insert, added.map(entry));
  const inserts = (statements: string[]) => statements.filter((sql) => sql.startsWith('insert into'));

  test('share a statement', async () => {
    const { sqlite, writes, statements } = service();

    await Promise.all(
      ['a', 'b', 'c', 'd'].map((id) => writes.write((tx) => add(tx, id), { repeatable: true })),
    );

    expect(ids(sqlite)).toEqual(['a', 'b', 'c', 'd']);
    expect(inserts(statements)).toHaveLength(1);
  });

  test('are there for each statement that names their table', async () => {
    const { sqlite, writes } = service();
    const all = build.selectFrom('audit_log').select('id').orderBy('seq');
    const seen: string[][] = [];

    await Promise.all(
      ['a', 'b'].map((id) =>
        writes.write(
          (tx) => {
            add(tx, id, `${id}2`);
            seen.push(tx.all(all).map((row) => row.id));
            write(tx, `${id}3`);
          },
          { repeatable: true },
        ),
      ),
    );

    expect(seen).toEqual([
      ['a', 'a2'],
      ['a', 'a2', 'a3', 'b', 'b2'],
    ]);
    expect(ids(sqlite)).toEqual(['a', 'a2', 'a3', 'b', 'b2', 'b3']);
  });

  test('are rolled back with their own write alone when that throws later', async () => {
    const { sqlite, writes } = service();

    const answers = await Promise.allSettled([
      writes.write((tx) => add(tx, 'a'), { repeatable: true }),
      writes.write(
        (tx) => {
          add(tx, 'half');
          throw new Error('changed my mind');
        },
        { repeatable: true },
      ),
      writes.write((tx) => add(tx, 'c'), { repeatable: true }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(ids(sqlite)).toEqual(['a', 'c']);
  });

  test('are refused with their own write alone when the database refuses one', async () => {
    const { sqlite, writes } = service();
    sqlite.exec('CREATE UNIQUE INDEX one_id ON audit_log (id)');

    const answers = await Promise.allSettled(
      ['a', 'a', 'b'].map((id) => writes.write((tx) => add(tx, id), { repeatable: true })),
    );

    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(ids(sqlite)).toEqual(['a', 'b']);
  });

  test('are not lost when the database refuses one of them during the statement of another write', async () => {
    const { sqlite, writes } = service();
    sqlite.exec("CREATE UNIQUE INDEX one_id ON audit_log (id); INSERT INTO audit_log (id) VALUES ('dup')");
    const look = (tx: Tx) => tx.all(build.selectFrom('audit_log').select('id')).length;

    const answers = await Promise.allSettled([
      writes.write((tx) => add(tx, 'good'), { repeatable: true }),
      writes.write((tx) => add(tx, 'dup'), { repeatable: true }),
      writes.write(look, { repeatable: true }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(ids(sqlite)).toEqual(['dup', 'good']);
  });

  test('stay when another write only looks at them, and is refused', async () => {
    const { sqlite, writes, statements } = service();
    const refuse = (tx: Tx) => {
      tx.all(build.selectFrom('audit_log').select('id'));
      throw new Error('refused');
    };

    const answers = await Promise.allSettled([
      writes.write((tx) => add(tx, 'a'), { repeatable: true }),
      writes.write(refuse, { repeatable: true }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(ids(sqlite)).toEqual(['a']);
    expect(statements.filter((sql) => sql === 'COMMIT')).toHaveLength(1);
  });

  test('are inserted at once beside a write that cannot be repeated', async () => {
    const { sqlite, writes } = service();

    await Promise.all([
      writes.write((tx) => add(tx, 'a'), { repeatable: true }),
      writes.write((tx) => write(tx, 'b')),
      writes.write((tx) => add(tx, 'c'), { repeatable: true }),
    ]);

    expect(ids(sqlite)).toEqual(['a', 'b', 'c']);
  });
});

test('a single write that throws is rolled back completely, without a savepoint', async () => {
  const { sqlite, writes, statements } = service();
  const failing = writes.write((tx) => {
    write(tx, 'half');
    throw new Error('changed my mind');
  });

  await expect(failing).rejects.toThrow('changed my mind');
  expect(ids(sqlite)).toEqual([]);
  expect(statements).not.toContain('SAVEPOINT piece');
  await writes.write((tx) => write(tx, 'later'));
  expect(ids(sqlite)).toEqual(['later']);
});

test('no write reports success when the commit fails', async () => {
  const { sqlite, writes } = service();
  sqlite.exec(
    'CREATE TABLE parent (id PRIMARY KEY); CREATE TABLE child (p REFERENCES parent DEFERRABLE INITIALLY DEFERRED)',
  );

  const answers = await Promise.allSettled([
    writes.write((tx) => write(tx, 'a')),
    writes.write((tx) => tx.run({ sql: 'INSERT INTO child VALUES (1)', parameters: [] } as never)),
  ]);

  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(ids(sqlite)).toEqual([]);
  await expect(writes.write((tx) => write(tx, 'later'))).resolves.toBe(1);
});

test('a disk error is remembered until a write has changed something', async () => {
  const { writes } = service();
  const disk = new Sqlite.SqliteError('disk I/O error', 'SQLITE_IOERR_WRITE');
  const fail = (error: Error) =>
    writes.write(() => {
      throw error;
    });
  const seen: (string | undefined)[] = [];
  const see = () => void seen.push(writes.diskError);

  await expect(fail(new Error('refused'))).rejects.toThrow('refused');
  see();
  await expect(fail(disk)).rejects.toThrow('disk I/O error');
  see();
  await writes.write(() => undefined);
  see();
  await writes.write((tx) => write(tx, 'a'));
  see();
  // A failing write among several that share a commit.
  await Promise.allSettled([writes.write((tx) => write(tx, 'b')), fail(disk)]);
  see();

  expect(seen).toEqual([
    undefined,
    'SQLITE_IOERR_WRITE',
    'SQLITE_IOERR_WRITE',
    undefined,
    'SQLITE_IOERR_WRITE',
  ]);
});

test('more writes than fit into one commit are all written', async () => {
  const { sqlite, writes } = service(2);

  await Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => writes.write((tx) => write(tx, id))));

  expect(ids(sqlite)).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('a write is answered while others keep arriving in every turn of the event loop', async () => {
  const { writes } = service(Number.POSITIVE_INFINITY);
  const answered = { value: false };
  const first = writes
    .write((tx) => write(tx, 'first'))
    .then(() => {
      answered.value = true;
    });
  const others: Promise<unknown>[] = [];
  const until = performance.now() + 5_000;

  while (!answered.value && performance.now() < until) {
    others.push(writes.write(() => undefined));
    await setImmediate();
  }
  const inTime = answered.value;
  await Promise.all([first, ...others]);

  expect(inTime).toBe(true);
});

test('every connection is durable; one that is not is refused', () => {
  const file = path.join(folder(), 'service.db');
  openSqlite(file).close();
  const second = openSqlite(file);

  expect(second.pragma('synchronous', { simple: true })).toBe(2);
  expect(second.pragma('journal_mode', { simple: true })).toBe('wal');
  second.pragma('synchronous = NORMAL');
  expect(() => assertDurable(second)).toThrow(DatabaseError);
  second.close();
});

test('a folder that cannot be written gives one clear line', () => {
  const file = path.join(folder(), 'not-a-folder');
  fs.writeFileSync(file, '');

  expect(() => openSqlite(path.join(file, 'service.db'))).toThrow(/^DATABASE_URL: cannot open/);
});

function service(commitSize?: number) {
  const statements: string[] = [];
  const sqlite = new Sqlite(':memory:', { verbose: (sql) => void statements.push(String(sql)) });
  onTestFinished(() => void sqlite.close());
  sqlite.exec(
    'CREATE TABLE audit_log (seq INTEGER PRIMARY KEY, id, action, ip_address, election_id, timestamp, metadata, hash)',
  );
  return { sqlite, statements, writes: new Writes(sqlite, new Statements(sqlite), { commitSize }) };
}

function ids(sqlite: Sqlite.Database): unknown[] {
  return sqlite.prepare('SELECT id FROM audit_log ORDER BY seq').pluck().all();
}

function folder(): string {
  const made = fs.mkdtempSync(path.join(os.tmpdir(), 'service-'));
  onTestFinished(() => fs.rmSync(made, { recursive: true }));
  return made;
}
