import fs from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { verifyAudit } from './audit.ts';
import { keepPrivate } from './connection.ts';
import { DatabaseError, ensureExists } from './database-error.ts';
import { keyFileOf } from './key-check.ts';
import { createReader, Statements } from './queries.ts';

/** Names of backups sort by time: `publichouse-2026-11-21T17-00-00Z.db`. */
const NAME = /^publichouse-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z\.db$/;

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

  for (const old of listBackups(folder).slice(keep)) {
    fs.rmSync(old, { force: true });
    // Older versions put the key beside it.
    fs.rmSync(keyFileOf(old), { force: true });
  }
  return target;
}

function copyWithoutLinks(file: string, to: string): void {
  copyRows(file, to);
  if (!eraseLinks(to)) return;
  // SQLite leaves bytes of erased text in its pages; a new copy, made from the rows, has none.
  const erased = `${to}.erased`;
  fs.renameSync(to, erased);
  try {
    copyRows(erased, to);
  } finally {
    fs.rmSync(erased, { force: true });
  }
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

/** Erases everything that grants access, or did: an ended session must not be valid again after a restore. */
const ERASED = {
  invites: 'UPDATE invites SET token_plaintext = NULL WHERE token_plaintext IS NOT NULL',
  sign_ins: 'DELETE FROM sign_ins',
  sessions: 'DELETE FROM sessions',
  passkey_challenges: 'DELETE FROM passkey_challenges',
  oidc_flows: 'DELETE FROM oidc_flows',
  settings: 'DELETE FROM settings WHERE sealed = 1',
};

/** Runs the statements of `ERASED` on a copy. @returns whether they changed anything */
function eraseLinks(copy: string): boolean {
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
    for (const [table, statement] of Object.entries(ERASED))
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

/** The backups in a folder, newest first. */
export function listBackups(folder: string): string[] {
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  return names
    .filter((name) => NAME.test(name))
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
    throw new DatabaseError(`${name} is no sound copy of the database: ${(error as Error).message}`);
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
