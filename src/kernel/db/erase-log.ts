import { HOUR } from '#kernel/clock.ts';
import { Thread } from '#kernel/thread.ts';
import { realFile } from './connection.ts';

/** The requests to the thread, see log-thread.ts. */
export type LogRequest = 'checkpoint' | 'erase' | 'rewrite';

type Ask = (request: LogRequest) => Promise<boolean>;

/** Rewriting takes some seconds for each gigabyte. */
const WITHIN = HOUR;

/**
 * Moves the contents of the write-ahead log into the database file, in a separate thread: SQLite itself does it when
 * the log is long, but then a commit waits for it.
 * @param file the path of the database, or `:memory:`
 */
export async function moveLog(file: string): Promise<void> {
  await inThread(file, (ask) => ask('checkpoint'));
}

/**
 * Moves everything from the write-ahead log into the database file, overwrites the log with zeros, and empties it. A
 * separate thread waits for the disk; writes are held up only while it overwrites.
 * @param file the path of the database, or `:memory:`
 * @param hold runs something while this process writes nothing
 * @returns false while another reader or writer uses the log: then it may not be erased
 */
export function eraseLog(
  file: string,
  hold: (work: () => Promise<boolean>) => Promise<boolean>,
): Promise<boolean> {
  return inThread(file, async (ask) => {
    // Most of the log is moved while others write.
    await ask('checkpoint');
    return hold(() => ask('erase'));
  });
}

/**
 * Rewrites the whole database file, and erases the log: SQLite leaves bytes of deleted text in its pages even with
 * `secure_delete`. Writes are held up meanwhile, some seconds for each gigabyte.
 * @param file the path of the database, or `:memory:`
 * @param hold runs something while this process writes nothing
 * @returns false while somebody else reads or writes; then nothing has changed, or only the log is not erased yet
 */
export function rewriteFile(
  file: string,
  hold: (work: () => Promise<boolean>) => Promise<boolean>,
): Promise<boolean> {
  return inThread(file, (ask) => hold(async () => (await ask('rewrite')) && ask('erase')));
}

async function inThread(file: string, work: (ask: Ask) => Promise<boolean>): Promise<boolean> {
  if (file === ':memory:') return true;
  const module = new URL('./log-thread.ts', import.meta.url);
  const thread = new Thread<boolean, LogRequest>(module, { workerData: realFile(file) });
  try {
    return await work((request) => thread.ask(request, WITHIN));
  } finally {
    await thread.end();
  }
}
