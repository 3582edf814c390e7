import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect, type SqliteStatement } from 'kysely';
import { FileMigrationProvider, Migrator } from 'kysely/migration';
import { DatabaseError, EarlierVersion } from './database-error.ts';

const MIGRATIONS = path.join(import.meta.dirname, '../../../migrations');

/** Required settings of each connection: an acknowledged write survives a power cut, deleted text is overwritten. */
const DURABILITY = { synchronous: 2, foreign_keys: 1, secure_delete: 1, busy_timeout: 2000 };

/**
 * Opens the SQLite file, creates its folder if needed, and asserts the durability settings.
 * @param file a path, or `:memory:`.
 * @param contents the initial contents of a database in memory, made by `serialize`.
 * @throws DatabaseError with one line when it can't be opened or another process holds it.
 */
export function openSqlite(file: string, contents?: Buffer): Sqlite.Database {
  try {
    if (file !== ':memory:') {
      const real = realFile(file);
      // SQLite creates its log with the mode of the database; an existing log keeps its own mode.
      for (const end of ['', '-wal', '-shm']) keepPrivate(real + end, { create: end === '' });
    }
    const sqlite = new Sqlite(contents ?? file);
    // busy_timeout first: the switch to WAL itself may have to wait.
    sqlite.pragma(`busy_timeout = ${DURABILITY.busy_timeout}`);
    sqlite.pragma('journal_mode = WAL');
    // Not stored in the file: later connections of this build would start with NORMAL.
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma('foreign_keys = ON');
    sqlite.pragma('secure_delete = ON');
    // Without it a REPLACE deletes rows without firing the triggers that keep the audit log append-only.
    sqlite.pragma('recursive_triggers = ON');
    sqlite.pragma('trusted_schema = OFF');
    // The data to roll back a savepoint is kept in memory, not in a temporary file.
    sqlite.pragma('temp_store = MEMORY');
    // Checkpoint after 32 MB of log: a page that many ballots change is moved into the file once, not each time.
    sqlite.pragma('wal_autocheckpoint = 8000');
    sqlite.pragma('journal_size_limit = 67108864');
    // 4 MB of pages, not the 16 MB of the library: the system keeps the pages of the file as well.
    sqlite.pragma('cache_size = -4000');
    assertDurable(sqlite);
    return sqlite;
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseError(`DATABASE_URL: cannot open ${file}: ${(error as Error).message}`);
  }
}

