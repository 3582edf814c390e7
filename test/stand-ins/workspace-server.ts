import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FakeFilter, faultOf, fits } from './workspace-filter.ts';

/** A property of a data source; `options` for status and select. */
export interface FakeColumn {
  type: string;
  options?: string[];
}

export interface FakeDatabase {
  id: string;
  title: string;
  sources: { id: string; columns: Record<string, FakeColumn>; pages: FakePage[] }[];
}

export interface FakePage {
  id: string;
  in_trash?: boolean;
  last_edited_time?: string;
  /** By name, in the form of the API; see `title`. */
  properties: Record<string, { type: string; [value: string]: unknown }>;
}

/**
 * What goes wrong with a request: nothing, an error status, an answer that never comes or never ends, or an invalid
 * one.
 */
export type Fault =
  | { status: number; retryAfter?: number; code?: string; message?: string }
  | 'none'
  | 'hang'
  | 'hang-in-body'
  | 'garbage'
  | 'wrong-shape'
  | 'drop';

export interface FakeWorkspace {
  url: string;
  /** Every request so far. */
  requests: { method: string; path: string; body: unknown; key: string | undefined }[];
  databases: FakeDatabase[];
  /** The faults of the next requests, one each. */
  faults: Fault[];
  /** The fault of every request once `faults` is used up. */
  down: Fault | undefined;
  page(id: string): FakePage;
  [Symbol.asyncDispose](): Promise<void>;
}

export const KEY = 'secret_workspace-key';

/** Returns an id of 32 digits: `id(7)` ends in 7. */
export const id = (number: number) => number.toString(16).padStart(32, '0');

/** Adds the dashes that the API puts into ids. */
export const dashed = (plain: string) => plain.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

export const title = (text: string) => ({
  id: 'title',
  type: 'title',
  title: text ? [{ type: 'text', plain_text: text, href: null }] : [],
});

