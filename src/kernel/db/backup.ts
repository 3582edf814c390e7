import fs from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { HOUR } from '#kernel/clock.ts';
import type { Words } from '#kernel/language/words.ts';
import { verifyAudit } from './audit.ts';
import { keepPrivate } from './connection.ts';
import { DatabaseError, ensureExists } from './database-error.ts';
import { keyFileOf } from './key-check.ts';
import { createReader, Statements } from './queries.ts';

/** Names of backups sort by time: `publichouse-2026-11-21T17-00-00Z.db`. */
const NAME = /^publichouse-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})Z\.db$/;
/** The names of a backup while it is made. */
const UNFINISHED = /^publichouse-[\dTZ-]+\.db\.unfinished(\.erased)?(-journal)?$/;

/** What the service knows of its own backups; those that were made are in their folder. */
export interface BackupState {
  /** Settles when the backup that is being made is ready or has failed. */
  running: Promise<void> | undefined;
  /** Why the last one could not be made, and how many in a row could not; undefined after one that was. */
  failure: { at: number; error: Words; inARow: number } | undefined;
  /** The close of voting that a backup waits for; undefined if none waits. */
  waitsUntil: number | undefined;
}

/**
 * Copies a snapshot of the database, to which a server may be writing, into `folder`: first under another name, then
 * verified, then renamed, so that any file with a backup's name is complete. Keeps the newest `keep` backups. The copy
 * is written row by row in the order of its keys, so it does not show the order in which ballots arrived. It contains
 * no sealed links and no key, so nobody can vote with a backup that they find.
 * @returns the path of the backup. @throws DatabaseError when the database is missing or the copy is damaged.
 */
export async function backUp(
  file: string,
  { folder, keep, at }: { folder: string; keep: number; at: number },
): Promise<string> {
  ensureExists(file);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeUnfinished(folder, at);
  ensureRoom(file, folder);
  const stamp = Temporal.Instant.fromEpochMilliseconds(at).toString({ smallestUnit: 'second' });
  const target = path.join(folder, `publichouse-${stamp.replaceAll(':', '-')}.db`);
  const unfinished = `${target}.unfinished`;
  try {
    copyWithoutLinks(file, unfinished);
    verifyBackup(unfinished);
    syncFile(unfinished);
    fs.renameSync(unfinished, target);
  } catch (error) {
    fs.rmSync(unfinished, { force: true });
    throw error;
  }
  syncFile(folder);

  // The new one stays, also if a wrong clock makes it the oldest: it is the one that was just checked.
  const others = listBackups(folder).filter((one) => one !== target);
  for (const old of others.slice(keep - 1)) {
    fs.rmSync(old, { force: true });
    // Older versions put the key beside it.
    fs.rmSync(keyFileOf(old), { force: true });
  }
  return target;
}

/** What an interrupted backup left is deleted after this time. Until then another process may be writing it. */
const LEFT_AFTER = HOUR;

function removeUnfinished(folder: string, now: number): void {
  for (const name of fs.readdirSync(folder)) {
    if (!UNFINISHED.test(name)) continue;
    const file = path.join(folder, name);
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (stat && now - stat.mtimeMs > LEFT_AFTER) fs.rmSync(file, { force: true });
  }
}

/** Room that stays free on the disk beside a backup. */
const SPARE = 32 * 1024 * 1024;

/**
 * Refuses to begin a copy that would fill the disk: while it is full, ballots could not be saved. A copy is written
 * twice where links are erased in it.
 */
