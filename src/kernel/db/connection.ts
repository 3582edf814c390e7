import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteAdapter, SqliteDialect, type SqliteStatement } from 'kysely';
import { FileMigrationProvider, Migrator } from 'kysely/migration';
import { DatabaseError, DatabaseInUse } from './database-error.ts';

const MIGRATIONS = path.join(import.meta.dirname, '../../../migrations');

/** What each connection must say of itself: an acknowledged write survives a power cut, deleted text is gone. */
const DURABILITY = { synchronous: 2, foreign_keys: 1, secure_delete: 1, busy_timeout: 2000 };

/**
 * Opens the SQLite file, with its folder, and asserts the durability settings.
 * @param file a path, or `:memory:`.
 * @param contents what a database in memory begins with, as `serialize` made it.
 * @throws DatabaseError with one line when it can't be opened or another process holds it.
 */
export function openSqlite(file: string, contents?: Buffer): Sqlite.Database {
  try {
    if (file !== ':memory:') {
      const real = realFile(file);
      // SQLite gives its log the mode of the database; one that is there already keeps its own.
      for (const end of ['', '-wal', '-shm']) keepPrivate(real + end, { create: end === '' });
    }
    const sqlite = new Sqlite(contents ?? file);
    // busy_timeout first: the switch to WAL itself may have to wait.
    sqlite.pragma(`busy_timeout = ${DURABILITY.busy_timeout}`);
    sqlite.pragma('journal_mode = WAL');
    // Not inherited from the file: this build's later connections would start with NORMAL.
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma('foreign_keys = ON');
    sqlite.pragma('secure_delete = ON');
    // Without it a REPLACE deletes past the triggers that keep the audit log append-only.
    sqlite.pragma('recursive_triggers = ON');
    sqlite.pragma('trusted_schema = OFF');
    // What a savepoint would put back is kept in memory, not in a temporary file.
    sqlite.pragma('temp_store = MEMORY');
    // 32 MB of log before it is moved into the file: a page that many ballots touch is moved once, not each time.
    sqlite.pragma('wal_autocheckpoint = 8000');
    sqlite.pragma('journal_size_limit = 67108864');
    assertDurable(sqlite);
    return sqlite;
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseError(`DATABASE_URL: cannot open ${file}: ${(error as Error).message}`);
  }
}

/** Lets nobody but its owner read a file, and makes an empty one where there is none and `create` says so. */
export function keepPrivate(file: string, { create }: { create: boolean }): void {
  const mode = 0o600;
  if (create) fs.closeSync(fs.openSync(file, 'a', mode));
  else if (!fs.existsSync(file)) return;
  try {
    fs.chmodSync(file, mode);
  } catch (error) {
    // Somebody else's file, which this process may write all the same: they said who may read it.
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
 * Brings the schema to the newest version.
 * @throws DatabaseError naming the migration that failed, or when a newer program has migrated it.
 */
export async function migrate(sqlite: Sqlite.Database): Promise<void> {
  const done = listMigrated(sqlite);
  const known = fs.readdirSync(MIGRATIONS).map((name) => path.parse(name).name);
  ensureNotNewer(done, known);
  // Most starts: the modules of the migrations need not be loaded.
  if (known.length === done.length) return;
  const provider = new FileMigrationProvider({
    fs: fs.promises,
    path,
    migrationFolder: MIGRATIONS,
    // As a path, `#` and `%` in the name of a folder would be read as parts of an address.
    import: (file) => import(pathToFileURL(file).href),
  });
  // The connection outlives this use of it.
  const database = {
    prepare: (sql: string) => sqlite.prepare(sql) as unknown as SqliteStatement,
    close() {},
  };
  const db = new Kysely<unknown>({ dialect: new TransactionalDialect({ database }) });
  // Some numbers were landed after higher ones: a database that has those only is migrated all the same.
  const migrator = new Migrator({ db, provider, allowUnorderedMigrations: true });
  const { error, results } = await migrator.migrateToLatest();
  if (!error) return;
  const failed = results?.find((result) => result.status === 'Error')?.migrationName;
  throw new DatabaseError(
    `The database could not be migrated${failed ? ` (${failed})` : ''}: ${message(error)}`,
  );
}

/**
 * All migrations that are missing are one transaction: a crash or an error within them leaves the database as it was.
 * Kysely leaves transactions out for SQLite, where a migration may want to switch foreign keys; none of ours does.
 */
class TransactionalDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
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
 * Takes the exclusive lock that says "this process serves this database", as a lock on a small file beside the real
 * one, whatever symbolic links lead there: the system frees it when the process ends, however it ends. The database
 * need not be there yet, and may be replaced under the lock.
 * @throws DatabaseError when another process holds it, or when the database has further names (hard links).
 */
export function lockDatabase(file: string): () => void {
  if (file === ':memory:') return () => {};
  const lock = openLock(file);
  try {
    lock.exec('BEGIN EXCLUSIVE');
    ensureOnlyName(file);
  } catch (error) {
    lock.close();
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseInUse(`DATABASE_URL: another process already serves ${file}`);
  }
  return () => lock.close();
}

function openLock(file: string): Sqlite.Database {
  try {
    const name = `${realFile(file)}.lock`;
    keepPrivate(name, { create: true });
    return new Sqlite(name, { timeout: 0 });
  } catch (error) {
    throw new DatabaseError(`DATABASE_URL: cannot open ${file}: ${message(error)}`);
  }
}

// A hard link may lie in any folder, with a lock and a log of its own beside it: two processes would not see each
// other, and what is in the log of a process that was killed would be lost to the next one.
function ensureOnlyName(file: string): void {
  const names = fs.statSync(file, { throwIfNoEntry: false })?.nlink ?? 1;
  if (names > 1)
    throw new DatabaseError(
      `DATABASE_URL: ${file} has ${names} names (hard links), and another process may serve it under one of them. Keep one`,
    );
}

/** The file behind symbolic links, with its folder made if it is missing: SQLite keeps its log beside that one. */
export function realFile(file: string): string {
  const folder = path.dirname(path.resolve(file));
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const place = path.join(fs.realpathSync(folder), path.basename(file));
  try {
    return fs.realpathSync(place);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  // A link whose target is not there yet: opening it makes the target.
  const isLink = fs.lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? realFile(path.resolve(path.dirname(place), fs.readlinkSync(place))) : place;
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
