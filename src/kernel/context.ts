import type { Logger } from 'pino';
import type { Words } from '#kernel/language/words.ts';
import type { EdgeVerifier } from './access/edge.ts';
import type { Cache } from './cache.ts';
import type { Clock, ClockWatch } from './clock.ts';
import type { Config } from './config.ts';
import type { BackupState } from './db/backup.ts';
import type { Reader, Tx } from './db/queries.ts';
import type { WriteOptions } from './db/writes.ts';
import type { HouseNetwork } from './house-network.ts';
import type { Connections } from './http/connections.ts';
import type { RateLimiter } from './http/rate-limit.ts';
import type { ShareImages } from './images/share-image.ts';
import type { ThreadWork } from './in-thread.ts';
import type { Hub } from './live/hub.ts';
import type { StreamPublisher } from './live/publisher.ts';
import type { Mailer } from './mail/mailer.ts';
import type { MailSorts } from './mail/outbox.ts';
import type { Configured } from './settings/parts.ts';
import type { WorkQueue } from './work-queue.ts';
import type { WorkspaceClient } from './workspace/client.ts';
import type { SourceReader } from './workspace/snapshot.ts';
import type { SyncQueue } from './workspace/sync-queue.ts';

/** Everything that is created once per process; the first argument of every domain function. */
export interface Context {
  /** Includes the settings of the club, which may change: read it again for each answer. */
  config: Config;
  /** Tells of parts whether they are used while the club has not decided; each domain adds its own. */
  configured: Configured;
  log: Logger;
  now: Clock;
  clockWatch: ClockWatch;
  /** Reads. A change goes through `write`. */
  db: Reader;
  /** Runs a change in a durable transaction, see `Writes`. */
  write<T>(work: (tx: Tx) => T, options?: WriteOptions): Promise<T>;
  /** Runs long work in a separate thread, see `runInThread`. @throws 429 while work runs that has to be alone */
  inThread<Input, Result>(
    work: ThreadWork<Input, Result>,
    input: Input,
    signal?: AbortSignal,
  ): Promise<Result>;
  /** Why the disk refused the last write or would refuse the next, see `OpenDatabase`; undefined while writes work. */
  diskError(): string | undefined;
  /** A counter that grows with every change that this process stores. */
  changes(): number;
  /** Moves the contents of the write-ahead log into the database file, see `moveLog`. */
  moveLog(): Promise<void>;
  backups: BackupState;
  /** Overwrites the write-ahead log, see `eraseLog`. @returns false while another reader uses it */
  eraseLog(): Promise<boolean>;
  /** Rewrites the whole file and erases the log, see `rewriteFile`. @returns false while another process uses it */
  rewriteFile(): Promise<boolean>;
  mailer: Mailer;
  /** How each kind of mail in the outbox is made; set by `buildApp`. */
  mailSorts: MailSorts;
  /** Mails of the outbox that are being sent: a stop waits until their outcomes are stored. */
  mailsUnderWay: Set<Promise<unknown>>;
  /** Ids of the mails that this run sends, until their outcomes are stored: nobody sends another row that it claimed. */
  mailsBeingSent: Set<string>;
  /** Store outcomes of mails that the disk refused when they were known; the job that sends mails tries them again. */
  outcomesToStore: Set<() => Promise<void>>;
  /** The addresses by which devices of the house reach a service that otherwise listens on this computer only. */
  house: HouseNetwork;
  /** Tells open streams of changes that domain functions made. */
  hub: Hub;
  /** Counts the open streams and sockets against their limits. */
  connections: Connections;
  /** Publishes the public stream to a fan-out engine; undefined if none is configured. */
  publisher: StreamPublisher | undefined;
  /** From package.json. */
  version: string;
  /** The User-Agent of requests to other hosts, with the address of the service. */
  readonly userAgent: string;
  /** Id of this run of the service: work that an earlier run had claimed is free again. */
  run: string;
  limiter: RateLimiter;
  /** Runs work that yields to ballots: requests, and long work in pieces. */
  queue: WorkQueue;
  /** What is kept in memory and can be made again. */
  cache: Cache;
  /** What the last look-up at each source brought in this run, by its name; `error` is null after an answer. */
  lookups: Map<string, { at: number; error: Words | null }>;
  /** The readers of the sources in the workspace, by name, see `readContent`. */
  sourceReaders: Map<string, SourceReader<unknown>>;
  /** Orders and spaces the writes to the workspace. */
  syncQueue: SyncQueue;
  /** Draws the pictures that link previews show. */
  shareImages: ShareImages;
  verifyEdge: EdgeVerifier | undefined;
  /** Whether forwarding headers of this peer name the client. */
  trustedPeer: (address: string) => boolean;
  /** Whether edge headers of this peer are trusted. */
  trustedEdge: (address: string) => boolean;
  secretKey: string;
  /** Running requests that a second person has approved: their token, and the ids of both people. */
  approved: Map<string, { asker: string; decider: string }>;
  /** Undefined while no key is configured. */
  workspace: WorkspaceClient | undefined;
  [Symbol.asyncDispose](): Promise<void>;
}
