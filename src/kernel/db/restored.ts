import type Sqlite from 'better-sqlite3';
import { isoTime } from '#kernel/clock.ts';
import { recordAudit, SERVICE } from './audit.ts';
import type { OpenDatabase } from './database.ts';
import { build } from './queries.ts';

/** The setting in which a restore leaves word of itself for the next start. */
const NAME = 'restored';

/** A restore: the name of the copy, and when it was made and put back. */
export interface Restored {
  from: string;
  made_at: string;
  restored_at: string;
}

/** Leaves a mark in a copy that replaces the database. */
export function markRestored(copy: Sqlite.Database, mark: { from: string; made: number; at: number }): void {
  const value: Restored = { from: mark.from, made_at: isoTime(mark.made), restored_at: isoTime(mark.at) };
  copy
    .prepare('INSERT OR REPLACE INTO settings (name, value, set_at) VALUES (?, ?, ?)')
    .run(NAME, JSON.stringify(value), mark.at);
}

/** Records a restore in the audit log, once: the first start after it does. */
export async function recordRestored({ db, write }: OpenDatabase, now: number): Promise<void> {
  const mark = build.selectFrom('settings').select('value').where('name', '=', NAME);
  if (!db.first(mark)) return;
  await write((tx) => {
    const row = tx.first(mark);
    if (!row) return;
    const metadata: Restored = JSON.parse(row.value);
    recordAudit(tx, { ip: SERVICE, at: now }, { action: 'database.restored', metadata: { ...metadata } });
    tx.run(build.deleteFrom('settings').where('name', '=', NAME));
  });
}
