import { gzipSync } from 'node:zlib';
import type { Insertable } from 'kysely';
import { expect, test } from 'vitest';
import { fetchCalendar } from '#content/ical/sources/fetching.ts';
import { readDueSources } from '#content/ical/sources/reading.ts';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import type { IcalSourcesTable } from '#kernel/db/schema.ts';
import { t } from '#kernel/language/message.ts';
import { type CalendarHost, calendarHost, calendarText, eventLines } from '#test/stand-ins/calendar-host.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { expectRefusal } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';

const QUIZ = calendarText([eventLines('Quiz', '20261121T200000'), eventLines('Choir', '20261124T190000')]);
const many = (count: number) =>
  calendarText(
    Array.from({ length: count }, (_, index) => eventLines(`Night ${index}`, `202612${10 + index}T200000`)),
  );

async function serviceWith(answer: CalendarHost['answer'], env: Record<string, string> = {}) {
  const host = await calendarHost(answer);
  const service = await testApp(env);
  const headers = await appoint(service, 'eve@club.example', 'events');
  const call = async (method: 'POST' | 'PATCH' | 'DELETE', url = '', payload: object = {}) =>
    service.request({ method, url: `/api/admin/ical${url}`, payload, headers });
  const list = async () => (await service.get('/api/admin/ical', headers)).json().sources;
  const end = service[Symbol.asyncDispose];
  return Object.assign(service, {
    host,
    headers,
    call,
    list,
    /** Adds the calendar of the host and waits until it was read. @returns its id */
    async add(input: object = {}): Promise<string> {
      const address = `${host.url}/private-canary-77/basic.ics`;
      const added = await call('POST', '', {
        name: 'Band',
        address,
        goes_to: ['screens', 'calendar'],
        ...input,
      });
      expect(added.json()).toMatchObject({ ok: true });
      await settled(service);
      return added.json().id;
    },
    due: () => readDueSources(service.ctx),
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await end();
    },
  });
}

/** Waits for pending reads: reads run one at a time, so this one ends after them. */
const settled = (service: TestApp) => readDueSources(service.ctx);

const PRODUCTION = {
  NODE_ENV: 'production',
  BASE_URL: 'https://club.example',
  EDGE_ACCESS_TRUST_HEADERS: 'on',
  TRUSTED_PROXIES: '127.0.0.1',
};
const all = () => build.selectFrom('ical_sources').selectAll();
const audit = () => build.selectFrom('audit_log').selectAll();
const insert = (row: Insertable<IcalSourcesTable>) => build.insertInto('ical_sources').values(row);

test('a calendar is added, read in the background, changed and removed', async () => {
  await using service = await serviceWith(() => ({ body: QUIZ }));

  const id = await service.add({ filter: { field: 'title', contains: 'quiz' } });

  const { host } = new URL(service.host.url);
  await expect.poll(service.list).toEqual([
    {
      id,
      name: 'Band',
      host,
      hint: '.ics',
      goes_to: ['screens', 'calendar'],
      place: null,
      prefix: null,
      filter: { field: 'title', contains: 'quiz' },
      read_at: '2026-11-21T17:00:00.000Z',
      error: null,
      events: 2,
    },
  ]);
  const changed = await service.call('PATCH', `/${id}`, { name: 'The band', address: '', filter: null });
  expect(changed.json()).toMatchObject({ ok: true, name: 'The band', filter: null, events: 2 });
  expect((await service.call('DELETE', `/${id}`)).json()).toEqual({ ok: true });
  expect(await service.list()).toEqual([]);
  expectRefusal(await service.call('DELETE', `/${id}`), 404, 'no_such_calendar');
  expect(service.host.requests).toHaveLength(1);
});

