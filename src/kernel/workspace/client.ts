import {
  APIResponseError,
  Client,
  extractPageId,
  isHTTPResponseError,
  type PageObjectResponse,
  type QueryDataSourceParameters,
  RequestTimeoutError,
  type UpdatePageParameters,
} from '@notionhq/client';
import type { Logger } from 'pino';
import { z } from 'zod';
import { backoff } from '#kernel/backoff.ts';
import { Cache, kept } from '#kernel/cache.ts';
import { type Clock, HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import { workspaceId } from '#kernel/environment/checks.ts';
import { AppError, badRequest, notFound } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import { ENGLISH, type Words } from '#kernel/language/words.ts';

/** One property value of a page; `type` says of which kind. */
export type WorkspaceProperty = PageObjectResponse['properties'][string];
/** New values by the name of their property. */
export type WorkspaceChanges = NonNullable<UpdatePageParameters['properties']>;
export type WorkspaceFilter = NonNullable<QueryDataSourceParameters['filter']>;
export type WorkspaceSorts = NonNullable<QueryDataSourceParameters['sorts']>;

export interface WorkspaceDatabase {
  /** 32 digits. */
  id: string;
  /** The id as the workspace writes it. */
  written: string;
  name: string;
  /** The tables inside it, nearly always one. */
  dataSources: { id: string; name: string }[];
}

export interface WorkspacePage {
  /** 32 digits. */
  id: string;
  /** The id as the workspace writes it, and that of its database. */
  written: string;
  parentWritten: string;
  title: string;
  /** Null for a page that is in no database. */
  parentDatabaseId: string | null;
  dataSourceId: string | null;
  /** ISO 8601. */
  lastEdited: string;
  properties: Record<string, WorkspaceProperty>;
}

/** A property that every page of a data source has; `options` if its values are chosen from a list. */
export interface WorkspaceColumn {
  name: string;
  type: string;
  options?: string[];
}

export interface WorkspaceQuery {
  filter?: WorkspaceFilter;
  sorts?: WorkspaceSorts;
  /** 100 at most. */
  pageSize?: number;
  /** The `next` of the previous answer. */
  cursor?: string;
}

interface Pace {
  /** A monotonic clock, for the waits between calls. */
  now?: Clock;
  sleep?: (ms: number) => Promise<void>;
  timeoutMs?: number;
}

const CALLS_A_SECOND = 3;
const RETRIES = 2;
/** Longest Retry-After that a call waits for. With a longer one it fails, and so do all others until it is over. */
const LONGEST_WAIT = 5 * SECOND;

/** The client, or undefined while no key is configured. */
export function createWorkspace(config: Config, log: Logger, pace: Pace = {}): WorkspaceClient | undefined {
  const { WORKSPACE_API_KEY: key, WORKSPACE_API_URL: url } = config;
  return key ? new WorkspaceClient(key, url, log, pace) : undefined;
}

/** @throws 500 while no key is configured */
export function ensureWorkspace(workspace: WorkspaceClient | undefined): WorkspaceClient {
  if (!workspace) throw new AppError(500, 'workspace_not_set_up');
  return workspace;
}

/** The id in a pasted text: an id, or the address of a page or database. */
export function workspaceIdIn(text: string): string | undefined {
  return workspaceId(text) ?? workspaceId(extractPageId(text) ?? '');
}

/** A filter for pages whose title contains a text, whatever the title's property is called. */
export const titleContains = (text: string): WorkspaceFilter => ({
  property: 'title',
  title: { contains: text },
});

/** By id. */
const DATABASES = kept<Promise<WorkspaceDatabase>>({ age: MINUTE });

/**
 * A client of the workspace's API: typed results, a time limit, at most three calls a second. Every call is idempotent,
 * so it is retried after a 409, 429 or 5xx. Failures are AppErrors: 404 for a missing page or database, 400 for a
 * refused change, 502 for the rest.
 */
export class WorkspaceClient {
  readonly #client: Client;
  readonly #log: Logger;
  readonly #now: Clock;
  readonly #sleep: (ms: number) => Promise<void>;
  readonly #databases: Cache;
  /** When the last few calls started. */
  #starts: number[] = [];
  #heldUntil = 0;

  constructor(key: string, url: string | undefined, log: Logger, pace: Pace) {
    const { now = () => performance.now(), sleep = wait, timeoutMs = 10 * SECOND } = pace;
    this.#client = new Client({
      auth: key,
      ...(url && { baseUrl: url }),
      timeoutMs,
      // The library would not retry 503 on queries and changes, and its waits would not count in our pace.
      retry: false,
      logger: (_level, message, details) => log.debug({ details }, `workspace: ${message}`),
      // The library's time limit ends with the headers; this one covers the body too.
      fetch: async (address, init) => {
        const answer = await fetch(address, { ...init, signal: AbortSignal.timeout(timeoutMs) });
        const { ok, status, headers } = answer;
        return { ok, status, headers, text: () => answer.text() };
      },
    });
    this.#log = log;
    this.#now = now;
    this.#sleep = sleep;
    this.#databases = new Cache(now);
  }

  /** @throws 404 unless it is there and shared with the key */
  async getDatabase(databaseId: string): Promise<WorkspaceDatabase> {
    const id = known(databaseId, 'database');
    return this.#databases.get(DATABASES, id, async () => {
      const run = () => this.#client.databases.retrieve({ database_id: id });
      const { id: written, title, data_sources } = await this.#call('database', run, DatabaseShape);
      return { id, written: written || id, name: plain(title), dataSources: data_sources };
    });
  }

  /** The properties of the pages of a data source. */
  async listColumns(dataSourceId: string): Promise<WorkspaceColumn[]> {
    const run = () => this.#client.dataSources.retrieve({ data_source_id: dataSourceId });
    const { properties } = await this.#call('database', run, DataSourceShape);
    return Object.entries(properties).map(([name, property]) => {
      const { data: list } = OptionsShape.safeParse(property[property.type]);
      return { name, type: property.type, ...(list && { options: list.options.map((one) => one.name) }) };
    });
  }

  /** Pages of a database, through all of its data sources. `next` is the cursor of the pages after these. */
  async queryPages(
    databaseId: string,
    { filter, sorts, pageSize = 100, cursor = '0:' }: WorkspaceQuery = {},
  ) {
    const { dataSources } = await this.getDatabase(databaseId);
    const place = Number.parseInt(cursor, 10);
    const source = dataSources[place];
    if (!source) return { pages: [], next: null };
    const start = cursor.slice(cursor.indexOf(':') + 1);
    const run = () =>
      this.#client.dataSources.query({
        data_source_id: source.id,
        page_size: pageSize,
        result_type: 'page',
        ...(filter && { filter }),
        ...(sorts && { sorts }),
        ...(start && { start_cursor: start }),
      });
    const { results, next_cursor } = await this.#call('database', run, ListShape);
    const pages = results.flatMap((result) => {
      const { data } = PageShape.safeParse(result);
      return data && !data.in_trash ? [toPage(data)] : [];
    });
    const more = place + 1 < dataSources.length ? `${place + 1}:` : null;
    return { pages, next: next_cursor ? `${place}:${next_cursor}` : more };
  }

  /** @throws 404 unless it is there, not in the trash, and shared with the key */
  async getPage(pageId: string): Promise<WorkspacePage> {
    const id = known(pageId, 'page');
    const page = await this.#call('page', () => this.#client.pages.retrieve({ page_id: id }), PageShape);
    if (page.in_trash) throw missing('page');
    return toPage(page);
  }

  /** Sets properties of a page and leaves the others. @throws 400 for a value that its property does not allow */
  async updatePage(pageId: string, properties: WorkspaceChanges): Promise<WorkspacePage> {
    const id = known(pageId, 'page');
    const run = () => this.#client.pages.update({ page_id: id, properties });
    return toPage(await this.#call('page', run, PageShape));
  }

  async #call<T>(what: 'database' | 'page', run: () => Promise<unknown>, shape: z.ZodType<T>): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      await this.#turn();
      try {
        return shape.parse(await run());
      } catch (error) {
        const delay = this.#delayAfter(error, attempt);
        if (delay === undefined) throw this.#failure(error, what);
        await this.#sleep(delay);
      }
    }
  }

  async #turn(): Promise<void> {
    const now = this.#now();
    if (now < this.#heldUntil) throw this.#busy();
    const start = Math.max(now, (this.#starts.at(-CALLS_A_SECOND) ?? -SECOND) + SECOND);
    this.#starts = [...this.#starts, start].slice(-CALLS_A_SECOND);
    if (start > now) await this.#sleep(start - now);
  }

  /** How long to wait before the next try; undefined when there is none. */
  #delayAfter(error: unknown, attempt: number): number | undefined {
    if (!isHTTPResponseError(error) || (error.status < 500 && ![409, 429].includes(error.status))) return;
    const asked = Number.parseInt((error.headers as Headers).get('retry-after') ?? '', 10) * SECOND;
    if (asked > LONGEST_WAIT) this.#heldUntil = this.#now() + Math.min(asked, HOUR);
    if (asked > LONGEST_WAIT || attempt >= RETRIES) return;
    return asked >= 0 ? asked : backoff(attempt + 1, SECOND / 2);
  }

  /** The error for the caller. Except with a 400, it and the log omit the cause's text, which may quote the key. */
  #failure(error: unknown, what: 'database' | 'page'): AppError {
    const status = isHTTPResponseError(error) ? error.status : undefined;
    const reason = status ? t('settings.upstream.status', { status: String(status) }) : reasonOf(error);
    if (status === 404) return missing(what);
    this.#log.warn({ reason: reason.for(ENGLISH) }, 'workspace call failed');
    if (status === 400) {
      const why = error instanceof APIResponseError ? error.message : reason;
      return badRequest('workspace_refused', { reason: why });
    }
    if (status === 401 || status === 403)
      return new AppError(502, 'workspace_refused_key', { status: String(status) });
    if (status === 429 || this.#now() < this.#heldUntil) return this.#busy();
    return new AppError(502, 'workspace_unreachable', { reason });
  }

  #busy(): AppError {
    const retryAfter = Math.max(1, Math.ceil((this.#heldUntil - this.#now()) / SECOND));
    return new AppError(502, 'workspace_paused', { seconds: retryAfter }, { extra: { retryAfter } });
  }
}

const TextShape = z.array(z.object({ plain_text: z.string() }));
const DatabaseShape = z.object({
  id: z.string().default(''),
  title: TextShape.default([]),
  data_sources: z.array(z.object({ id: z.string(), name: z.string().default('') })),
});
const DataSourceShape = z.object({
  properties: z.record(z.string(), z.looseObject({ type: z.string() })),
});
const OptionsShape = z.object({ options: z.array(z.object({ name: z.string() })) });
const ListShape = z.object({ results: z.array(z.unknown()), next_cursor: z.string().nullish() });
const PageShape = z.object({
  id: z.string(),
  in_trash: z.boolean().default(false),
  last_edited_time: z.string().default(''),
  parent: z.object({ database_id: z.string().optional(), data_source_id: z.string().optional() }),
  properties: z.record(z.string(), z.looseObject({ type: z.string() })),
});

function toPage(page: z.output<typeof PageShape>): WorkspacePage {
  const properties = page.properties as Record<string, unknown> as Record<string, WorkspaceProperty>;
  const title = Object.values(properties).find((property) => property.type === 'title');
  const { database_id = '', data_source_id } = page.parent;
  return {
    id: workspaceId(page.id) ?? page.id,
    written: page.id,
    title: title?.type === 'title' ? plain(title.title) : '',
    parentDatabaseId: workspaceId(database_id) ?? null,
    parentWritten: database_id,
    dataSourceId: data_source_id ?? null,
    lastEdited: page.last_edited_time,
    properties,
  };
}

const plain = (text: { plain_text: string }[]) => text.map((part) => part.plain_text).join('');

function known(text: string, what: 'database' | 'page'): string {
  const id = workspaceId(text);
  if (!id) throw missing(what);
  return id;
}

const missing = (what: 'database' | 'page') =>
  notFound(what === 'page' ? 'no_such_page' : 'no_such_database');

function reasonOf(error: unknown): Words {
  if (error instanceof RequestTimeoutError) return t('settings.upstream.too_late');
  if (error instanceof DOMException && error.name === 'TimeoutError') return t('settings.upstream.too_late');
  if (error instanceof SyntaxError || error instanceof z.ZodError) return t('settings.upstream.unreadable');
  const code = error instanceof Error && (error.cause as { code?: unknown } | undefined)?.code;
  return typeof code === 'string'
    ? t('settings.upstream.failed_code', { code })
    : t('settings.upstream.failed');
}

const wait = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));