/** Makes a file readable only by its owner; creates an empty one if it is missing and `create` is set. */
export function keepPrivate(file: string, { create }: { create: boolean }): void {
  const mode = 0o600;
  if (create) fs.closeSync(fs.openSync(file, 'a', mode));
  else if (!fs.existsSync(file)) return;
  try {
    fs.chmodSync(file, mode);
  } catch (error) {
    // The file belongs to another user, who has decided who may read it; this process may still write it.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}

/** @throws DatabaseError when a connection lost one of its durability settings. */
export function assertDurable(sqlite: Sqlite.Database): void {
  for (const [name, want] of Object.entries(DURABILITY)) {
    const have = sqlite.pragma(name, { simple: true });
    if (have !== want) throw new DatabaseError(`The database says ${name} = ${have}, but ${want} is needed`);
  }
}

/**
 * Brings the schema to the newest version. All missing migrations run as one transaction: a crash or an error within
 * them leaves the database unchanged. Foreign keys are off meanwhile, so that a migration can rebuild a table that
 * others refer to (SQLite would delete their rows with it), and are verified before the commit.
 * @param folder of the migrations
 * @throws DatabaseError naming the migration that failed, or when a newer program has migrated it.
 */
export async function migrate(sqlite: Sqlite.Database, folder = MIGRATIONS): Promise<void> {
  const done = listMigrated(sqlite);
  const known = fs.readdirSync(folder).map((name) => path.parse(name).name);
  ensureNotNewer(done, known);
  // The usual case: the modules of the migrations need not be loaded.
  if (known.length === done.length) return;
  // Inside a transaction this pragma does nothing.
  sqlite.pragma('foreign_keys = OFF');
  sqlite.exec('BEGIN IMMEDIATE');
  try {
    await runMigrations(sqlite, folder);
    const [broken] = sqlite.pragma('foreign_key_check') as { table: string; parent: string }[];
    if (broken) throw new Error(`rows of ${broken.table} would refer to missing rows of ${broken.parent}`);
    sqlite.exec('COMMIT');
  } catch (error) {
    // SQLite itself has rolled back when the disk is full.
    if (sqlite.inTransaction) sqlite.exec('ROLLBACK');
    throw new DatabaseError(`The database could not be migrated (${message(error)})`);
  } finally {
    sqlite.pragma('foreign_keys = ON');
  }
}

/** @throws the error of the migration that failed; its message begins with the name of the migration, if known */
async function runMigrations(sqlite: Sqlite.Database, folder: string): Promise<void> {
  const provider = new FileMigrationProvider({
    fs: fs.promises,
    path,
    migrationFolder: folder,
    // In a plain path, `#` and `%` in the name of a folder would be read as parts of a URL.
    import: (file) => import(pathToFileURL(file).href),
  });
  // Kysely must not close the connection: it is used afterwards.
  const database = {
    prepare: (sql: string) => sqlite.prepare(sql) as unknown as SqliteStatement,
    close() {},
  };
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) });
  // Some migrations were added after ones with higher numbers: a database with only the higher ones is still migrated.
  const migrator = new Migrator({ db, provider, allowUnorderedMigrations: true });
  const { error, results } = await migrator.migrateToLatest();
  if (!error) return;
  const failed = results?.find((result) => result.status === 'Error')?.migrationName;
  throw new Error(`${failed ? `${failed}: ` : ''}${message(error)}`);
}

/** The names of the migrations that a database lacks: it is of an earlier version. */
export function listOpenMigrations(sqlite: Sqlite.Database): string[] {
  const done = new Set(listMigrated(sqlite));
  return fs
    .readdirSync(MIGRATIONS)
    .map((name) => path.parse(name).name)
    .filter((name) => !done.has(name))
    .sort();
}

/**
 * For scripts: a script that migrated would do so under the service of the earlier version, which may still run.
 * @throws EarlierVersion for a database that a service of an earlier version has made
 */
export function ensureNotEarlier(file: string): void {
  if (!fs.existsSync(file)) return;
  const sqlite = new Sqlite(file, { readonly: true });
  try {
    if (listMigrated(sqlite).length > 0 && listOpenMigrations(sqlite).length > 0)
      throw new EarlierVersion(file);
  } finally {
    sqlite.close();
  }
}

function listMigrated(sqlite: Sqlite.Database): string[] {
  const table = sqlite.prepare("SELECT 1 FROM sqlite_master WHERE name = 'kysely_migration'");
  if (!table.get()) return [];
  return sqlite.prepare('SELECT name FROM kysely_migration ORDER BY name').pluck().all() as string[];
}

function ensureNotNewer(done: string[], known: string[]): void {
  const unknown = done.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new DatabaseError(
      `The database is newer than this program, which does not know ${unknown.join(', ')}. Nothing was changed. Start the newer version again (git pull), or restore a backup that was made before the upgrade: npm run restore -- data/backups/publichouse-….db`,
    );
}

/**
 * Resolves symbolic links, and creates the folder if it is missing: SQLite keeps its log beside the real file.
 * @throws DatabaseError if it is a folder
 */
export function realFile(file: string): string {
  if (fs.statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new DatabaseError(
      `DATABASE_URL: ${file} is a folder. Name a file in it, as file:${path.join(file, 'publichouse.db')}`,
    );
  const folder = path.dirname(path.resolve(file));
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const place = path.join(fs.realpathSync(folder), path.basename(file));
  try {
    return fs.realpathSync(place);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  // A link whose target does not exist yet: opening it creates the target.
  const isLink = fs.lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? realFile(path.resolve(path.dirname(place), fs.readlinkSync(place))) : place;
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
