import fs from 'node:fs';
import path from 'node:path';
import type { CompiledQuery } from 'kysely';
import type { Logger } from 'pino';
import { Cache } from './cache.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { Connections } from './connections.ts';
import { type Db, lockDatabase, migrate, openKysely, openSqlite } from './db.ts';
import { type EdgeVerifier, edgeVerifier } from './edge.ts';
import { Hub } from './hub.ts';
import { newRandomId } from './ids.ts';
import { createLog } from './log.ts';
import { createMailer, type Mailer, type MailerTimes } from './mailer.ts';
import { RateLimiter } from './rate-limit.ts';
import { keyFromFile } from './secrets.ts';
import { ShareImages } from './share-image.ts';
import { edgePeers, forwardingPeers } from './trust.ts';
import { userAgent } from './upstream.ts';
import { WorkQueue } from './work-queue.ts';
import { createWorkspace, type WorkspaceClient } from './workspace.ts';
import { type Tx, Writes } from './writes.ts';

/** Shared answers kept; the first ones give way to more. */
const ANSWERS_AT_MOST = 200;

/** What is made once and used everywhere; the first argument of every domain function. */
export interface Context {
  config: Config;
  log: Logger;
  now: Clock;
  /** Reads. A change goes through `write`. */
  db: Db;
  /** Reads one row at once, without a turn of the event loop: for hot paths, with a prepared query. */
  look<Row>(query: CompiledQuery<Row>): Row | undefined;
  /** Runs a change in a durable transaction, see `Writes`. */
  write<T>(work: (tx: Tx) => T, options?: { repeatable?: boolean }): Promise<T>;
  /** Grows with every stored change, by whomever it was made in this process. */
  changes(): number;
  /** Moves everything from the write-ahead log into the database file and empties the log. */
  truncateLog(): void;
  mailer: Mailer;
  /** News between domain functions and open streams. */
  hub: Hub;
  /** The open streams and sockets, and whether there is room for one more. */
  connections: Connections;
  /** Of package.json. */
  version: string;
  /** How the service names itself to hosts outside. */
  userAgent: string;
  /** Names this run of the service: what another run had claimed is free again. */
  run: string;
  limiter: RateLimiter;
  /** What may wait for ballots: requests, and long work in pieces. */
  queue: WorkQueue;
  cache: Cache;
  /** Answers that are the same for everybody, see `sharedAnswer`. */
  answers: Cache;
  /** Draws the pictures that link previews show. */
  shareImages: ShareImages;
  verifyEdge: EdgeVerifier | undefined;
  /** Whether forwarding headers of this peer name the client. */
  trustedPeer: (address: string) => boolean;
  /** Whether edge headers of this peer count. */
  trustedEdge: (address: string) => boolean;
  secretKey: string;
  /** Undefined while no key is configured. */
  workspace: WorkspaceClient | undefined;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Opens everything a process needs. Tests override the clock and the log, the bench how many writes share a commit. */
export async function openContext(
  config: Config,
  {
    now = systemClock,
    log = createLog(config),
    commitSize,
    mailerTimes,
  }: { now?: Clock; log?: Logger; commitSize?: number; mailerTimes?: Partial<MailerTimes> } = {},
): Promise<Context> {
  const file = config.DATABASE_URL.slice('file:'.length);
  const sqlite = openSqlite(file);
  const unlock = lockDatabase(file);
  const db = openKysely(sqlite);
  await migrate(db);
  const writes = new Writes(sqlite, commitSize);
  const changes = sqlite.prepare('SELECT total_changes()').pluck();
  const mailer = createMailer(config, log, now, mailerTimes);
  const shareImages = new ShareImages(now, log);
  const version = packageVersion();

  return {
    config,
    log,
    now,
    db,
    look: (query) => writes.look(query),
    write: (work, options) => writes.write(work, options),
    changes: () => changes.get() as number,
    truncateLog: () => void sqlite.pragma('wal_checkpoint(TRUNCATE)'),
    mailer,
    hub: new Hub((err) => log.error({ err }, 'a listener failed')),
    connections: new Connections(config.STREAMS_AT_MOST, config.STREAMS_PER_CLIENT),
    version,
    userAgent: userAgent(version, config.BASE_URL),
    run: newRandomId(),
    limiter: new RateLimiter(now),
    queue: new WorkQueue(),
    cache: new Cache(now),
    answers: new Cache(now, ANSWERS_AT_MOST),
    shareImages,
    verifyEdge: edgeVerifier(config, now),
    trustedPeer: forwardingPeers(config),
    trustedEdge: edgePeers(config),
    secretKey:
      config.SECRET_KEY ?? (file === ':memory:' ? 'a key for one run, in memory only' : keyBeside(file)),
    workspace: createWorkspace(config, log),
    async [Symbol.asyncDispose]() {
      await mailer.close();
      await shareImages.close();
      await db.destroy();
      unlock();
    },
  };
}

function packageVersion(): string {
  const file = path.join(import.meta.dirname, '../../package.json');
  return JSON.parse(fs.readFileSync(file, 'utf8')).version;
}

function keyBeside(file: string): string {
  return keyFromFile(path.join(path.dirname(path.resolve(file)), `${path.parse(file).name}.key`));
}
