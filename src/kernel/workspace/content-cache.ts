import { createHash } from 'node:crypto';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { AppError } from '#kernel/http/errors.ts';
import type { ContentReader, Snapshot } from './snapshot.ts';

/** Something that is read from the workspace as a whole and kept. Declare each once, as a constant. */
export interface ContentSource<T> {
  /** Its key in workspace_content; no two share one. */
  name: string;
  /** The database it is read from, undefined when it is not set up. What was kept of another one is not used. */
  databaseId(config: Config): string | undefined;
  /**
   * Reads all of it. What it throws means: not this time. The result is stored as JSON and must hold nothing that
   * changes by itself, such as the address of an uploaded file.
   */
  read(ctx: Context): Promise<T>;
  /** Reads what an earlier run has stored; throws when it has another shape. */
  parse(json: unknown): T;
}

const REFRESH_AFTER = 2 * MINUTE;
const RETRY_AFTER = 30 * SECOND;
const OLD_AFTER = 10 * MINUTE;
/** How long after the last question a source is still kept fresh. */
const ASKED_LATELY = 10 * MINUTE;
/** Longest that a start waits for sources of which nothing is known yet. */
const FIRST_WAIT = 2 * SECOND;

const NOTHING: Snapshot<never> = { content: undefined, readAt: null, stale: false, version: '' };

/**
 * What is known of a source, from memory or, for the first time, from the database. Asking starts a read in the
 * background when the last one is two minutes old. It never waits for the workspace, and never throws.
 */
export function readContent<T>(ctx: Context, source: ContentSource<T>): Snapshot<T> {
  return contentCache(ctx, source).read();
}

/** Reads the sources that are due, if anybody asked for them lately or this run has not read them yet: for a job. */
export async function refreshContent(
  ctx: Context,
  sources: readonly ContentSource<unknown>[],
): Promise<void> {
  await Promise.all(sources.map((source) => contentCache(ctx, source).refresh()));
}

/**
 * Reads the sources of which nothing is known yet, and waits two seconds at most: for the start, so that the first
 * visitor finds something.
 */
export async function awaitFirstContent(
  ctx: Context,
  sources: readonly ContentSource<unknown>[],
): Promise<void> {
  const reads = Promise.all(sources.map((source) => contentCache(ctx, source).readFirst()));
  await Promise.race([reads, wait(FIRST_WAIT)]);
}

function contentCache<T>(ctx: Context, source: ContentSource<T>): ContentReader<T> {
  const { contentCaches } = ctx;
  return contentCaches.getOrInsertComputed(
    source.name,
    () => new ContentCache(ctx, source),
  ) as ContentReader<T>;
}

/** The cache of one source: see `readContent`. */
class ContentCache<T> implements ContentReader<T> {
  readonly #ctx: Context;
  readonly #source: ContentSource<T>;
  readonly #database: string | undefined;
  #snapshot: Snapshot<T> = NOTHING;
  /** Whether what an earlier run has stored was loaded. */
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
    const { readAt, stale } = this.#snapshot;
    if (!stale && readAt !== null && now - readAt >= OLD_AFTER)
      this.#snapshot = { ...this.#snapshot, stale: true };
    return this.#snapshot;
  }

  /** Reads the source while nothing is known of it. */
  async readFirst(): Promise<void> {
    if (!this.#isConfigured()) return;
    this.#restore();
    if (this.#snapshot.content !== undefined) return;
    if (this.#isDue(this.#ctx.now())) void this.#startRefresh();
    await this.#refreshing;
  }

  /** Reads the source if it is due and wanted, and waits for a read that is under way. */
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
    // A time in the future is one of a clock that was wrong.
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
      // It was stored by a version that spelled it otherwise: as good as nothing.
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
      // It is in memory, and so are visitors served.
      this.#ctx.log.error({ err, source: this.#source.name }, 'content of the workspace cannot be stored');
    }
  }
}

const versionOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22);
const wait = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());