test('an invalid calendar is refused, and the field is named', async () => {
  await using service = await serviceWith(() => ({ body: QUIZ }));
  const refusal = async (input: object) => {
    const whole = { name: 'Band', address: 'https://x.example/a.ics', goes_to: 'holidays', ...input };
    const answer = await service.call('POST', '', whole);
    expect(answer.body).not.toContain('a:b');
    return [answer.statusCode, answer.json().errors[0].path];
  };

  expect(await refusal({ address: 'no address' })).toEqual([400, 'address']);
  expect(await refusal({ address: 'ftp://x.example/a.ics' })).toEqual([400, 'address']);
  expect(await refusal({ address: 'https://a:b@x.example/a.ics' })).toEqual([400, 'address']);
  expect(await refusal({ goes_to: [] })).toEqual([400, 'goes_to']);
  expect(await refusal({ goes_to: ['kitchen'] })).toEqual([400, 'goes_to']);
  expect(await refusal({ filter: { field: 'colour', contains: 'x' } })).toEqual([400, 'filter.field']);
  expect(await refusal({ name: '' })).toEqual([400, 'name']);
  expect(service.host.requests).toEqual([]);
});

test('an address may be written as it is copied from mails and programs', async () => {
  await using service = await serviceWith(() => ({ body: QUIZ }), PRODUCTION);
  const add = async (address: string) =>
    (await service.call('POST', '', { name: 'Band', address, goes_to: 'holidays' })).statusCode;
  for (const address of [
    'feed://x.invalid/a.ics',
    'feed:https://x.invalid/a.ics',
    '<https://x.invalid/a.ics>',
  ])
    expect([address, await add(address)]).toEqual([address, 200]);
  for (const address of ['"https://x.invalid/a.ics"', 'x.invalid/a.ics', 'webcals://x.invalid/a.ics'])
    expect([address, await add(address)]).toEqual([address, 200]);
  expect(await add('localhost')).toBe(400);
  await settled(service);
});

test('the charset that a server names is used', async () => {
  const body = Buffer.from(QUIZ.replaceAll('SUMMARY:', 'SUMMARY:Käse '), 'latin1');
  await using service = await serviceWith(() => ({
    body,
    headers: { 'content-type': 'text/calendar; charset="ISO-8859-1"' },
  }));
  await service.add();
  await settled(service);

  expect((await service.get('/api/events')).json().todayEvents[0].title).toMatch(/^Käse /);
});

test('in production only public https addresses are read', async () => {
  await using service = await serviceWith(() => ({ body: QUIZ }), PRODUCTION);
  const add = (address: string) => service.call('POST', '', { name: 'Band', address, goes_to: 'holidays' });
  for (const [address, reason] of [
    ['http://x.example/a-canary.ics', 'only https is fetched'],
    ['webcal://127.0.0.1/a-canary.ics', 'it is not a public address'],
    ['https://[::ffff:127.0.0.1]/a-canary.ics', 'it is not a public address'],
    ['https://2130706433/a-canary.ics', 'it is not a public address'],
    ['https://10.0.0.1/a-canary.ics', 'it is not a public address'],
  ] as const) {
    const answer = await add(address);
    expect([address, answer.statusCode]).toEqual([address, 400]);
    expect(answer.body).toContain(reason);
  }
  // The address of a host name is known only when it is resolved.
  expect((await add('https://localhost/a-canary.ics')).statusCode).toBe(200);
  await settled(service);
  await expect.poll(service.list).toMatchObject([{ error: 'It is not a public address', read_at: null }]);
  expect(service.logged.filter((line) => line.includes('canary'))).toEqual([]);
});

test('in production a private host is read if the operator listed it', async () => {
  const env = { ...PRODUCTION, ICAL_PRIVATE_HOSTS: 'nas.local, 127.0.0.1' };
  await using service = await serviceWith(() => ({ body: QUIZ }), env);

  await service.add();

  await expect.poll(service.list).toMatchObject([{ error: null, events: 2 }]);
});

test('a redirect from a private host to another one is refused', async () => {
  const env = { ...PRODUCTION, ICAL_PRIVATE_HOSTS: '127.0.0.1' };
  await using service = await serviceWith(
    () => ({ status: 302, headers: { location: 'https://10.0.0.1/' } }),
    env,
  );

  await service.add();

  await expect.poll(service.list).toMatchObject([{ error: 'It is not a public address', read_at: null }]);
});

