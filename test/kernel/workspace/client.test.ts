import pino from 'pino';
import { expect, test, vi } from 'vitest';
import { readConfig } from '#kernel/config.ts';
import { AppError } from '#kernel/http/errors.ts';
import {
  createWorkspace,
  ensureWorkspace,
  titleContains,
  type WorkspaceClient,
  workspaceIdIn,
} from '#kernel/workspace/client.ts';
import {
  dashed,
  type FakeDatabase,
  type Fault,
  id,
  KEY,
  startWorkspace,
  title,
} from '#test/stand-ins/workspace-server.ts';
import { message } from '#test/support/messages.ts';

const MOTIONS: FakeDatabase = {
  id: id(0xa),
  title: 'Motions',
  sources: [
    {
      id: id(0xa1),
      columns: { Motion: { type: 'title' }, Status: { type: 'status', options: ['Open', 'Closed'] } },
      pages: [
        { id: id(1), properties: { Motion: title('Buy a piano') } },
        { id: id(2), properties: { Motion: title('Paint the bar') } },
        { id: id(3), properties: { Motion: title('Sell the piano') }, in_trash: true },
      ],
    },
    {
      id: id(0xa2),
      columns: { Name: { type: 'title' } },
      pages: [{ id: id(4), properties: { Name: title('Piano lessons') } }],
    },
  ],
};

test('a database is read with its data sources, at most once a minute', async () => {
  await using service = await start();

  const database = await service.client.getDatabase(dashed(id(0xa)));
  await service.client.getDatabase(id(0xa).toUpperCase());

  expect(database).toEqual({
    id: id(0xa),
    written: dashed(id(0xa)),
    name: 'Motions',
    dataSources: [
      { id: dashed(id(0xa1)), name: 'Motions' },
      { id: dashed(id(0xa2)), name: 'Motions' },
    ],
  });
  expect(service.server.requests).toEqual([
    { method: 'GET', path: `/v1/databases/${id(0xa)}`, body: undefined, key: KEY },
  ]);
});

test('pages are read page by page, through every data source, without those in the trash', async () => {
  await using service = await start();
  const titles: string[] = [];
  let cursor: string | null = '0:';

  while (cursor !== null) {
    const answer: Awaited<ReturnType<WorkspaceClient['queryPages']>> = await service.client.queryPages(
      id(0xa),
      {
        pageSize: 1,
        cursor,
      },
    );
    titles.push(...answer.pages.map((page) => page.title));
    cursor = answer.next;
  }

  expect(titles).toEqual(['Buy a piano', 'Paint the bar', 'Piano lessons']);
});

test('pages are found by a part of their title', async () => {
  await using service = await start();

  const { pages, next } = await service.client.queryPages(id(0xa), { filter: titleContains('piano') });

  expect(pages.map((page) => page.id)).toEqual([id(1)]);
  expect(next).toBe('1:');
});

test('a page comes with its title, its database and its properties', async () => {
  await using service = await start();

  expect(await service.client.getPage(dashed(id(1)))).toEqual({
    id: id(1),
    written: dashed(id(1)),
    title: 'Buy a piano',
    parentDatabaseId: id(0xa),
    parentWritten: dashed(id(0xa)),
    dataSourceId: dashed(id(0xa1)),
    lastEdited: '2026-11-20T12:00:00.000Z',
    properties: { Motion: title('Buy a piano'), Status: { id: 'Status', type: 'status', status: null } },
  });
});

test('the columns of a data source name their options', async () => {
  await using service = await start();

  expect(await service.client.listColumns(id(0xa1))).toEqual([
    { name: 'Motion', type: 'title' },
    { name: 'Status', type: 'status', options: ['Open', 'Closed'] },
  ]);
});

test('a change sets the properties it names', async () => {
  await using service = await start();

  const page = await service.client.updatePage(id(1), { Status: { status: { name: 'Open' } } });

  expect(page.properties.Status).toMatchObject({ type: 'status', status: { name: 'Open' } });
  expect(page.title).toBe('Buy a piano');
});

test.each([
  ['unknown', id(99)],
  ['malformed', 'no-id'],
  ['like a path', '../users/me'],
  ['in the trash', id(3)],
])('a page whose id is %s is a 404', async (_what, page) => {
  await using service = await start();

  expect(await faultOf(service.client.getPage(page))).toMatchObject({ statusCode: 404 });
  expect(service.server.requests.every(({ path }) => path.startsWith('/v1/pages/0000'))).toBe(true);
});

test.each<[string, Fault, RegExp]>([
  ['hangs', 'hang', /^The workspace cannot be reached: it did not answer in time$/],
  ['hangs in the middle of its answer', 'hang-in-body', /did not answer in time$/],
  ['drops the connection', 'drop', /^The workspace cannot be reached: the connection failed \(\w+\)$/],
  ['answers something else than JSON', 'garbage', /its answer cannot be read$/],
  ['answers JSON of another shape', 'wrong-shape', /its answer cannot be read$/],
  ['always answers 500', { status: 500 }, /it answered 500$/],
  ['always answers 503', { status: 503 }, /it answered 503$/],
  ['always answers 429', { status: 429, retryAfter: 0 }, /it asks for a pause, try again in 1 s$/],
  [
    'refuses the key',
    { status: 401, code: 'unauthorized' },
    /^The workspace refused the key in WORKSPACE_API_KEY \(401\)$/,
  ],
  ['forbids it', { status: 403 }, /refused the key in WORKSPACE_API_KEY \(403\)$/],
])('when the provider %s, reads, queries and changes fail with a clear 502', async (_what, fault, text) => {
  await using service = await start(String(fault).startsWith('hang') ? 100 : undefined);
  // With such a short timeout it may take more than one call on a busy machine.
  await vi.waitFor(() => service.client.getDatabase(id(0xa)), { timeout: 60_000 });
  service.server.down = fault;

  const faults = await Promise.all([
    faultOf(service.client.getPage(id(1))),
    faultOf(service.client.queryPages(id(0xa))),
    faultOf(service.client.updatePage(id(1), { Status: { status: { name: 'Open' } } })),
  ]);

  for (const error of faults) {
    expect(error).toMatchObject({ statusCode: 502 });
    expect(error.message).toMatch(text);
  }
  expect(service.logged.join()).not.toContain(KEY);
});

