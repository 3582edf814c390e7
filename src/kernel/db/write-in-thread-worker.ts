// The thread that runs one long transaction: see writeInThread.
import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '#kernel/http/errors.ts';
import { openSqlite } from './connection.ts';
import { heldCheck, type LockedFile } from './lock.ts';
import { Statements } from './queries.ts';
import type { ThreadAnswer, ThreadMessage, ThreadWork } from './write-in-thread.ts';
import { databaseBusy, isBusyError, Writes } from './writes.ts';

const { file, locked, url, name } = workerData as {
  file: string;
  locked: LockedFile | undefined;
  url: string;
  name: string;
};
const work: ThreadWork<unknown, unknown, unknown>['work'] = (await import(url))[name];
const sqlite = openSqlite(file);
const writes = new Writes(sqlite, new Statements(sqlite), locked && { ensureAllowed: heldCheck(locked) });
const items: unknown[] = [];

parentPort?.on('message', async (message: ThreadMessage) => {
  if ('items' in message) items.push(...message.items);
  else parentPort?.postMessage(await run(message.head));
});
parentPort?.postMessage('ready');

async function run(head: unknown): Promise<ThreadAnswer> {
  try {
    return { result: await writes.write((tx) => work(tx, head, items)) };
  } catch (thrown) {
    const error = isBusyError(thrown) ? databaseBusy() : thrown;
    if (!(error instanceof AppError))
      return { error: error as Error, code: (error as { code?: unknown }).code };
    const { statusCode: status, message, errors, extra } = error;
    return { refusal: { status, message, errors, extra } };
  } finally {
    sqlite.close();
  }
}
