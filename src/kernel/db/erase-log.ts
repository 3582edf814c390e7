import fs from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { BUSY_TIMEOUT, realFile } from './connection.ts';

const CHUNK = Buffer.alloc(1024 * 1024);

/**
 * Moves everything from the write-ahead log into the database file, overwrites the log with zeros, and empties it.
 * It waits for nobody.
 * @param file the path of the database, or `:memory:`
 * @returns false while somebody reads what is in the log: then it holds what it held
 */
export function eraseLog(sqlite: Sqlite.Database, file: string): boolean {
  if (file === ':memory:') return true;
  sqlite.pragma('busy_timeout = 0');
  try {
    if (!checkpoint(sqlite, 'RESTART')) return false;
    // Everything is in the file, and nobody reads the log: the next writer begins it anew.
    overwrite(`${realFile(file)}-wal`);
    return checkpoint(sqlite, 'TRUNCATE');
  } finally {
    sqlite.pragma(`busy_timeout = ${BUSY_TIMEOUT}`);
  }
}

/** @returns whether it was done to the end */
function checkpoint(sqlite: Sqlite.Database, mode: 'RESTART' | 'TRUNCATE'): boolean {
  const [outcome] = sqlite.pragma(`wal_checkpoint(${mode})`) as { busy: number }[];
  return outcome?.busy === 0;
}

function overwrite(log: string): void {
  if (!fs.existsSync(log)) return;
  const descriptor = fs.openSync(log, 'r+');
  try {
    const { size } = fs.fstatSync(descriptor);
    for (let at = 0; at < size; at += CHUNK.length)
      fs.writeSync(descriptor, CHUNK, 0, Math.min(CHUNK.length, size - at), at);
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