test('there are at most ten external calendars', async () => {
  await using service = await serviceWith(() => ({ body: QUIZ }));
  const input = { name: 'Band', address: service.host.url, goes_to: 'holidays' };
  for (let count = 0; count < 10; count += 1) await service.call('POST', '', input);

  expectRefusal(await service.call('POST', '', input), 409, 'too_many_calendars', { max: 10 });
});

test('the second read sends validators, also over a redirect to another host; a 304 writes nothing', async () => {
  await using service = await serviceWith(() => ({
    body: QUIZ,
    headers: { etag: '"a"', 'last-modified': 'Sat, 21 Nov 2026 10:00:00 GMT' },
  }));
  await using front = await calendarHost(() => ({
    status: 302,
    headers: { location: `${service.host.url}/x` },
  }));
  await service.add({ address: front.url });
  await expect.poll(async () => (await service.list())[0].events).toBe(2);
  service.host.answer = () => ({ status: 304 });
  service.clock.now += 2 * HOUR;
  // Stores the changed feed now, so that no later write is counted.
  await service.calendarContext.programmeFeed.refresh();
  const changes = service.ctx.changes();

  await service.due();

  expect(service.host.requests[1]?.headers).toMatchObject({
    'if-none-match': '"a"',
    'if-modified-since': 'Sat, 21 Nov 2026 10:00:00 GMT',
    'user-agent': expect.stringContaining('PublicHouse'),
  });
  expect(service.ctx.changes()).toBe(changes);
  expect(await service.list()).toMatchObject([
    { read_at: '2026-11-21T19:00:00.000Z', error: null, events: 2 },
  ]);
});

test('a calendar is read about once an hour, or less often if it asks for that', async () => {
  const headers = { etag: '"a"' };
  await using service = await serviceWith(() => ({ body: QUIZ, headers }));
  await service.add();
  await expect.poll(async () => (await service.list())[0].events).toBe(2);
  for (let minute = 0; minute < 24 * 60; minute += 1) {
    if (minute === 4 * 60) service.host.answer = () => ({ status: 304 });
    service.clock.now += MINUTE;
    await service.due();
  }
  expect(service.host.requests.length).toBeGreaterThanOrEqual(22);
  expect(service.host.requests.length).toBeLessThanOrEqual(28);

  service.host.answer = () => ({
    body: calendarText([eventLines('Quiz', '20261121T200000')], 'X-PUBLISHED-TTL:PT12H'),
  });
  service.clock.now += 2 * HOUR;
  await service.due();
  const before = service.host.requests.length;
  for (let hour = 0; hour < 10; hour += 1) {
    service.clock.now += HOUR;
    await service.due();
  }
  expect(service.host.requests.length).toBe(before);
});

test('a source that is down is requested less and less often, and keeps its events', async () => {
  const both = calendarText([eventLines('Quiz', '20261121T200000'), eventLines('Party', '20261224T200000')]);
  await using service = await serviceWith(() => ({ body: both, headers: { etag: '"a"' } }));
  await service.add();
  await expect.poll(async () => (await service.list())[0].events).toBe(2);
  service.host.answer = () => ({ status: 404 });
  service.clock.now += 2 * HOUR;
  for (let minute = 0; minute < 24 * 60; minute += 1) {
    await service.due();
    service.clock.now += MINUTE;
  }

  expect(service.host.requests.length - 1).toBeLessThanOrEqual(12);
  expect(await service.list()).toMatchObject([
    { error: 'It answered 404', events: 2, read_at: '2026-11-21T17:00:00.000Z' },
  ]);
  service.host.answer = () => ({ status: 304 });
  service.clock.now += 7 * HOUR;
  await service.due();
  const [{ error, events, read_at: lastRead }] = await service.list();
  expect([error, events]).toEqual([null, 2]);

  service.host.answer = () => ({ status: 404 });
  service.clock.now += 29 * DAY;
  await service.due();
  expect(await service.list()).toMatchObject([{ error: 'It answered 404', read_at: lastRead, events: 2 }]);
  expect((await service.get('/api/events?window=30')).json()).toMatchObject({
    stale: false,
    weekEvents: [{ title: 'Party' }],
  });
});

