import fs from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect, type SqliteStatement } from 'kysely';
import { FileMigrationProvider, Migrator } from 'kysely/migration';

const MIGRATIONS = path.join(import.meta.dirname, '../../../migrations');

/** What each connection must say of itself: an acknowledged write survives a power cut, deleted text is gone. */
const DURABILITY = { synchronous: 2, foreign_keys: 1, secure_delete: 1, busy_timeout: 2000 };

/** How long a statement waits for another process, in milliseconds. */
export const BUSY_TIMEOUT = DURABILITY.busy_timeout;

export class DatabaseError extends Error {}

/**
 * Opens the SQLite file, with its folder, and asserts the durability settings.
 * @param file a path, or `:memory:`.
 * @param contents what a database in memory begins with, as `serialize` made it.
 * @throws DatabaseError with one line when it can't be opened or another process holds it.
 */
export function openSqlite(file: string, contents?: Buffer): Sqlite.Database {
  try {
    if (file !== ':memory:') {
      fs.mkdirSync(path.dirname(path.resolve(file)), { recursive: true, mode: 0o700 });
      // SQLite gives its log the mode of the database; one that is there already keeps its own.
      for (const end of ['', '-wal', '-shm']) keepPrivate(file + end, { create: end === '' });
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

/** Brings the schema to the newest version. @throws DatabaseError naming the migration that failed. */
export async function migrate(sqlite: Sqlite.Database): Promise<void> {
  const provider = new FileMigrationProvider({ fs: fs.promises, path, migrationFolder: MIGRATIONS });
  // The connection outlives this use of it.
  const database = {
    prepare: (sql: string) => sqlite.prepare(sql) as unknown as SqliteStatement,
    close() {},
  };
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) });
  const { error, results } = await new Migrator({ db, provider }).migrateToLatest();
  if (!error) return;
  const failed = results?.find((result) => result.status === 'Error')?.migrationName;
  throw new DatabaseError(
    `The database could not be migrated${failed ? ` (${failed})` : ''}: ${message(error)}`,
  );
}

/**
 * Takes the exclusive lock that says "this process serves this database", as a lock on a small file beside it:
 * the system frees it when the process ends, however it ends.
 * @throws DatabaseError when another process holds it.
 */
export function lockDatabase(file: string): () => void {
  if (file === ':memory:') return () => {};
  keepPrivate(`${file}.lock`, { create: true });
  const lock = new Sqlite(`${file}.lock`, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch {
    lock.close();
    throw new DatabaseError(`DATABASE_URL: another process already serves ${file}`);
  }
  return () => lock.close();
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
