// The thread that moves and erases the write-ahead log: see eraseLog.
import fs from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import type { LogRequest } from './erase-log.ts';

/** How long a reader of this process may need to finish. Those of others may stay for hours: nobody waits for them. */
const BUSY_TIMEOUT = 100;

const CHUNK = Buffer.alloc(1024 * 1024);
/** More than the header of the log. */
const HEAD = 4_096;

const file: string = workerData;
const sqlite = new Sqlite(file, { fileMustExist: true, timeout: BUSY_TIMEOUT });

parentPort?.on('message', (request: LogRequest) => {
  parentPort?.postMessage(WORK[request]());
});

const WORK: Record<LogRequest, () => boolean> = {
  checkpoint: () => checkpoint('PASSIVE'),
  erase,
  rewrite,
};

/** @returns false while somebody else writes */
function rewrite(): boolean {
  sqlite.pragma('temp_store = MEMORY');
  sqlite.pragma('secure_delete = ON');
  return unlessBusy('VACUUM');
}

function erase(): boolean {
  const before = dataVersion();
  if (!checkpoint('RESTART')) return false;
  // Everything is in the file and nobody reads the log: the next writer begins it anew. Nobody shall do so before it
  // is overwritten, in whatever process.
  if (!lock()) return false;
  try {
    if (dataVersion() !== before) return false;
    overwrite(`${file}-wal`);
  } finally {
    sqlite.exec('ROLLBACK');
  }
  return checkpoint('TRUNCATE');
}

/** @returns whether it was done to the end */
function checkpoint(mode: 'PASSIVE' | 'RESTART' | 'TRUNCATE'): boolean {
  const [outcome] = sqlite.pragma(`wal_checkpoint(${mode})`) as { busy: number }[];
  return outcome?.busy === 0;
}

const lock = (): boolean => unlessBusy('BEGIN IMMEDIATE');

/** @returns false where somebody else holds the database */
function unlessBusy(statement: string): boolean {
  try {
    sqlite.exec(statement);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return false;
    throw error;
  }
}

/** Another number once somebody else has written. */
const dataVersion = (): unknown => sqlite.pragma('data_version', { simple: true });

function overwrite(log: string): void {
  if (!fs.existsSync(log)) return;
  const descriptor = fs.openSync(log, 'r+');
  try {
    const { size } = fs.fstatSync(descriptor);
    // First the header alone: after a power cut a log that begins as before and ends in zeros would be taken for an
    // older one, and put older pages back into the file.
    fill(descriptor, 0, Math.min(HEAD, size));
    fs.fsyncSync(descriptor);
    for (let at = HEAD; at < size; at += CHUNK.length)
      fill(descriptor, at, Math.min(CHUNK.length, size - at));
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

function fill(descriptor: number, at: number, length: number): void {
  fs.writeSync(descriptor, CHUNK, 0, length, at);
}
