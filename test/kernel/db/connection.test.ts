import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { migrate, openSqlite } from '#kernel/db/connection.ts';
import { openDatabase } from '#kernel/db/database.ts';
import { lockDatabase } from '#kernel/db/lock.ts';
import { tempFolder } from '#test/support/process/process.ts';

const TAKEN = 'another process already serves';

describe('the lock of a database', () => {
  it('is refused to a second holder until the first releases it', () => {
    const file = path.join(tempFolder(), 'service.db');
    const lock = lockDatabase(file);

    expect(() => lockDatabase(file)).toThrow(TAKEN);
    lock.release();
    lockDatabase(file).release();
  });

  it('is shared by a database and its symbolic links, also before the database exists', () => {
    const folder = tempFolder();
    const file = path.join(folder, 'real', 'service.db');
    fs.mkdirSync(path.join(folder, 'elsewhere'));
    fs.symlinkSync('../real/service.db', path.join(folder, 'elsewhere', 'link.db'));
    fs.symlinkSync('link.db', path.join(folder, 'elsewhere', 'second.db'));
    fs.symlinkSync('real', path.join(folder, 'folder'));
    const links = [
      'elsewhere/link.db',
      'elsewhere/second.db',
      'folder/service.db',
      'real/../real/service.db',
    ];

    for (const make of [() => undefined, () => openSqlite(file).close()]) {
      make();
      const lock = lockDatabase(file);
      for (const link of links) expect(() => lockDatabase(path.join(folder, link))).toThrow(TAKEN);
      lock.release();
      for (const link of links) {
        const other = lockDatabase(path.join(folder, link));
        expect(() => lockDatabase(file)).toThrow(TAKEN);
        other.release();
      }
    }
  });

  it('is refused for each name of a database with several hard links', () => {
    const folder = tempFolder();
    const file = path.join(folder, 'service.db');
    const other = path.join(folder, 'elsewhere', 'other.db');
    openSqlite(file).close();
    const lock = lockDatabase(file);
    fs.mkdirSync(path.dirname(other));
    fs.linkSync(file, other);

    expect(() => lockDatabase(other)).toThrow(/^DATABASE_URL: .*other\.db has 2 names/);
    lock.release();
    expect(() => lockDatabase(file)).toThrow(/^DATABASE_URL: .*service\.db has 2 names/);
    fs.rmSync(other);
    lockDatabase(file).release();
  });

  it('stays held when another file replaces the database', () => {
    const folder = tempFolder();
    const file = path.join(folder, 'service.db');
    openSqlite(file).close();
    const lock = lockDatabase(file);

    fs.renameSync(file, path.join(folder, 'aside.db'));
    expect(() => lockDatabase(file)).toThrow(TAKEN);
    fs.writeFileSync(file, '');
    expect(() => lockDatabase(file)).toThrow(TAKEN);
    lock.release();
  });

  it('is lost for good once its file is deleted, moved or replaced, and can then be taken by another', () => {
    const folder = tempFolder();
    const name = (end: string) => path.join(folder, end);
    const ways = {
      deleted: (file: string) => fs.rmSync(file),
      moved: (file: string) => fs.renameSync(file, `${file}.stale`),
      'replaced by another file': (file: string) => {
        fs.writeFileSync(`${file}.new`, '');
        fs.renameSync(`${file}.new`, file);
      },
      'moved with its folder': (file: string) => fs.renameSync(path.dirname(file), name('elsewhere')),
    };
    for (const [way, lose] of Object.entries(ways)) {
      const file = name(`${way}/service.db`);
      const lock = lockDatabase(file);
      expect(() => lock.ensureHeld()).not.toThrow();
      lose(`${file}.lock`);

      expect(() => lock.ensureHeld(), way).toThrow(/service\.db\.lock was deleted, moved or replaced/);
      const other = lockDatabase(file);
      other.ensureHeld();
      // Put back: the other may have written meanwhile.
      if (way === 'moved') fs.renameSync(`${file}.lock.stale`, `${file}.lock`);
      expect(() => lock.ensureHeld(), way).toThrow();
      lock.release();
      other.release();
    }
  });

  it('is refused for a folder', () => {
    const folder = tempFolder();
    fs.mkdirSync(path.join(folder, 'data'));

    for (const refused of [lockDatabase, openSqlite])
      expect(() => refused(path.join(folder, 'data'))).toThrow(
        /^DATABASE_URL: .*data is a folder\. Name a file in it, as file:.*data\/publichouse\.db$/,
      );
    expect(fs.readdirSync(folder)).toEqual(['data']);
  });

  it('fails with one clear line for a folder that cannot be created', () => {
    const folder = tempFolder();
    fs.writeFileSync(path.join(folder, 'file'), '');
    fs.symlinkSync('circle.db', path.join(folder, 'circle.db'));

    for (const name of ['file/service.db', 'circle.db'])
      expect(() => lockDatabase(path.join(folder, name))).toThrow(
        /^DATABASE_URL: cannot open .*(EEXIST|ENOTDIR|ELOOP)/,
      );
  });
});

