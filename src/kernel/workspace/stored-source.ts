import { createHash } from 'node:crypto';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { AppError } from '#kernel/http/errors.ts';
import type { Snapshot, SourceReader } from './snapshot.ts';

/** Content that is read from the workspace as a whole and stored. Declare each source once, as a constant. */
export interface ContentSource<T> {
  /** Its unique key in workspace_content. */
  name: string;
  /** The database it is read from; undefined if not configured. Content stored from another one is not used. */
  databaseId(config: Config): string | undefined;
  /**
   * Reads all of it; an error means that this read failed. The result is stored as JSON and must contain nothing that
   * changes without an edit, such as the address of an uploaded file.
   */
  read(ctx: Context): Promise<T>;
  /** Reads what an earlier run has stored; throws when it has another shape. */
  parse(json: unknown): T;
}

const REFRESH_AFTER = 2 * MINUTE;
const RETRY_AFTER = 30 * SECOND;
const OLD_AFTER = 10 * MINUTE;
/** How long after its last use a source is still refreshed. */
const ASKED_LATELY = 10 * MINUTE;
/** Longest time that a start waits for sources without any content yet. */
const FIRST_WAIT = 2 * SECOND;

const NOTHING: Snapshot<never> = { content: undefined, readAt: null, stale: false, version: '' };

/**
 * Returns the stored content of a source, from memory or, at first, from the database. Starts a read in the background
 * if the last one is two minutes old. Never waits for the workspace, and never throws.
 */
export function readContent<T>(ctx: Context, source: ContentSource<T>): Snapshot<T> {
  return readerOf(ctx, source).read();
}

/** Returns the same without asking for it: who calls this alone does not keep the source refreshed. */
export function findContent<T>(ctx: Context, source: ContentSource<T>): Snapshot<T> {
  return readerOf(ctx, source).last();
}

/** For a job: reads the sources that are due, if they were used lately or this run has not read them yet. */
export async function refreshContent(
  ctx: Context,
  sources: readonly ContentSource<unknown>[],
): Promise<void> {
  await Promise.all(sources.map((source) => readerOf(ctx, source).refresh()));
}

/**
 * Reads the sources without any content yet, and waits two seconds at most: for the start, so that the first visitor
 * finds something.
 */
export async function awaitFirstContent(
  ctx: Context,
  sources: readonly ContentSource<unknown>[],
): Promise<void> {
  const reads = Promise.all(sources.map((source) => readerOf(ctx, source).readFirst()));
  await Promise.race([reads, wait(FIRST_WAIT)]);
}

function readerOf<T>(ctx: Context, source: ContentSource<T>): SourceReader<T> {
  const make = () => new StoredSource(ctx, source);
  return ctx.sourceReaders.getOrInsertComputed(source.name, make) as SourceReader<T>;
}

/**
 * A copy of one source, see `readContent`. Not a value of `ctx.cache`: it is stored in the database, outlives a restart
 * and all failures of the workspace, and is read in the background, never when it is asked for.
 */
class StoredSource<T> implements SourceReader<T> {
  readonly #ctx: Context;
  readonly #source: ContentSource<T>;
  readonly #database: string | undefined;
  #snapshot: Snapshot<T> = NOTHING;
  /** Whether the content stored by an earlier run was loaded. */
  #restored = false;
  #refreshing: Promise<void> | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  failing = false;

  constructor(ctx: Context, source: ContentSource<T>) {
    this.#ctx = ctx;
    this.#source = source;
    this.#database = source.databaseId(ctx.config);
  }

