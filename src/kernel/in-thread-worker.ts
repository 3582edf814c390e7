// The thread that runs long work: see runInThread.
import { workerData } from 'node:worker_threads';
import { databaseBusy } from '#kernel/http/database-busy.ts';
import { AppError } from '#kernel/http/errors.ts';
import { openSqlite } from './db/connection.ts';
import { heldCheck } from './db/lock.ts';
import { createReader, Statements } from './db/queries.ts';
import { isBusyError, Writes } from './db/writes.ts';
import type { ThreadDatabase, ThreadMessage, ThreadOutcome, ThreadStart, ThreadWork } from './in-thread.ts';
import { setClubReader } from './locale.ts';
import { jsonParams, type Message } from './messages/messages.ts';
import { nextRequest, say } from './thread-side.ts';

const { file, locked, url, name, input, club, clubLocale } = workerData as ThreadStart;
setClubReader(club, clubLocale);
const work: ThreadWork<unknown, unknown>['work'] = (await import(url))[name];
const sqlite = openSqlite(file);
const statements = new Statements(sqlite);
const reader = createReader(statements);
const writes = new Writes(sqlite, statements, locked && { ensureAllowed: heldCheck(locked) });

const database: ThreadDatabase = {
  read: (work) => sqlite.transaction(() => work(reader))(),
  async write(change) {
    const held = nextRequest<'held'>();
    say<ThreadMessage>('write');
    await held;
    try {
      return await writes.write(change);
    } finally {
      say<ThreadMessage>('written');
    }
  },
};

say<ThreadMessage>(await run());

/** A message without words that wait for a reader, which cannot be sent to another thread. */
function asData<One extends Message>(one: One): One {
  return { ...one, params: jsonParams(one) };
}

async function run(): Promise<ThreadOutcome> {
  try {
    return { result: await work(database, input) };
  } catch (thrown) {
    const error = isBusyError(thrown) ? databaseBusy() : thrown;
    if (!(error instanceof AppError))
      return { error: error as Error, code: (error as { code?: unknown }).code };
    const { statusCode: status, code, params, errors, extra } = error;
    const said = asData({ code, params });
    return { refusal: { status, said, errors: errors?.map(asData), extra } };
  } finally {
    sqlite.close();
  }
}
