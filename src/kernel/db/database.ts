import fs from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { openSqlite } from './connection.ts';
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
  /** Runs `work` while nothing is written, see `Writes`. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Why the disk refused the last write, if it did, see `Writes`; or why it would refuse the next one: `NOT_THERE`, or
   * `SQLITE_READONLY`, for example after a file system was remounted.
   */
  diskError(): string | undefined;
}

/**
 * Opens the SQLite file for reading and writing; its schema is left as it is, see `migrate`.
 * @param file a path, or `:memory:`.
 * @param contents the initial contents of a database in memory.
 * @throws DatabaseError with one line when it can't be opened or another process holds it.
 */
export function openDatabase(file: string, commitSize?: number, contents?: Buffer): OpenDatabase {
  const sqlite = openSqlite(file, contents);
  const statements = new Statements(sqlite);
  const writes = new Writes(sqlite, statements, commitSize);
  return {
    sqlite,
    db: createReader(statements),
    write: (work, options) => writes.write(work, options),
    hold: (work) => writes.hold(work),
    diskError: () => writes.diskError ?? refusalOf(file),
    [Symbol.dispose]: () => sqlite.close(),
  };
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
