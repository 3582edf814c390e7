import { once } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError, type FieldError } from '#kernel/http/errors.ts';
import type { LockedFile } from './lock.ts';
import type { Tx } from './queries.ts';

/** A change that a thread can run: an exported function and its module. It must use nothing but the database. */
export interface ThreadWork<Head, Item, Result> {
  /** `import.meta.url` of the module. */
  url: string;
  name: string;
  work(tx: Tx, head: Head, items: readonly Item[]): Result;
}

/** The messages to the thread, in this order; see write-in-thread-worker.ts. */
export type ThreadMessage = { items: readonly unknown[] } | { head: unknown };

export type ThreadAnswer =
  | { result: unknown }
  | {
      refusal: {
        status: number;
        message: string;
        errors: FieldError[] | undefined;
        extra: AppError['extra'];
      };
    }
  | { error: Error; code: unknown };

/** Items that are sent in one turn of the event loop: copying them takes time. */
const SLICE = 250;

/**
 * Runs a change in one durable transaction, in a separate thread: for changes that would block the event loop too long.
 * Meanwhile reads return the previous data, and other writes wait.
 * @param hold runs something while this process writes nothing
 * @param turn waits for a turn of the event loop
 * @throws what `work` throws
 */
export async function writeInThread<Head, Item, Result>(
  {
    file,
    locked,
    hold,
    turn,
  }: {
    file: string;
    /** The file without whose lock nothing is written. */
    locked: LockedFile | undefined;
    hold: (work: () => Promise<ThreadAnswer>) => Promise<ThreadAnswer>;
    turn: () => Promise<void>;
  },
  { url, name }: ThreadWork<Head, Item, Result>,
  head: Head,
  items: readonly Item[],
): Promise<Result> {
  const worker = new Worker(path.join(import.meta.dirname, 'write-in-thread-worker.ts'), {
    workerData: { file, locked, url, name },
  });
  try {
    // The thread must be ready before writes are held up for it.
    await once(worker, 'message');
    for (let at = 0; at < items.length; at += SLICE) {
      worker.postMessage({ items: items.slice(at, at + SLICE) } satisfies ThreadMessage);
      await turn();
    }
    const answer = await hold(async () => {
      worker.postMessage({ head } satisfies ThreadMessage);
      const [said] = await once(worker, 'message');
      return said;
    });
    if ('result' in answer) return answer.result as Result;
    // A code is lost when an error is sent between threads.
    if ('error' in answer) throw Object.assign(answer.error, { code: answer.code });
    const { status, message, errors, extra } = answer.refusal;
    throw new AppError(status, message, { ...(errors && { errors }), ...(extra && { extra }) });
  } finally {
    await worker.terminate();
  }
}
