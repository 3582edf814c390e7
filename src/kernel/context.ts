import type { Logger } from 'pino';
import type { EdgeVerifier } from './access/edge.ts';
import type { Cache } from './cache.ts';
import type { Clock, ClockWatch } from './clock.ts';
import type { Config } from './config.ts';
import type { Reader, Tx } from './db/queries.ts';
import type { ApartWork } from './db/write-apart.ts';
import type { WriteOptions } from './db/writes.ts';
import type { Derived } from './derived.ts';
import type { RateLimiter } from './http/rate-limit.ts';
import type { ShareImages } from './images/share-image.ts';
import type { Connections } from './live/connections.ts';
import type { Hub } from './live/hub.ts';
import type { StreamPublisher } from './live/publisher.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Configured, Part } from './settings/parts.ts';
import type { WorkQueue } from './work-queue.ts';
import type { WorkspaceClient } from './workspace/client.ts';
import type { ContentReader } from './workspace/snapshot.ts';
import type { SyncQueue } from './workspace/sync-queue.ts';

/** What is made once and used everywhere; the first argument of every domain function. */
export interface Context {
  /** The settings of the club are part of it: read it anew for each answer. */
  config: Config;
  /** What says of a part of the service whether it is configured; each domain adds its own. */
  configured: Partial<Record<Part, Configured>>;
  log: Logger;
  now: Clock;
  clockWatch: ClockWatch;
  /** Reads. A change goes through `write`. */
  db: Reader;
  /** Runs a change in a durable transaction, see `Writes`. */
  write<T>(work: (tx: Tx) => T, options?: WriteOptions): Promise<T>;
  /** Runs a change that takes long in one transaction, in a thread of its own, see `writeApart`. */
  writeApart<Head, Item, Result>(
    work: ApartWork<Head, Item, Result>,
    head: Head,
    items: readonly Item[],
  ): Promise<Result>;
  /** Why the disk refused the last write, or would refuse the next one, see `OpenDatabase`; undefined while it takes them. */
  diskError(): string | undefined;
  /** Grows with every stored change, by whomever it was made in this process. */
  changes(): number;
  /** Moves what is in the write-ahead log into the file, see `moveLog`. */
  moveLog(): Promise<void>;
  /** Overwrites the write-ahead log, see `eraseLog`. @returns false while somebody reads it */
  eraseLog(): Promise<boolean>;
  /** Writes the whole file anew and erases the log, see `rewriteFile`. @returns false while somebody else uses it */
  rewriteFile(): Promise<boolean>;
  mailer: Mailer;
  /** News between domain functions and open streams. */
  hub: Hub;
  /** The open streams and sockets, and whether there is room for one more. */
  connections: Connections;
  /** Gives the public stream to a fan-out engine; undefined while none is configured. */
  publisher: StreamPublisher | undefined;
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
  /** What is known of each source of the workspace, by its name: see `readContent`. */
  contentCaches: Map<string, ContentReader<unknown>>;
  /** What is made of stored content and kept in memory, by its name. */
  derived: Derived;
  /** Answers that are the same for everybody, see `sharedAnswer`. */
  answers: Cache;
  /** Order and pauses of what is written to the workspace. */
  syncQueue: SyncQueue;
  /** Draws the pictures that link previews show. */
  shareImages: ShareImages;
  verifyEdge: EdgeVerifier | undefined;
  /** Whether forwarding headers of this peer name the client. */
  trustedPeer: (address: string) => boolean;
  /** Whether edge headers of this peer count. */
  trustedEdge: (address: string) => boolean;
  secretKey: string;
  /** Requests that run because a second person confirmed them, by a token of their own: whose they are. */
  approved: Map<string, string>;
  /** Undefined while no key is configured. */
  workspace: WorkspaceClient | undefined;
  [Symbol.asyncDispose](): Promise<void>;
}
