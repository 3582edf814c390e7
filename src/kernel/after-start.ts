import fs from 'node:fs/promises';
import { flushCompileCache, getCompileCacheDir } from 'node:module';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DAY, dateOf, SECOND, systemClock } from './clock.ts';

/** What was compiled and is not read for this long belongs to versions that do not start any more. */
const UNREAD = 30 * DAY;
/** The service is idle when it worked for less than this share of this time. */
const IDLE = { share: 0.05, of: 20 * SECOND };

/**
 * Gives back what only the start needed: disk and memory. Returns at once; the memory follows when the service is idle.
 */
export function releaseAfterStart(): void {
  // Stores the compiled code of the modules for the next start, and frees it: otherwise it is kept until the end. After
  // an upgrade this takes half a second, so it is done before the first requests.
  flushCompileCache();
  // A folder that cannot be read or changed stays as it is.
  pruneCompiled(getCompileCacheDir()).catch(() => {});
  releaseWhenIdle();
}

/**
 * Deletes what was compiled by earlier versions, of this Node and of others: Node never does. A file that this start
 * read has a new time of access; where the file system keeps none, files are compiled anew every `UNREAD`.
 * @param folder that of this Node, beside those of others
 */
export async function pruneCompiled(folder: string | undefined): Promise<void> {
  if (folder === undefined) return;
  const before = dateOf(systemClock() - UNREAD);
  const all = path.dirname(folder);
  for (const name of await fs.readdir(all)) {
    // The operator may have named a folder that holds more.
    if (!/^v\d+\.\d+\.\d+-\w+-[0-9a-f]{8}(-\d+)?$/.test(name)) continue;
    for (const entry of await fs.readdir(path.join(all, name), { withFileTypes: true })) {
      const file = path.join(all, name, entry.name);
      const isOurs = entry.isFile() && /^[0-9a-f]{8}$/.test(entry.name);
      if (isOurs && (await fs.stat(file)).atime < before) await fs.rm(file, { force: true });
    }
  }
}

/** Releases the memory of the start once the service is idle. */
function releaseWhenIdle(): void {
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    if (performance.eventLoopUtilization(now, before).utilization > IDLE.share) {
      before = now;
      return;
    }
    clearInterval(timer);
    releaseMemory();
  }, IDLE.of).unref();
}

/** Takes about a tenth of a second. */
export function releaseMemory(): void {
  collectGarbage();
  trimAllocations();
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  collect();
}

/** Lets the C library of Linux return what it keeps free: about 20 MB, in a few milliseconds. Others have no such call. */
function trimAllocations(): void {
  const { emitWarning } = process;
  try {
    // Node warns that its foreign function interface is experimental, which tells an operator nothing.
    process.emitWarning = () => {};
    const { dlopen } = process.getBuiltinModule('node:ffi');
    dlopen('libc.so.6', { malloc_trim: { arguments: ['u64'], return: 'i32' } }).functions.malloc_trim(0n);
  } catch {
    // Another system, another C library, or a Node without this interface.
  } finally {
    process.emitWarning = emitWarning;
  }
}