  read(): Snapshot<T> {
    if (!this.#isConfigured()) return NOTHING;
    this.#restore();
    const now = this.#ctx.now();
    this.#askedAt = now;
    if (this.#isDue(now)) void this.#startRefresh();
    return this.last();
  }

  last(): Snapshot<T> {
    if (!this.#isConfigured()) return NOTHING;
    this.#restore();
    const now = this.#ctx.now();
    const { readAt, stale } = this.#snapshot;
    if (!stale && readAt !== null && now - readAt >= OLD_AFTER)
      this.#snapshot = { ...this.#snapshot, stale: true };
    return this.#snapshot;
  }

  /** Reads the source if it has no content yet. */
  async readFirst(): Promise<void> {
    if (!this.#isConfigured()) return;
    this.#restore();
    if (this.#snapshot.content !== undefined) return;
    if (this.#isDue(this.#ctx.now())) void this.#startRefresh();
    await this.#refreshing;
  }

  /** Reads the source if it is due and wanted, and waits for a running read. */
  async refresh(): Promise<void> {
    if (!this.#isConfigured()) return;
    this.#restore();
    const now = this.#ctx.now();
    const wanted = now - this.#askedAt < ASKED_LATELY || this.#triedAt === Number.NEGATIVE_INFINITY;
    if (wanted && this.#isDue(now)) void this.#startRefresh();
    await this.#refreshing;
  }

  #isConfigured(): boolean {
    return this.#ctx.workspace !== undefined && this.#database !== undefined;
  }

  #isDue(now: number): boolean {
    const wait = this.failing ? RETRY_AFTER : REFRESH_AFTER;
    const last = Math.max(this.#triedAt, this.#snapshot.readAt ?? this.#triedAt);
    // The absolute value: a wrong clock may have left a time in the future.
    return !this.#refreshing && Math.abs(now - last) >= wait;
  }

  #restore(): void {
    if (this.#restored) return;
    this.#restored = true;
    this.#load();
  }

  #load(): void {
    const { db, log } = this.#ctx;
    try {
      const row = db.first(
        build
          .selectFrom('workspace_content')
          .select(['content', 'read_at'])
          .where('source', '=', this.#source.name),
      );
      if (!row) return;
      const stored = JSON.parse(row.content) as { database?: unknown; content?: unknown };
      if (stored.database !== this.#database) return;
      const content = this.#source.parse(stored.content);
      this.#snapshot = { content, readAt: row.read_at, stale: false, version: versionOf(row.content) };
    } catch (err) {
      // Stored in another shape by another version: treated as missing.
      log.info({ err, source: this.#source.name }, 'kept content is of another shape');
    }
  }

  #startRefresh(): Promise<void> {
    this.#triedAt = this.#ctx.now();
    this.#refreshing = this.#fetch().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #fetch(): Promise<void> {
    const { name } = this.#source;
    const { log, hub } = this.#ctx;
    try {
      const content = await this.#source.read(this.#ctx);
      const text = JSON.stringify({ database: this.#database, content });
      const version = versionOf(text);
      const changed = version !== this.#snapshot.version;
      this.#snapshot = { content, readAt: this.#ctx.now(), stale: false, version };
      if (this.failing) log.info({ source: name }, 'the workspace is back');
      this.failing = false;
      if (changed) hub.publish('content');
      await this.#store(text, this.#ctx.now());
    } catch (error) {
      const expected = error instanceof AppError;
      if (!expected) log.error({ source: name, err: error }, 'reading the workspace failed');
      else if (!this.failing)
        log.warn({ source: name, reason: error.message }, 'content of the workspace cannot be read');
      this.failing = true;
      if (this.#snapshot.content !== undefined) this.#snapshot = { ...this.#snapshot, stale: true };
    }
  }

  async #store(content: string, read_at: number): Promise<void> {
    const insert = build
      .insertInto('workspace_content')
      .values({ source: this.#source.name, content, read_at });
    const upsert = insert.onConflict((conflict) =>
      conflict.column('source').doUpdateSet({ content, read_at }),
    );
    try {
      await this.#ctx.write((tx) => tx.run(upsert));
    } catch (err) {
      // Visitors are served from memory.
      this.#ctx.log.error({ err, source: this.#source.name }, 'content of the workspace cannot be stored');
    }
  }
}

const versionOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22);
const wait = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());
