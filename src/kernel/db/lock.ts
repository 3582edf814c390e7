import fs from 'node:fs';
import Sqlite from 'better-sqlite3';
import type { Logger } from 'pino';
import { keepPrivate, realFile } from './connection.ts';
import { DatabaseError, DatabaseInUse, LockLost } from './database-error.ts';

/** How often a process without writes looks whether it still has its lock, so that it says within a second if not. */
const LOOK_EVERY_MS = 500;

/** The file that a process has locked. A plain object, which can be sent to a thread. */
export interface LockedFile {
  path: string;
  dev: bigint;
  ino: bigint;
}

/** The exclusive lock of the process that serves a database. */
export interface DatabaseLock {
  /** Undefined for a database in memory, which needs no lock. */
  readonly file: LockedFile | undefined;
  /**
   * @throws LockLost once the locked file was found deleted, moved or replaced: another process can lock the new one
   *   and serve. That stays so when the file is put back, because the other may have written meanwhile.
   */
  ensureHeld(): void;
  release(): void;
}

/**
 * Takes the exclusive lock of the process that serves this database: a lock on a small file beside the real database
 * file (symbolic links are resolved). The system releases it when the process ends, however it ends. The database need
 * not exist yet, and may be replaced while the lock is held.
 * @throws DatabaseError when another process holds it, or when the database has further names (hard links).
 */
export function lockDatabase(file: string): DatabaseLock {
  if (file === ':memory:') return { file: undefined, ensureHeld() {}, release() {} };
  const inUse = () => new DatabaseInUse(`DATABASE_URL: another process already serves ${file}`);
  const { lock, locked } = openLock(file);
  try {
    lock.exec('BEGIN EXCLUSIVE');
    // Replaced since it was opened: what is locked is not the file that others will try.
    if (isGone(locked)) throw inUse();
    ensureOnlyName(file);
  } catch (error) {
    lock.close();
    throw error instanceof DatabaseError ? error : inUse();
  }
  return { file: locked, ensureHeld: heldCheck(locked), release: () => void lock.close() };
}

/** @returns a check of the file that this process has locked, see `DatabaseLock.ensureHeld` */
export function heldCheck(locked: LockedFile): () => void {
  let lost = false;
  return () => {
    lost ||= isGone(locked);
    if (lost) throw new LockLost(locked.path);
  };
}

/** Logs once when the lock is lost, also while nothing is written. @returns a function that ends the watch */
export function watchLock(lock: DatabaseLock, log: Logger): () => void {
  if (!lock.file) return () => {};
  const timer = setInterval(() => {
    try {
      lock.ensureHeld();
    } catch (error) {
      log.error((error as Error).message);
      clearInterval(timer);
    }
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function openLock(file: string): { lock: Sqlite.Database; locked: LockedFile } {
  try {
    const name = `${realFile(file)}.lock`;
    keepPrivate(name, { create: true });
    const { dev, ino } = fs.statSync(name, { bigint: true });
    return { lock: new Sqlite(name, { timeout: 0 }), locked: { path: name, dev, ino } };
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseError(`DATABASE_URL: cannot open ${file}: ${reason}`);
  }
}

function isGone({ path, dev, ino }: LockedFile): boolean {
  try {
    const found = fs.statSync(path, { bigint: true, throwIfNoEntry: false });
    return found?.dev !== dev || found.ino !== ino;
  } catch {
    // A folder that cannot be read at the moment says nothing about the file.
    return false;
  }
}

// A hard link may be in any folder, with its own lock and log beside it: two processes would not detect each other,
// and the contents of the log of a killed process would be lost to the next one.
function ensureOnlyName(file: string): void {
  const names = fs.statSync(file, { throwIfNoEntry: false })?.nlink ?? 1;
  if (names > 1)
    throw new DatabaseError(
      `DATABASE_URL: ${file} has ${names} names (hard links), and another process may serve it under one of them. Keep one`,
    );
}
