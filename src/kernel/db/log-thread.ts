// The thread that moves and erases the write-ahead log: see eraseLog.
import fs from 'node:fs';
import { workerData } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import { onRequest, say } from '#kernel/thread-side.ts';
import type { LogRequest } from './erase-log.ts';

/** How long to wait for a reader of this process. Those of other processes may take hours: they are not waited for. */
const BUSY_TIMEOUT = 100;

const CHUNK = Buffer.alloc(1024 * 1024);
/** More than the header of the log. */
const HEAD = 4_096;

const file: string = workerData;
const sqlite = new Sqlite(file, { fileMustExist: true, timeout: BUSY_TIMEOUT });

onRequest((request: LogRequest) => say(WORK[request]()));

const WORK: Record<LogRequest, () => boolean> = {
  checkpoint: () => checkpoint('PASSIVE'),
  erase,
  rewrite,
};

/** @returns false while another connection writes */
function rewrite(): boolean {
  sqlite.pragma('temp_store = MEMORY');
  sqlite.pragma('secure_delete = ON');
  return unlessBusy('VACUUM');
}

function erase(): boolean {
  const before = dataVersion();
  if (!checkpoint('RESTART')) return false;
  // Everything is in the file and nobody reads the log: the next writer would start it again. The lock prevents that in
  // every process until the log is overwritten.
  if (!lock()) return false;
  try {
    if (dataVersion() !== before) return false;
    overwrite(`${file}-wal`);
  } finally {
    sqlite.exec('ROLLBACK');
  }
  return checkpoint('TRUNCATE');
}

/** @returns whether it was completed */
function checkpoint(mode: 'PASSIVE' | 'RESTART' | 'TRUNCATE'): boolean {
  const [outcome] = sqlite.pragma(`wal_checkpoint(${mode})`) as { busy: number }[];
  return outcome?.busy === 0;
}

const lock = (): boolean => unlessBusy('BEGIN IMMEDIATE');

/** @returns false while another connection holds the database */
function unlessBusy(statement: string): boolean {
  try {
    sqlite.exec(statement);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return false;
    throw error;
  }
}

/** A number that changes when another connection has written. */
const dataVersion = (): unknown => sqlite.pragma('data_version', { simple: true });

function overwrite(log: string): void {
  if (!fs.existsSync(log)) return;
  const descriptor = fs.openSync(log, 'r+');
  try {
    const { size } = fs.fstatSync(descriptor);
    // First only the header: after a power cut a log with the old header and zeros at the end would be taken for an
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
