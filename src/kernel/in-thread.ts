import { MINUTE, SECOND } from '#kernel/clock.ts';
import { AppError } from '#kernel/http/errors.ts';
import type { Message } from '#kernel/messages/messages.ts';
import type { LockedFile } from './db/lock.ts';
import type { Reader, Tx } from './db/queries.ts';
import type { Reader as TextReader } from './language/words.ts';
import { clubLocale, clubReader } from './locale.ts';
import { Thread, ThreadEnded } from './thread.ts';

/** The database as long work sees it. */
export interface ThreadDatabase {
  /** Reads one state of the database, whatever is written meanwhile. */
  read<T>(work: (reader: Reader) => T): T;
  /** Runs a change in a durable transaction, see `Writes`. */
  write<T>(work: (tx: Tx) => T): Promise<T>;
}

/**
 * Work that a thread can run: an exported function and its module. It must use nothing but the database and its
 * input.
 */
export interface ThreadWork<Input, Result> {
  /** `import.meta.url` of the module. */
  url: string;
  name: string;
  /** Milliseconds after which it is ended, unless it writes by then. */
  limit: number;
  /** It is refused while work with the same word runs. */
  alone?: string;
  work(database: ThreadDatabase, input: Input): Promise<Result>;
}

export type ThreadOutcome =
  | { result: unknown }
  | {
      refusal: {
        status: number;
        said: Message;
        errors: AppError['errors'];
        extra: AppError['extra'];
      };
    }
  | { error: Error; code: unknown };

/** What the thread says: that it wants to write, that it has written, and how it ended; see in-thread-worker.ts. */
export type ThreadMessage = 'write' | 'written' | ThreadOutcome;

/** What the thread starts with. */
export interface ThreadStart {
  file: string;
  /** The file without whose lock nothing is written. */
  locked: LockedFile | undefined;
  url: string;
  name: string;
  input: unknown;
  /** The reader of what the club shows, who is known to this process alone. */
  club: TextReader;
  clubLocale: string;
}

const WRITES_WITHIN = 10 * MINUTE;

/**
 * Runs work in a separate thread that would block the event loop too long. Other writes wait while it writes; reads
 * return the previous data.
 * @param hold runs something while this process writes nothing
 * @param signal ends it, unless it writes by then
 * @throws what `work` throws; 503 after its limit; ThreadEnded by the signal
 */
export async function runInThread<Input, Result>(
  { file, locked }: Pick<ThreadStart, 'file' | 'locked'>,
  hold: (work: () => Promise<void>) => Promise<void>,
  { url, name, limit }: ThreadWork<Input, Result>,
  input: Input,
  signal?: AbortSignal,
): Promise<Result> {
  const start: ThreadStart = { file, locked, url, name, input, club: clubReader(), clubLocale: clubLocale() };
  const module = new URL('./in-thread-worker.ts', import.meta.url);
  const thread = new Thread<ThreadMessage, 'held'>(module, { workerData: start });
  // All of its waits together have one limit.
  const tooLong = AbortSignal.timeout(limit);
  const ends = AbortSignal.any([tooLong, ...(signal ? [signal] : [])]);
  const end = () => void thread.end();
  ends.addEventListener('abort', end);
  if (ends.aborted) end();
  try {
    for (;;) {
      const said = await thread.next(limit);
      if (said === 'write') {
        // What is written is one transaction: it is not left in the middle.
        ends.removeEventListener('abort', end);
        await hold(async () => {
          await thread.ask('held', WRITES_WITHIN);
        });
      } else if (said !== 'written') return outcomeOf(said) as Result;
    }
  } catch (error) {
    if (!(error instanceof ThreadEnded && tooLong.aborted)) throw error;
    throw new AppError(503, 'work_took_too_long', { seconds: limit / SECOND });
  } finally {
    ends.removeEventListener('abort', end);
    await thread.end();
  }
}

function outcomeOf(said: ThreadOutcome): unknown {
  if ('result' in said) return said.result;
  // A code is lost when an error is sent between threads.
  if ('error' in said) throw Object.assign(said.error, { code: said.code });
  const { status, said: message, errors, extra } = said.refusal;
  throw AppError.of(status, message, { errors, extra });
}
