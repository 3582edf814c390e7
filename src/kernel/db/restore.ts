import fs from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { backupTime, copyDurably, erasePaperLinks, syncFile, verifyBackup } from './backup.ts';
import { migrate, openSqlite, realFile } from './connection.ts';
import { DatabaseError } from './database-error.ts';
import { keyFileOf } from './key-check.ts';
import { lockDatabase } from './lock.ts';
import { markRestored } from './restored.ts';

/** What SQLite stores in further files beside a database. */
const LOGS = ['-wal', '-shm'];

/**
 * Replaces the database with a backup. The previous database and its key are copied aside, not deleted. Until the last
 * step, which renames one file, the previous database is complete at its place: an error or a crash loses nothing.
 * The copy is without what ties papers to ballots, as every copy is.
 * @param tell gets a sentence if that could not be erased, because the previous database cannot be read
 * @returns the path of the previous database, if there was one
 * @throws DatabaseError while a server runs on it, when the backup is the database itself, is damaged, or was made by a
 *   newer version; then nothing has changed.
 */
export async function restore(
  backup: string,
  file: string,
  at: number,
  tell: (sentence: string) => void = () => undefined,
): Promise<string | undefined> {
  ensureOtherFile(backup, file);
  const lock = lockDatabase(file);
  try {
    return await replaceLocked(backup, file, { at, tell });
  } finally {
    lock.release();
  }
}

/** Restores while the lock of the database is held. */
async function replaceLocked(
  backup: string,
  file: string,
  { at, tell }: { at: number; tell: (sentence: string) => void },
): Promise<string | undefined> {
  const real = realFile(file);
  const fresh = `${real}.restoring`;
  try {
    await prepareCopy(backup, fresh, at);
    if (!fs.existsSync(real)) {
      replaceKey(keyBeside(backup), keyFileOf(file), () => replaceDatabase(fresh, real));
      return undefined;
    }
    const aside = copyAside(real, keyFileOf(file), `${real}.before-${at}`);
    try {
      eraseFromCopy(aside, tell);
      replaceKey(keyBeside(backup), keyFileOf(file), () => replaceDatabase(fresh, real, aside));
    } catch (error) {
      removeFiles(['.key', '', '.erased', ...LOGS].map((end) => aside + end));
      throw error;
    }
    return aside;
  } finally {
    removeFiles(['', ...LOGS].map((end) => fresh + end));
  }
}

/** @throws DatabaseError without a backup, or when both are one file, also by a symbolic or hard link */
function ensureOtherFile(backup: string, file: string): void {
  if (!fs.existsSync(backup)) throw new DatabaseError(`There is no backup at ${backup}`);
  const [from, to] = [backup, realFile(file)].map((one) =>
    fs.statSync(one, { throwIfNoEntry: false, bigint: true }),
  );
  if (from && to && from.dev === to.dev && from.ino === to.ino)
    throw new DatabaseError(`${backup} is the database itself, not a backup of it. Nothing was changed`);
}

/** Copies a backup, and upgrades the copy to this version. @throws DatabaseError when that is not possible */
async function prepareCopy(backup: string, fresh: string, at: number): Promise<void> {
  // With its log, if it was set aside by an earlier restore. SQLite must not open the backup itself: it may write
  // there.
  for (const end of ['', ...LOGS]) {
    if (fs.existsSync(backup + end)) copyDurably(backup + end, fresh + end);
    else removeFiles([fresh + end]);
  }
  verifyBackup(fresh, backup);
  const sqlite = openSqlite(fresh);
  try {
    await migrate(sqlite);
    markRestored(sqlite, { from: path.basename(backup), made: madeAt(backup), at });
  } catch (error) {
    throw new DatabaseError(`${backup} cannot be restored. ${(error as Error).message}`);
  } finally {
    sqlite.close();
  }
  syncFile(fresh);
}

/** When a backup was made: by its name, else by the time of its file. */
const madeAt = (backup: string): number => backupTime(backup) ?? Math.floor(fs.statSync(backup).mtimeMs);

/** Copies a database and its key to another name, with the newest writes, which may be in its log. */
function copyAside(file: string, key: string, aside: string): string {
  const copies = [
    [key, `${aside}.key`],
    ...(hasEmptiedLog(file) ? [] : LOGS.map((end) => [file + end, aside + end] as const)),
    [file, aside],
  ] as const;
  const written: string[] = [];
  try {
    for (const [from, to] of copies) {
      if (!fs.existsSync(from)) continue;
      copyDurably(from, to);
      written.push(to);
    }
  } catch (error) {
    removeFiles(written);
    throw error;
  }
  return aside;
}

/** A database that is damaged is kept as it is: whoever restores may need what can be read of it. */
function eraseFromCopy(aside: string, tell: (sentence: string) => void): void {
  try {
    erasePaperLinks(aside);
  } catch (error) {
    if (!DAMAGED.some((code) => code === (error as { code?: unknown }).code)) throw error;
    tell(
      `${aside} cannot be read, so it may still tell which paper became which ballot: delete it once you do not need it.`,
    );
  }
}

const DAMAGED = ['SQLITE_CORRUPT', 'SQLITE_NOTADB'];

/** Moves the log of a database into its file. @returns false if that fails, for example because it is damaged */
function hasEmptiedLog(file: string): boolean {
  try {
    const sqlite = new Sqlite(file, { timeout: 5_000 });
    try {
      const [{ busy }] = sqlite.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }];
      return busy === 0;
    } finally {
      sqlite.close();
    }
  } catch {
    return false;
  }
}

/** Moves the new database to its place; puts the log of the previous one back if that fails. */
function replaceDatabase(fresh: string, real: string, aside?: string): void {
  const logs = LOGS.filter((end) => aside !== undefined && fs.existsSync(aside + end));
  try {
    // The new database must not find the log of the previous one, which was copied or emptied.
    removeFiles(LOGS.map((end) => real + end));
    fs.renameSync(fresh, real);
  } catch (error) {
    for (const end of logs) copyDurably(aside + end, real + end);
    throw error;
  }
  syncFile(path.dirname(real));
}

/** The key that older versions put beside a backup, or that a restore put beside the database that it replaced. */
const keyBeside = (backup: string): string | undefined =>
  [`${backup}.key`, keyFileOf(backup)].find((file) => fs.statSync(file, { throwIfNoEntry: false })?.isFile());

/** Replaces the key before `work` and puts the previous one back if `work` fails. Without another key it stays. */
function replaceKey(from: string | undefined, key: string, work: () => void): void {
  if (from === undefined || (fs.existsSync(key) && fs.readFileSync(from).equals(fs.readFileSync(key)))) {
    work();
    return;
  }
  const previous = fs.existsSync(key) ? `${key}.previous` : undefined;
  if (previous !== undefined) copyDurably(key, previous);
  try {
    copyDurably(from, key);
    work();
  } catch (error) {
    if (previous === undefined) fs.rmSync(key, { force: true });
    else copyDurably(previous, key);
    throw error;
  } finally {
    if (previous !== undefined) fs.rmSync(previous, { force: true });
  }
}

function removeFiles(files: readonly string[]): void {
  for (const file of files) fs.rmSync(file, { force: true });
}