function ensureRoom(file: string, folder: string): void {
  const sizeOf = (one: string) => fs.statSync(one, { throwIfNoEntry: false })?.size ?? 0;
  const needed = 2 * (sizeOf(file) + sizeOf(`${file}-wal`)) + SPARE;
  const { bavail, bsize } = fs.statfsSync(folder);
  if (bavail * bsize >= needed) return;
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`;
  throw new DatabaseError(
    `The disk of ${folder} has too little room for a backup: ${megabytes(bavail * bsize)} are free, ${megabytes(needed)} are needed`,
  );
}

function copyWithoutLinks(file: string, to: string): void {
  copyRows(file, to);
  if (eraseLinks(to, Object.entries(ERASED))) rewriteRows(to);
}

/**
 * Erases what ties papers to ballots from a copy of a database that keeps everything else.
 * @throws if it cannot be read or written; then it is as it was, or without those
 */
export function erasePaperLinks(copy: string): void {
  if (eraseLinks(copy, [['paper_entries', ERASED.paper_entries]])) rewriteRows(copy);
}

/** SQLite leaves bytes of erased text in its pages; a new copy, made from the rows, has none. */
function rewriteRows(copy: string): void {
  const erased = `${copy}.erased`;
  fs.renameSync(copy, erased);
  try {
    copyRows(erased, copy);
  } catch (error) {
    fs.renameSync(erased, copy);
    throw error;
  }
  fs.rmSync(erased, { force: true });
}

function copyRows(file: string, to: string): void {
  fs.rmSync(to, { force: true });
  // Before the first byte is written.
  keepPrivate(to, { create: true });
  const sqlite = new Sqlite(file, { readonly: true, timeout: 5_000 });
  try {
    sqlite.prepare('VACUUM INTO ?').run(to);
  } finally {
    sqlite.close();
  }
}

/** Erases what ties papers to ballots, and everything that grants access, or did: an ended session must not be valid again after a restore. */
const ERASED = {
  // What ties papers to ballots: a copy would keep it after the announcement.
  paper_entries: 'UPDATE paper_entries SET ballot_id = NULL WHERE ballot_id IS NOT NULL',
  invites: 'UPDATE invites SET token_plaintext = NULL WHERE token_plaintext IS NOT NULL',
  sign_ins: 'DELETE FROM sign_ins',
  sessions: 'DELETE FROM sessions',
  passkey_challenges: 'DELETE FROM passkey_challenges',
  oidc_flows: 'DELETE FROM oidc_flows',
  settings: 'DELETE FROM settings WHERE sealed = 1',
  once_answers: 'DELETE FROM once_answers',
};

/** Runs statements on a copy, each if its table is there. @returns whether they changed anything */
function eraseLinks(
  copy: string,
  statements: readonly (readonly [table: string, statement: string])[],
): boolean {
  const sqlite = new Sqlite(copy);
  try {
    // A journal on the disk would contain the links again.
    sqlite.pragma('journal_mode = MEMORY');
    sqlite.pragma('secure_delete = ON');
    const known = sqlite
      .prepare("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?")
      .pluck();
    let erased = 0;
    // A database of an earlier version may lack some of these tables.
    for (const [table, statement] of statements)
      if (known.get(table) === 1) erased += sqlite.prepare(statement).run().changes;
    return erased > 0;
  } finally {
    sqlite.close();
  }
}

/**
 * Checks that the key file of a database can be copied to another path. The same key may already be there.
 * @param folder of the backups, in which the key is refused: it would be lost with them
 * @throws DatabaseError without a key file, or when something else is at `to`
 */
export function ensureKeyPlace(file: string, to: string, folder: string): void {
  const from = keyFileOf(file);
  if (!fs.existsSync(from))
    throw new DatabaseError(
      `--key: there is no key file at ${from}; with SECRET_KEY the key is in the settings`,
    );
  const inFolder = path.relative(path.resolve(folder), path.resolve(to));
  if (inFolder.split(path.sep)[0] !== '..' && !path.isAbsolute(inFolder))
    throw new DatabaseError(`--key: ${to} is in the folder of the backups; name another place`);
  const there = fs.statSync(to, { throwIfNoEntry: false });
  if (there && !there.isFile()) throw new DatabaseError(`--key: ${to} is not a file; name the file to write`);
  if (there && !fs.readFileSync(to).equals(fs.readFileSync(from)))
    throw new DatabaseError(`--key: ${to} already exists and holds something else`);
}

/**
 * Copies the key file of a database to another path, readable only by its owner. Creates the folder if it is missing.
 * @throws DatabaseError as `ensureKeyPlace` does, or when it cannot be written
 */
export function copyKey(file: string, to: string, folder: string): void {
  ensureKeyPlace(file, to, folder);
  try {
    fs.mkdirSync(path.dirname(path.resolve(to)), { recursive: true, mode: 0o700 });
    if (fs.existsSync(to)) fs.chmodSync(to, 0o600);
    else copyDurably(keyFileOf(file), to);
  } catch (error) {
    throw new DatabaseError(`--key: the key could not be written to ${to}: ${(error as Error).message}`);
  }
}

/** Whether a name is that of a backup, without any folder. */
const isBackupName = (name: string): boolean => NAME.test(name);

/** When a backup was made, by its name; undefined if it has another name. */
export function backupTime(file: string): number | undefined {
  const [, day, hour, minute, second] = NAME.exec(path.basename(file)) ?? [];
  if (day === undefined) return undefined;
  const at = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(at) ? undefined : at;
}

/** Whether a file of SQLite has the length that it names in its own header. */
export function isWhole(file: string): boolean {
  const header = Buffer.alloc(100);
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(file, 'r');
    if (fs.readSync(descriptor, header) < header.length) return false;
    const named = header.readUInt16BE(16);
    // https://www.sqlite.org/fileformat.html, 1.3: 1 stands for the largest size of a page.
    const pageSize = named === 1 ? 65_536 : named;
    const pages = header.readUInt32BE(28);
    return (
      header.toString('latin1', 0, 15) === 'SQLite format 3' &&
      fs.fstatSync(descriptor).size === pages * pageSize
    );
  } catch {
    return false;
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

/** The backups in a folder, newest first. */
export function listBackups(folder: string): string[] {
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  return names
    .filter(isBackupName)
    .sort()
    .reverse()
    .map((name) => path.join(folder, name));
}

/**
 * Verifies a whole copy: its pages, its foreign keys, its audit chain.
 * @param name the file that messages name. @throws DatabaseError with one line
 */
export function verifyBackup(file: string, name = file): void {
  const sqlite = new Sqlite(file, { readonly: true });
  try {
    const integrity = sqlite.pragma('integrity_check(1)', { simple: true });
    if (integrity !== 'ok') throw new DatabaseError(`${name} is damaged: ${integrity}`);
    if ((sqlite.pragma('foreign_key_check') as unknown[]).length > 0)
      throw new DatabaseError(`${name} is damaged: it refers to rows that are not there`);
    const { broken } = verifyAudit(createReader(new Statements(sqlite)));
    if (broken) throw new DatabaseError(`${name}: the audit log is broken at entry ${broken.seq}`);
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseError(`${name} is not a sound copy of the database: ${(error as Error).message}`);
  } finally {
    sqlite.close();
  }
}

/** Copies a file, readable only by its owner. What was at `to` is replaced once the copy is complete and on disk. */
export function copyDurably(from: string, to: string): void {
  const unfinished = `${to}.unfinished`;
  try {
    fs.rmSync(unfinished, { force: true });
    fs.copyFileSync(from, unfinished, fs.constants.COPYFILE_FICLONE);
    fs.chmodSync(unfinished, 0o600);
    syncFile(unfinished);
    fs.renameSync(unfinished, to);
  } catch (error) {
    fs.rmSync(unfinished, { force: true });
    throw error;
  }
  syncFile(path.dirname(path.resolve(to)));
}

/** Writes a file or the entries of a folder to the disk. */
export function syncFile(file: string): void {
  const descriptor = fs.openSync(file, 'r');
  fs.fsyncSync(descriptor);
  fs.closeSync(descriptor);
}