test('a provider that refuses connections gives a 502', async () => {
  const service = await start();
  await service[Symbol.asyncDispose]();

  expect((await faultOf(service.client.getPage(id(1)))).message).toBe(
    message('workspace_unreachable', { reason: 'the connection failed (ECONNREFUSED)' }),
  );
});

test.each([409, 429, 500, 503, 529])(
  'a temporary %i is retried for reads, queries and changes',
  async (status) => {
    await using service = await start();
    await service.client.getDatabase(id(0xa));

    for (const call of [
      () => service.client.getPage(id(1)),
      () => service.client.queryPages(id(0xa)),
      () => service.client.updatePage(id(1), { Status: { status: { name: 'Open' } } }),
    ]) {
      service.server.faults = [{ status }, { status }];
      await call();
      expect(service.server.faults).toEqual([]);
    }
  },
);

test('the delay before a retry is that of Retry-After', async () => {
  await using service = await start();
  service.server.faults = [{ status: 429, retryAfter: 4 }, { status: 503 }];

  await service.client.getPage(id(1));

  expect(service.waits).toEqual([4_000, 1_000]);
});

test('a long Retry-After is not waited for, but applies to later calls', async () => {
  await using service = await start();
  service.server.faults = [{ status: 429, retryAfter: 90 }];

  const first = await faultOf(service.client.getPage(id(1)));
  service.clock.now += 30_000;
  const second = await faultOf(service.client.getPage(id(2)));

  expect(first).toMatchObject({ statusCode: 502, extra: { retryAfter: 90 } });
  expect(second.message).toBe(
    message('workspace_unreachable', { reason: 'it asks for a pause, try again in 60 s' }),
  );
  expect(service.server.requests).toHaveLength(1);
  service.clock.now += 60_000;
  expect(await service.client.getPage(id(2))).toMatchObject({ title: 'Paint the bar' });
});

test('no more than three calls start in one second', async () => {
  await using service = await start();

  await Promise.all(Array.from({ length: 7 }, () => service.client.getPage(id(1))));

  expect(service.waits).toEqual([1_000, 1_000, 1_000, 2_000]);
});

test('a change that is invalid for its property is a 400 with the provider’s reason, and not retried', async () => {
  await using service = await start();

  const error = await faultOf(service.client.updatePage(id(1), { Status: { status: { name: 'Gone' } } }));

  expect(error).toMatchObject({
    statusCode: 400,
    message: 'The workspace refused this: Status option "Gone" does not exist.',
  });
  expect(service.server.requests).toHaveLength(1);
});

test('without a key there is no client, and using it names the missing setting', () => {
  expect(createWorkspace(readConfig({}, ''), silent)).toBeUndefined();
  expect(() => ensureWorkspace(undefined)).toThrow(
    expect.objectContaining({ statusCode: 500, message: expect.stringContaining('WORKSPACE_API_KEY') }),
  );
});

test('a key that is invalid in a header stops the start', () => {
  expect(() => readConfig({ WORKSPACE_API_KEY: 'se cret' }, '')).toThrow(/^WORKSPACE_API_KEY: /);
});

test('the allowlist takes ids with and without dashes, in any letter case', () => {
  const list = `${dashed(id(0xa)).toUpperCase()}, ${id(0xb)},${id(0xa)}`;

  expect(readConfig({ WORKSPACE_ALLOWED_DATABASE_IDS: list }, '').WORKSPACE_ALLOWED_DATABASE_IDS).toEqual([
    id(0xa),
    id(0xb),
  ]);
  expect(() => readConfig({ WORKSPACE_ALLOWED_DATABASE_IDS: 'motions' }, '')).toThrow(
    'WORKSPACE_ALLOWED_DATABASE_IDS: must be a comma list of database ids',
  );
});

test.each([
  [dashed(id(7)), id(7)],
  [`https://workspace.example/club/Buy-a-piano-${id(7)}?v=${id(8)}`, id(7)],
  ['Buy a piano', undefined],
])('an id is found in %s', (text, found) => {
  expect(workspaceIdIn(text)).toBe(found);
});

const silent = pino({ level: 'silent' });

/** Starts the fake API and a client for it, whose waits are skipped and recorded. */
async function start(timeoutMs = 10_000) {
  const server = await startWorkspace(structuredClone([MOTIONS]));
  const clock = { now: 0 };
  const waits: number[] = [];
  const logged: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  const config = readConfig({ WORKSPACE_API_KEY: KEY, WORKSPACE_API_URL: `${server.url}/` }, '');
  const client = createWorkspace(config, log, {
    now: () => clock.now,
    sleep: async (ms) => void waits.push(ms),
    timeoutMs,
  })!;
  return { server, client, clock, waits, logged, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function faultOf(call: Promise<unknown>): Promise<AppError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw new Error(`Expected an AppError, got ${String(error)}`);
  return error;
}
