import fs from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { openSqlite } from './connection.ts';
import { LOCK_LOST } from './database-error.ts';
import type { DatabaseLock } from './lock.ts';
import { createReader, type Reader, Statements, type Tx } from './queries.ts';
import { type WriteOptions, Writes } from './writes.ts';

/** The code for a database file that was moved or deleted while in use: later writes are lost when the process ends. */
export const NOT_THERE = 'NOT_THERE';

/** The database as the service and its scripts use it. */
export interface OpenDatabase extends Disposable {
  sqlite: Sqlite.Database;
  db: Reader;
  /** Runs a change in a durable transaction, see `Writes`. */
  write<T>(work: (tx: Tx) => T, options?: WriteOptions): Promise<T>;
  /** Runs something at the end of each such change, within its transaction. */
  beforeCommit(work: (tx: Tx) => void): void;
  /** Runs `work` while nothing is written, see `Writes`. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Why the disk refused the last write, if it did, see `Writes`; or why the next one would be refused: `LOCK_LOST`,
   * `NOT_THERE`, or `SQLITE_READONLY`, for example after a file system was remounted.
   */
  diskError(): string | undefined;
}

/**
 * Opens the SQLite file for reading and writing; its schema is left as it is, see `migrate`.
 * @param file a path, or `:memory:`.
 * @param contents the initial contents of a database in memory.
 * @param lock without which nothing is written; scripts that write beside the service have none.
 * @throws DatabaseError with one line when it can't be opened or another process holds it.
 */
export function openDatabase(
  file: string,
  { commitSize, contents, lock }: { commitSize?: number; contents?: Buffer; lock?: DatabaseLock } = {},
): OpenDatabase {
  const sqlite = openSqlite(file, contents);
  const statements = new Statements(sqlite);
  const ensureAllowed = () => lock?.ensureHeld();
  const writes = new Writes(sqlite, statements, { commitSize, ensureAllowed });
  return {
    sqlite,
    db: createReader(statements),
    write: (work, options) => writes.write(work, options),
    beforeCommit(work) {
      writes.beforeCommit = work;
    },
    async hold(work) {
      ensureAllowed();
      return writes.hold(work);
    },
    diskError: () => (isLost(lock) ? LOCK_LOST : (writes.diskError ?? refusalOf(file))),
    [Symbol.dispose]: () => sqlite.close(),
  };
}

function isLost(lock: DatabaseLock | undefined): boolean {
  try {
    lock?.ensureHeld();
    return false;
  } catch {
    return true;
  }
}

function refusalOf(file: string): string | undefined {
  if (file === ':memory:') return undefined;
  try {
    fs.accessSync(file, fs.constants.W_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? NOT_THERE : 'SQLITE_READONLY';
  }
}
