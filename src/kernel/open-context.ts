import fs from 'node:fs';
import type Sqlite from 'better-sqlite3';
import type { Logger } from 'pino';
import { edgeVerifier } from './access/edge.ts';
import { edgePeers, forwardingPeers } from './access/trust.ts';
import { Cache } from './cache.ts';
import { type Clock, ClockWatch, SECOND, systemClock } from './clock.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import type { BackupState } from './db/backup.ts';
import { migrate } from './db/connection.ts';
import { openDatabase } from './db/database.ts';
import { DatabaseError } from './db/database-error.ts';
import { eraseLog, moveLog, rewriteFile } from './db/erase-log.ts';
import { watchFacts } from './db/facts/record.ts';
import { keyFileOf, recordKey } from './db/key-check.ts';
import { lockDatabase, watchLock } from './db/lock.ts';
import { recordRestored } from './db/restored.ts';
import { adoptPriceUnit, announceSettings, applySettings } from './db/settings.ts';
import { HouseNetwork, type ReadInterfaces } from './house-network.ts';
import { Connections } from './http/connections.ts';
import { tooManyRequests } from './http/errors.ts';
import { RateLimiter } from './http/rate-limit.ts';
import { newRandomId } from './ids.ts';
import { ShareImages } from './images/share-image.ts';
import { runInThread } from './in-thread.ts';
import { Hub } from './live/hub.ts';
import { type PublisherTimes, StreamPublisher } from './live/publisher.ts';
import { createLog } from './log.ts';
import { createMailer, type MailerTimes } from './mail/mailer.ts';
import type { MailSorts } from './mail/outbox.ts';
import { keyFromFile } from './secrets.ts';
import { userAgent } from './upstream.ts';
import { BUILD } from './version.ts';
import { WorkQueue } from './work-queue.ts';
import { createWorkspace } from './workspace/client.ts';
import { SyncQueue } from './workspace/sync-queue.ts';

/**
 * Opens everything a process needs. Tests override the clock, the log, the network of this machine and the empty
 * database, benchmarks the number of writes per commit.
 * @param contents the initial contents of an in-memory database, with the newest schema
 */
export async function openContext(
  environment: Config,
  {
    now = systemClock,
    log = createLog(environment),
    commitSize,
    contents,
    mailerTimes,
    publisherTimes,
    interfaces,
  }: {
    now?: Clock;
    log?: Logger;
    commitSize?: number;
    contents?: Buffer;
    mailerTimes?: Partial<MailerTimes>;
    publisherTimes?: Partial<PublisherTimes>;
    interfaces?: ReadInterfaces;
  } = {},
): Promise<Context> {
  const config = { ...environment };
  const file = config.DATABASE_URL.slice('file:'.length);
  ensureNotLost(config, file);
  const lock = lockDatabase(file);
  const database = openDatabase(file, {
    lock,
    ...(commitSize && { commitSize }),
    ...(contents && { contents }),
  });
  const { sqlite, db, write, hold, diskError } = database;
  if (!contents) await migrate(sqlite);
  await watchFacts(database, now);
  await recordRestored(database, now());
  const unwatch = watchLock(lock, log);
  const secretKey = takeKey(config, file, sqlite, now(), log);
  const house = new HouseNetwork(config, { log, interfaces, changed: () => announceSettings(ctx) });
  applySettings({ config, db, secretKey, house });
  await adoptPriceUnit({ config, db, write }, now());
  const changes = sqlite.prepare('SELECT total_changes()').pluck();
  const queue = new WorkQueue();
  let apart = 0;
  const running = new Set<string>();
  const backups: BackupState = { running: undefined, failure: undefined, waitsUntil: undefined };
  const mailer = createMailer(config, log, now, mailerTimes);
  const mailsUnderWay = new Set<Promise<unknown>>();
  const shareImages = new ShareImages(now);
  const { version } = BUILD;
  const { STREAM_PUBLISH_URL: url } = config;
  const publisher = url ? new StreamPublisher({ url, now, log, times: publisherTimes }) : undefined;

  const ctx: Context = {
    config,
    configured: {},
    log,
    now,
    clockWatch: new ClockWatch(now),
    db,
    write,
    diskError,
    changes: () => (changes.get() as number) + apart,
    async inThread(work, input, signal) {
      const { alone } = work;
      if (alone && running.has(alone)) throw tooManyRequests('work_runs_already', 10 * SECOND);
      if (alone) running.add(alone);
      const holdAndCount = async (writing: () => Promise<void>) => {
        await hold(writing);
        apart += 1;
      };
      try {
        if (file === ':memory:') return await work.work({ read: (read) => read(db), write }, input);
        return await runInThread({ file, locked: lock.file }, holdAndCount, work, input, signal);
      } finally {
        if (alone) running.delete(alone);
      }
    },
    moveLog: () => moveLog(file),
    eraseLog: () => eraseLog(file, hold),
    rewriteFile: () => rewriteFile(file, hold),
    backups,
    mailer,
    mailSorts: {} as MailSorts,
    mailsUnderWay,
    mailsBeingSent: new Set(),
    outcomesToStore: new Set(),
    house,
    hub: new Hub((err) => log.error({ err }, 'a listener failed')),
    connections: new Connections(config.STREAMS_AT_MOST, config.STREAMS_PER_CLIENT),
    publisher,
    version,
    get userAgent() {
      return userAgent(version, config.BASE_URL);
    },
    run: newRandomId(),
    limiter: new RateLimiter(now),
    queue,
    cache: new Cache(now),
    lookups: new Map(),
    sourceReaders: new Map(),
    syncQueue: new SyncQueue(now),
    shareImages,
    verifyEdge: await edgeVerifier(config, now),
    trustedPeer: forwardingPeers(config),
    trustedEdge: edgePeers(config),
    secretKey,
    approved: new Map(),
    workspace: createWorkspace(config, log),
    async [Symbol.asyncDispose]() {
      await backups.running?.catch(() => undefined);
      await publisher?.close();
      await mailer.close();
      await Promise.allSettled(mailsUnderWay);
      await shareImages.close();
      sqlite.close();
      unwatch();
      lock.release();
    },
  };
  return ctx;
}

/** Returns SECRET_KEY, else the key from the file beside the database. Logs a changed key, see `recordKey`. */
function takeKey(
  { SECRET_KEY }: Config,
  file: string,
  sqlite: Sqlite.Database,
  now: number,
  log: Logger,
): string {
  if (file === ':memory:') return SECRET_KEY ?? 'a key for one run, in memory only';
  const isNew = SECRET_KEY === undefined && !fs.existsSync(keyFileOf(file));
  const secretKey = SECRET_KEY ?? keyFromFile(keyFileOf(file));
  const problem = recordKey(sqlite, { secretKey, isNew }, now);
  if (problem) log.error(problem);
  return secretKey;
}

/** Refuses to create a database beside an existing key: the old one was moved or deleted, and the new one is empty. */
function ensureNotLost({ SETUP_ANEW }: Config, file: string): void {
  const isNew = !fs.existsSync(file) || fs.statSync(file).size === 0;
  if (SETUP_ANEW || file === ':memory:' || !isNew || !fs.existsSync(keyFileOf(file))) return;
  throw new DatabaseError(
    `DATABASE_URL: there is no database at ${file}, but the key of an earlier one beside it. Restore the database, or set SETUP_ANEW=on to begin with an empty one.`,
  );
}