test('Retry-After is respected', async () => {
  await using service = await serviceWith(() => ({ status: 503, headers: { 'retry-after': '7200' } }));
  await service.add();
  await expect.poll(async () => (await service.list())[0].error).toBe('It answered 503');
  service.clock.now += 2 * HOUR - MINUTE;
  await service.due();
  expect(service.host.requests).toHaveLength(1);

  service.clock.now += MINUTE;
  await service.due();
  expect(service.host.requests).toHaveLength(2);
});

/** Sends raw lines that Node's server would not send, and closes the connection. */
function raw(lines: string): CalendarHost['answer'] {
  return (_path, _headers, response) => void response.socket?.end(`HTTP/1.1 200 OK\r\n${lines}`);
}

const UNUSABLE: [what: string, answer: CalendarHost['answer'], error: string][] = [
  ['a page', () => ({ body: '<!doctype html>' }), 'It is not a calendar'],
  ['nothing', () => ({ body: '' }), 'It answered 200 and sent nothing'],
  [
    'a question for a login',
    () => ({ status: 401 }),
    'It answered 401: it asks for a login, and this service has none. Use a public or secret address of the calendar',
  ],
  ['204', () => ({ status: 204 }), 'It answered 204 and sent nothing'],
  ['half a calendar', () => ({ body: QUIZ.slice(0, -20) }), 'It is cut off: its end is missing'],
  [
    'more than 10 MB',
    () => ({ body: Buffer.alloc(11 * 1024 * 1024) }),
    'Its answer has more than 10485760 bytes',
  ],
  [
    'a packed answer of 11 MB',
    () => ({ body: gzipSync(Buffer.alloc(11 * 1024 * 1024)), headers: { 'content-encoding': 'gzip' } }),
    'Its answer has more than 10485760 bytes',
  ],
  ['a circle', () => ({ status: 302, headers: { location: '/again' } }), 'It redirects too often'],
  [
    'new addresses without end',
    (path) => ({ status: 302, headers: { location: `${path}x` } }),
    'It redirects too often',
  ],
  ['less than it says', raw(`content-length: 9999\r\n\r\n${QUIZ}`), 'The connection failed (UND_ERR_SOCKET)'],
  ['more than it says', raw(`content-length: 40\r\n\r\n${QUIZ}`), 'It is cut off: its end is missing'],
  ['a file', () => ({ status: 302, headers: { location: 'file:///etc/passwd' } }), 'It leads elsewhere'],
  [
    'our own feed',
    () => ({ body: calendarText([]).replace('-//other//EN', '//Public House//Programme//EN') }),
    'It is the feed of this service itself',
  ],
];

test('after a response that is not a calendar the last good content is kept, and the reason shown', async () => {
  await using service = await serviceWith(() => ({ body: QUIZ }));
  const id = await service.add();
  await expect.poll(async () => (await service.list())[0].events).toBe(2);
  for (const [what, answer, error] of UNUSABLE) {
    service.host.answer = answer;
    service.clock.now += 2 * MINUTE;

    const read = await service.call('POST', `/${id}/read`);

    const kept = { ok: true, error, events: 2, read_at: '2026-11-21T17:00:00.000Z' };
    expect([what, read.json()]).toMatchObject([what, kept]);
  }
  expect((await service.get('/api/events')).json()).toMatchObject({
    stale: false,
    todayEvents: [{ title: 'Quiz' }],
  });
});

test('a host that responds very slowly times out', async () => {
  await using service = await serviceWith(() => ({ body: QUIZ }));
  let drops: NodeJS.Timeout | undefined;
  service.host.answer = (_path, _headers, response) => {
    response.writeHead(200, { 'content-length': '2000000000' });
    drops = setInterval(() => response.write('B'), 5);
  };

  const fetched = await fetchCalendar(service.ctx, `${service.host.url}/x`, {
    etag: null,
    lastModified: null,
    before: null,
    withinMs: 200,
  });
  clearInterval(drops);

  expect(fetched).toEqual({ kind: 'failed', reason: t('settings.upstream.too_late'), waitMs: 0 });
});