describe('migrations', () => {
  it('leave the database unchanged when one of them fails, and complete it once the cause is gone', async () => {
    using database = openDatabase(':memory:');
    const { sqlite } = database;
    // The table of the last migration exists already.
    sqlite.exec('CREATE TABLE oidc_flows (id)');

    await expect(migrate(sqlite)).rejects.toThrow('(021_oidc: table oidc_flows already exists)');
    sqlite.exec('DROP TABLE oidc_flows');
    const tables = sqlite.prepare("SELECT name FROM sqlite_master WHERE name IN ('oidc_links', 'elections')");
    const left = tables.all();
    await migrate(sqlite);

    expect(left).toEqual([]);
    expect(tables.all()).toHaveLength(2);
  });

  it('say that the disk is full, leave the database unchanged, and complete once there is space', async () => {
    const file = path.join(tempFolder(), 'service.db');
    fs.writeFileSync(file, gunzipSync(fs.readFileSync('test/fixtures/versions/003.db.gz')));
    using database = openDatabase(file);
    const { sqlite } = database;
    const schema = () => sqlite.prepare('SELECT name, sql FROM sqlite_master ORDER BY name').all();
    const before = schema();
    const pages = sqlite.pragma('page_count', { simple: true }) as number;

    for (const more of [0, 1, 8, 40]) {
      sqlite.pragma(`max_page_count = ${pages + more}`);
      await expect(migrate(sqlite)).rejects.toThrow(
        /^The database could not be migrated \(.*disk is full\)$/,
      );
      expect(schema()).toEqual(before);
    }
    sqlite.pragma('max_page_count = 1000000');
    await migrate(sqlite);
    expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
  });

  it('rebuild a table that others refer to without losing their rows, and are undone if a reference would break', async () => {
    const folder = tempFolder();
    const add = (name: string, ...statements: string[]) =>
      fs.writeFileSync(
        path.join(folder, `${name}.ts`),
        `import { sql } from ${JSON.stringify(import.meta.resolve('kysely'))};
        export async function up(db) { for (const text of ${JSON.stringify(statements)}) await sql.raw(text).execute(db); }`,
      );
    using database = openDatabase(':memory:');
    const { sqlite } = database;
    add(
      '001',
      'CREATE TABLE parent (id INTEGER PRIMARY KEY, kind TEXT CHECK (kind IN (1)))',
      'CREATE TABLE child (parent INTEGER REFERENCES parent (id) ON DELETE CASCADE)',
    );
    await migrate(sqlite, folder);
    sqlite.exec('INSERT INTO parent VALUES (1, 1); INSERT INTO child VALUES (1), (1)');

    add(
      '002',
      'CREATE TABLE new_parent (id INTEGER PRIMARY KEY, kind TEXT CHECK (kind IN (1, 2)))',
      'INSERT INTO new_parent SELECT * FROM parent',
      'DROP TABLE parent',
      'ALTER TABLE new_parent RENAME TO parent',
    );
    await migrate(sqlite, folder);
    const children = sqlite.prepare('SELECT count(*) FROM child').pluck();
    expect(children.get()).toBe(2);

    add('003', 'DELETE FROM parent');
    await expect(migrate(sqlite, folder)).rejects.toThrow(
      'rows of child would refer to missing rows of parent',
    );
    expect(sqlite.prepare('SELECT count(*) FROM parent').pluck().get()).toBe(1);

    sqlite.exec('DELETE FROM parent');
    expect(children.get()).toBe(0);
  });

  it('say in plain words that the database is newer than the program, and change nothing', async () => {
    using database = openDatabase(':memory:');
    await migrate(database.sqlite);
    database.sqlite.exec("INSERT INTO kysely_migration VALUES ('999_later', '2030-01-01T00:00:00Z')");
    const before = database.sqlite.serialize();

    await expect(migrate(database.sqlite)).rejects.toThrow(
      /^The database is newer than this program, which does not know 999_later\. .*npm run restore/,
    );

    expect(database.sqlite.serialize().equals(before)).toBe(true);
  });
});