/** Starts the workspace's API on its own port, with databases that can be read, searched and changed. */
export async function startWorkspace(databases: FakeDatabase[]): Promise<FakeWorkspace> {
  const sources = () => fake.databases.flatMap((database) => database.sources);
  const server = http.createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const body = text ? JSON.parse(text) : undefined;
    const { method = '', url: path = '', headers } = request;
    const key = headers.authorization?.replace('Bearer ', '');
    fake.requests.push({ method, path, body, key });

    const fault = fake.faults.shift() ?? fake.down;
    if (fault && fault !== 'none') return answerWithFault(fault, response);
    if (key !== KEY) return fail(response, 401, 'unauthorized', 'API token is invalid.');
    answer(method, new URL(path, fake.url).pathname, body, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const fake: FakeWorkspace = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    databases,
    faults: [],
    down: undefined,
    page: (id) => pageOf(id)!.page,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;

  function answer(method: string, path: string, body: QueryBody & UpdateBody, to: http.ServerResponse) {
    const [, kind, dashedId = '', action = ''] =
      /^\/v1\/(databases|data_sources|pages)\/([^/]+)\/?(\w*)$/.exec(path) ?? [];
    const id = dashedId.replaceAll('-', '');
    const what = `${method} ${kind}${action && ` ${action}`}`;
    const database = fake.databases.find((one) => one.id === id);
    const source = sources().find((one) => one.id === id);
    const found = pageOf(id);
    if (what === 'GET databases' && database) return send(to, 200, databaseJson(database));
    if (what === 'GET data_sources' && source) return send(to, 200, sourceJson(source));
    if (what === 'POST data_sources query' && source) return query(source, body, to);
    if (what === 'GET pages' && found) return send(to, 200, pageJson(found));
    if (what === 'PATCH pages' && found) return update(found, body, to);
    return fail(to, 404, 'object_not_found', `Could not find ${kind} with ID: ${dashedId}.`);
  }

  function query(source: FakeDatabase['sources'][number], body: QueryBody, to: http.ServerResponse) {
    const database = fake.databases.find((one) => one.sources.includes(source))!;
    const fault = faultOf(body.filter, source.columns);
    if (fault) return fail(to, 400, 'validation_error', fault);
    const matching = source.pages.filter((page) => fits(page, body.filter));
    const from = body.start_cursor ? matching.findIndex((page) => page.id === body.start_cursor) : 0;
    if (from < 0) return fail(to, 400, 'validation_error', 'The start_cursor provided is invalid.');
    const size = body.page_size ?? 100;
    const next = matching[from + size]?.id ?? null;
    const results = matching.slice(from, from + size).map((page) => pageJson({ page, source, database }));
    send(to, 200, { object: 'list', results, next_cursor: next, has_more: next !== null });
  }

  function update(found: Found, { properties = {} }: UpdateBody, to: http.ServerResponse) {
    for (const [name, value] of Object.entries(properties)) {
      const column = found.source.columns[name];
      if (!column) return fail(to, 400, 'validation_error', `${name} is not a property that exists.`);
      if (!(column.type in value))
        return fail(to, 400, 'validation_error', `${name} is expected to be ${column.type}.`);
      // Unlike a status, a select takes an unknown option and adds it.
      const option = (value.status as { name: string } | undefined)?.name;
      if (option !== undefined && !column.options?.includes(option))
        return fail(to, 400, 'validation_error', `Status option "${option}" does not exist.`);
    }
    for (const [name, value] of Object.entries(properties))
      found.page.properties[name] = { type: found.source.columns[name]!.type, ...value };
    send(to, 200, pageJson(found));
  }

  function pageOf(id: string): Found | undefined {
    for (const database of fake.databases) {
      for (const source of database.sources) {
        const page = source.pages.find((one) => one.id === id);
        if (page) return { page, source, database };
      }
    }
    return undefined;
  }
}

interface Found {
  page: FakePage;
  source: FakeDatabase['sources'][number];
  database: FakeDatabase;
}

interface QueryBody {
  filter?: FakeFilter;
  start_cursor?: string;
  page_size?: number;
}

interface UpdateBody {
  properties?: Record<string, Record<string, unknown>>;
}

function databaseJson({ id, title, sources }: FakeDatabase) {
  return {
    object: 'database',
    id: dashed(id),
    title: [{ type: 'text', plain_text: title }],
    data_sources: sources.map((source) => ({ id: dashed(source.id), name: title })),
    url: `https://workspace.example/${id}`,
  };
}

function sourceJson({ id, columns }: FakeDatabase['sources'][number]) {
  const properties = Object.entries(columns).map(([name, { type, options }]) => [
    name,
    {
      id: name,
      name,
      type,
      [type]: options ? { options: options.map((one) => ({ id: one, name: one })) } : {},
    },
  ]);
  return { object: 'data_source', id: dashed(id), properties: Object.fromEntries(properties) };
}

/** Adds missing properties as null, as the API does. */
function pageJson({ page, source, database }: Found) {
  const empty = Object.entries(source.columns).map(([name, { type }]) => [
    name,
    { id: name, type, [type]: null },
  ]);
  return {
    object: 'page',
    id: dashed(page.id),
    in_trash: page.in_trash ?? false,
    last_edited_time: page.last_edited_time ?? '2026-11-20T12:00:00.000Z',
    url: `https://workspace.example/${page.id}`,
    parent: { type: 'data_source_id', data_source_id: dashed(source.id), database_id: dashed(database.id) },
    properties: { ...Object.fromEntries(empty), ...page.properties },
  };
}

function answerWithFault(fault: Exclude<Fault, 'none'>, response: http.ServerResponse): void {
  if (fault === 'hang') return;
  if (fault === 'hang-in-body') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"object":');
  } else if (fault === 'drop') response.destroy();
  else if (fault === 'garbage') response.end('<html>Down for maintenance</html>');
  else if (fault === 'wrong-shape') send(response, 200, { object: 'list', results: 7 });
  else {
    const { status, retryAfter, code = 'internal_server_error', message = 'Something is wrong.' } = fault;
    if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
    fail(response, status, code, message);
  }
}

function fail(response: http.ServerResponse, status: number, code: string, message: string): void {
  send(response, status, { object: 'error', status, code, message });
}

function send(response: http.ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
