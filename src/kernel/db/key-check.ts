import fs from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { DAY } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import { deriveKey } from '#kernel/secrets.ts';
import { build, type Reader } from './queries.ts';

/** The key with which a database was last opened, and the one before it. Times are milliseconds. */
interface KeyRecord {
  fingerprint: string;
  /** `unknown` if an earlier version did not record it. */
  before?: string;
  changed_at?: number;
}

const NAME = 'key';
const TOLD_FOR = 30 * DAY;

/** What cannot be opened with another key, and what to do. */
const LOST =
  'Links in mails of the calendar, addresses of calendars that are read, and voting links that are to ' +
  'be sent again do not open with this key';
const PUT_BACK = 'Stop the service, put the earlier key back, and start it again.';

const keyRow = build.selectFrom('settings').select('value').where('name', '=', NAME).compile();

/** Identifies a key without revealing it: 256 bits of HKDF. */
const fingerprintOf = (secretKey: string): string =>
  deriveKey(secretKey, 'fingerprint').toString('base64url');

/** The key file of a database. */
export const keyFileOf = (file: string): string =>
  path.join(path.dirname(path.resolve(file)), `${path.parse(file).name}.key`);

/**
 * Records the key that a database is opened with.
 * @param isNew whether the key was made just now
 * @returns a warning if it is not the previous key, which may have been lost
 */
export function recordKey(
  sqlite: Sqlite.Database,
  { secretKey, isNew }: { secretKey: string; isNew: boolean },
  now: number,
): string | undefined {
  const fingerprint = fingerprintOf(secretKey);
  const known = readRecord(sqlite);
  if (known?.fingerprint === fingerprint) return undefined;
  const before = known?.fingerprint ?? (isNew && needsKey(sqlite) ? 'unknown' : undefined);
  // The earlier key was put back: nothing is lost.
  const isBack = known?.before === fingerprint;
  const changed = before !== undefined && !isBack ? { before, changed_at: now } : {};
  sqlite
    .prepare('INSERT OR REPLACE INTO settings (name, value, set_at) VALUES (?, ?, ?)')
    .run(NAME, JSON.stringify({ fingerprint, ...changed } satisfies KeyRecord), now);
  return 'before' in changed
    ? `The key is not the one with which this database was used. ${LOST}. ${PUT_BACK}`
    : undefined;
}

/** Whether the key was changed in the last thirty days, and when; see `recordKey`. */
export function findKeyChange(reader: Reader, now: number): { at: number } | undefined {
  const row = reader.first(keyRow);
  const { changed_at: at } = row ? (JSON.parse(row.value) as KeyRecord) : {};
  return at === undefined || now - at > TOLD_FOR ? undefined : { at };
}

/** The warning after a restore if the database has no key beside it, or another one. */
export function keyWarning(file: string, { SECRET_KEY }: Pick<Config, 'SECRET_KEY'>): string | undefined {
  const keyFile = keyFileOf(file);
  if (SECRET_KEY === undefined && !fs.existsSync(keyFile))
    return `There is no key file at ${keyFile}. Put the copy of the key there before you start: a start without it makes a new one. ${LOST.replace('this key', 'a new one')}.`;
  const sqlite = new Sqlite(file, { readonly: true });
  try {
    const known = readRecord(sqlite);
    const key = SECRET_KEY ?? fs.readFileSync(keyFile, 'utf8').trim();
    if (!known || known.fingerprint === fingerprintOf(key)) return undefined;
    return `${SECRET_KEY === undefined ? `The key file ${keyFile}` : 'SECRET_KEY'} is not the key of this database. ${LOST}. Put the right one there before you start.`;
  } finally {
    sqlite.close();
  }
}

function readRecord(sqlite: Sqlite.Database): KeyRecord | undefined {
  const isThere = sqlite.prepare("SELECT 1 FROM sqlite_master WHERE name = 'settings'").get();
  const value = isThere && sqlite.prepare('SELECT value FROM settings WHERE name = ?').pluck().get(NAME);
  return value === undefined ? undefined : (JSON.parse(value as string) as KeyRecord);
}

/** Whether a database of a version that recorded no key contains data that needs one. */
const needsKey = (sqlite: Sqlite.Database): boolean =>
  sqlite
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM subscribers) OR EXISTS (SELECT 1 FROM ical_sources)
         OR EXISTS (SELECT 1 FROM invites WHERE token_plaintext IS NOT NULL)`,
    )
    .pluck()
    .get() === 1;