test('reading again within a minute is refused', async () => {
  await using service = await serviceWith(() => ({ body: QUIZ }));
  const id = await service.add();

  const soon = await service.call('POST', `/${id}/read`);
  expect([soon.statusCode, soon.headers['retry-after']]).toEqual([429, '60']);
  service.clock.now += MINUTE;
  expect((await service.call('POST', `/${id}/read`)).json()).toMatchObject({ events: 2, error: null });
  expectRefusal(await service.call('POST', `/${id}/read`), 429, 'calendar_just_read');
});

test('the removal of nearly all events is accepted only when the next read confirms it', async () => {
  await using service = await serviceWith(() => ({ body: many(12) }));
  await service.add();
  await expect.poll(async () => (await service.list())[0].events).toBe(12);
  service.host.answer = () => ({ body: many(1) });

  service.clock.now += 2 * HOUR;
  await service.due();
  expect(await service.list()).toMatchObject([
    { events: 12, error: expect.stringContaining('only 1 of 12') },
  ]);
  service.clock.now += 2 * HOUR;
  await service.due();
  expect(await service.list()).toMatchObject([{ events: 1, error: null }]);
});

test('an invalid event is named', async () => {
  const bad = ['UID:bad', 'SUMMARY:Bingo', 'DTSTART:20261399'];
  await using service = await serviceWith(() => ({
    body: calendarText([eventLines('Quiz', '20261121T200000'), bad]),
  }));
  await service.add();

  await expect
    .poll(service.list)
    .toMatchObject([
      { events: 1, error: '1 of 2 events could not be read in full: “Bingo”: its start cannot be read' },
    ]);
});

test('after a restart the events are there before anything is read', async () => {
  await using service = await serviceWith(() => ({ body: QUIZ }));
  await service.add();
  await expect.poll(async () => (await service.list())[0].events).toBe(2);
  await using again = await testApp();
  for (const row of service.ctx.db.all(all())) await again.ctx.write((tx) => tx.run(insert(row)));

  expect((await again.get('/api/events')).json().todayEvents).toMatchObject([{ title: 'Quiz' }]);
});

test('the address is in no response, page, log line, audit entry, error or copy of the database', async () => {
  await using service = await serviceWith(() => ({ body: QUIZ }));
  const CANARY = 'private-canary-77';
  const id = await service.add();
  await expect.poll(async () => (await service.list())[0].events).toBe(2);
  const said: string[] = [];
  for (const answer of [
    () => ({ status: 500 }),
    (_p: string, _h: object, response: { destroy(): void }) => void response.destroy(),
  ]) {
    service.host.answer = answer as CalendarHost['answer'];
    service.clock.now += DAY;
    said.push((await service.call('POST', `/${id}/read`)).body);
  }
  const address = `${service.host.url}/${CANARY}/other.ics`;
  const form = {
    name: '',
    address,
    goes_to: 'screens',
    filter_field: 'title',
    filter_contains: '',
    form: 'new',
  };
  said.push((await service.submit('/admin/content/ical', form, service.headers)).body);
  said.push(
    (await service.call('POST', '', { name: 'x', address: `ftp://${CANARY}/`, goes_to: 'holidays' })).body,
  );
  said.push((await service.call('PATCH', `/${id}`, { address })).body);
  for (const url of [
    '/admin/content/ical',
    '/api/admin/ical',
    '/admin/pub/audit',
    '/api/events',
    '/programme',
  ])
    said.push((await service.get(url, service.headers)).body);
  said.push(
    ...service.logged,
    JSON.stringify(service.ctx.db.all(audit())),
    JSON.stringify(service.ctx.db.all(all())),
  );

  expect(said.filter((text) => text.includes(CANARY))).toEqual([]);
  expect(said.join()).toContain('.ics');
});
