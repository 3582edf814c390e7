import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { newId } from '#kernel/ids.ts';
import { grantRole } from '#people/roles.ts';
import type { TestApp } from '#test/support/app.ts';
import { testApp } from '#test/support/app.ts';
import { errorJson, expectBadField, expectRefusal, message } from '#test/support/messages.ts';
import { ADMIN, BROWSER, type CalendarService, calendarService, FORM, JANE, subscribe } from './fixtures.ts';
import { json, startUpstream } from './upstream.ts';

const ANN = { name: 'Ann Élan', email: 'ann_b@club.example' };
const list = async (service: TestApp, query = '') =>
  (await service.get(`/api/admin/subs/list${query}`, ADMIN)).json();
const audit = ({ ctx }: TestApp) =>
  ctx.db.all(build.selectFrom('audit_log').select(['action', 'metadata']).orderBy('seq'));

/** Headers of somebody with one role. */
async function as(service: TestApp, role: 'viewer' | 'events' | 'dj') {
  const email = `${role}@club.example`;
  await grantRole(service.ctx, email, role, { ip: 'test', at: service.clock.now });
  return { 'edge-access-authenticated-user-email': email };
}

/** Adds many subscribers at once, as if they had all confirmed their links now. */
function addSubscribers({ ctx, clock: { now } }: TestApp, count: number): Promise<void> {
  return ctx.write((tx) => {
    for (let at = 0; at < count; at++) {
      const person = { name: `M ${at}`, email: `m${at}@club.example`, search: `m ${at} m${at}@club.example` };
      const row = { id: newId(now), calendar_id: 'programs', ...person, created_at: now, verified_at: now };
      tx.run(build.insertInto('subscribers').values(row));
    }
  });
}

async function withTwo(): Promise<CalendarService> {
  const service = await calendarService();
  await subscribe(service);
  service.clock.now += HOUR;
  await subscribe(service, ANN);
  return service;
}

test('the statistics count people, addresses, links and reads, in total and by calendar', async () => {
  await using service = await withTwo();
  const { feed, token } = await (async () => {
    service.clock.now += HOUR;
    return subscribe(service);
  })();
  expect(token).toHaveLength(43);
  service.clock.now += HOUR;
  await service.post(FORM, { name: 'Bob', email: 'bob@club.example' });
  for (const agent of ['Google-Calendar-Importer', 'Google-Calendar-Importer', 'iOS/18.1 dataaccessd/1.0'])
    await service.get(feed, { 'user-agent': agent });
  await service.post('/api/admin/revoke', { calendar_id: 'programs', email: ANN.email }, ADMIN);

  const { calendars, ...all } = (await service.get('/api/admin/stats', ADMIN)).json();
  expect(all).toEqual({
    subscribers: { total: 2, active: 1, disabled: 1 },
    tokens: { live: 2, expired: 0, revoked: 1 },
    verifications: { last_24h: 4, last_7d: 4, pending: 1 },
    accesses: { last_24h: 3, last_7d: 3, by_client: { google: 2, apple: 1 } },
  });
  expect(calendars.programs).toEqual(all);
  expect(calendars.internal).toEqual({
    subscribers: { total: 0, active: 0, disabled: 0 },
    tokens: { live: 0, expired: 0, revoked: 0 },
    verifications: { last_24h: 0, last_7d: 0, pending: 0 },
    accesses: { last_24h: 0, last_7d: 0, by_client: {} },
  });

  service.clock.now += 2 * DAY;
  const later = (await service.get('/api/admin/stats', ADMIN)).json();
  expect(later.verifications).toEqual({ last_24h: 0, last_7d: 4, pending: 0 });
  expect(later.accesses).toEqual({ last_24h: 0, last_7d: 3, by_client: { google: 2, apple: 1 } });
  service.clock.now += 400 * DAY;
  expect((await service.get('/api/admin/stats', ADMIN)).json().tokens).toEqual({
    live: 0,
    expired: 2,
    revoked: 1,
  });
});

test('reads by the same program are added up over all calendars', async () => {
  await using service = await calendarService();
  const at = service.clock.now;
  await service.ctx.write((tx) => {
    for (const calendar_id of ['programs', 'internal', 'internal']) {
      const read = { calendar_id, token_id: 'x', at, client: 'google', address: '' };
      tx.run(build.insertInto('feed_accesses').values(read));
    }
  });

  const { accesses, calendars } = (await service.get('/api/admin/stats', ADMIN)).json();
  expect(accesses.by_client).toEqual({ google: 3 });
  expect(calendars.internal.accesses.by_client).toEqual({ google: 2 });
});

test('the list shows the subscribers, never a token, and can be searched by name and address', async () => {
  await using service = await withTwo();
  service.clock.now += HOUR;
  const { token, feed } = await subscribe(service, { name: 'Zoë', email: 'zoe@club.example' });
  await service.get(feed, { 'user-agent': 'Microsoft Outlook 16' });

  const all = await list(service);
  expect(all).toMatchObject({ calendar_id: 'programs', total: 3 });
  expect(all.subscribers[0]).toEqual({
    id: expect.any(String),
    calendar_id: 'programs',
    name: 'Zoë',
    email: 'zoe@club.example',
    status: 'active',
    created_at: '2026-11-21T19:00:00.000Z',
    verified_at: '2026-11-21T19:00:00.000Z',
    tokens: 1,
    token: token.slice(-4),
    last_access_at: '2026-11-21T19:00:00.000Z',
    client: 'outlook',
  });
  expect(JSON.stringify(all)).not.toContain(token);
  const found = async (q: string) => {
    const { subscribers, total } = await list(service, `?calendar_id=programs&q=${encodeURIComponent(q)}`);
    return [total, ...subscribers.map(({ email }: { email: string }) => email)];
  };
  expect(await found('ANN')).toEqual([1, ANN.email]);
  expect(await found('ÉLAN')).toEqual([1, ANN.email]);
  expect(await found('élan')).toEqual([1, ANN.email]);
  expect(await found('n_b')).toEqual([1, ANN.email]);
  expect(await found('%')).toEqual([0]);
  expect(await found('club.example')).toEqual([3, 'zoe@club.example', ANN.email, JANE.email]);
  expect(await list(service, '?limit=1&offset=1')).toMatchObject({
    total: 3,
    subscribers: [{ email: ANN.email }],
  });
  expect(await list(service, '?calendar_id=internal')).toEqual({
    calendar_id: 'internal',
    subscribers: [],
    total: 0,
  });
});

test('the list has at most 1,000 subscribers, but its total counts all', async () => {
  await using service = await testApp({ PUB_ADMIN_TOKEN: ADMIN['x-admin-token'] });
  await addSubscribers(service, 1_005);

  const { subscribers, total } = await list(service);
  expect([subscribers.length, total]).toEqual([1_000, 1_005]);
});

test('a subscriber is stopped and allowed again by address or id, even if repeated', async () => {
  await using service = await withTwo();
  const { feed } = await (async () => {
    service.clock.now += HOUR;
    return subscribe(service);
  })();
  const who = { calendar_id: 'programs', email: ' JANE@club.example ' };
  const revoke = (body: object) => service.post('/api/admin/revoke', body, ADMIN);

  const stopped = await revoke(who);
  expect(stopped.json()).toMatchObject({
    ok: true,
    tokens_revoked: 2,
    subscriber: { email: JANE.email, status: 'disabled', tokens: 0, token: null },
  });
  expect((await service.get(feed)).statusCode).toBe(403);
  expect((await revoke(who)).json()).toMatchObject({ ok: true, tokens_revoked: 0 });
  const { id } = stopped.json().subscriber;

  const allowed = await service.post(
    '/api/admin/enable',
    { calendar_id: 'programs', email: JANE.email },
    ADMIN,
  );
  expect(allowed.json()).toMatchObject({
    ok: true,
    tokens_revoked: 0,
    subscriber: { id, status: 'active', tokens: 0 },
  });
  expect((await service.get(feed)).statusCode).toBe(404);
  service.clock.now += 2 * MINUTE;
  expect((await service.get((await subscribe(service)).feed)).statusCode).toBe(200);
  expect((await revoke({ subscriber_id: id })).json().tokens_revoked).toBe(1);
  // Without a calendar the programs are meant.
  const enabled = await service.post('/api/admin/enable', { email: JANE.email }, ADMIN);
  expect(enabled.json()).toMatchObject({ ok: true, subscriber: { id, status: 'active' } });

  for (const body of [
    { calendar_id: 'programs', email: 'nobody@club.example' },
    { calendar_id: 'internal', email: JANE.email },
    { subscriber_id: 'x' },
  ])
    expectRefusal(await revoke(body), 404, 'subscriber_not_found');
  for (const [body, path] of [
    [{}, 'email'],
    [{ calendar_id: 'programs' }, 'email'],
    [{ calendar_id: 'programs', email: 'no' }, 'email'],
  ] as const) {
    const answer = await revoke(body);
    expect([answer.statusCode, answer.json().errors[0].path]).toEqual([400, path]);
  }
});

test('actions are in the audit log with the officer, without an address or a token', async () => {
  await using service = await calendarService();
  const { token } = await subscribe(service);
  const who = { calendar_id: 'programs', email: JANE.email };
  await service.post('/api/admin/revoke', who, ADMIN);
  await service.post('/api/admin/enable', who, ADMIN);
  await service.request({
    method: 'PATCH',
    url: '/api/admin/calendars/internal',
    payload: { enabled: false },
    headers: ADMIN,
  });

  const entries = audit(service);
  expect(entries.map(({ action }) => action)).toEqual([
    'subscription.requested',
    'subscription.verified',
    'subscriber.disabled',
    'subscriber.enabled',
    'calendar.switched',
  ]);
  expect(entries.slice(2).map(({ metadata }) => JSON.parse(metadata).by)).toEqual(
    Array(3).fill('token:pub_admin'),
  );
  expect(JSON.stringify(entries)).not.toMatch(/jane/i);
  expect(JSON.stringify(entries)).not.toContain(token);
});

test('calendars are listed, and switched on and off', async () => {
  await using service = await calendarService();
  const both = [
    { id: 'programs', title: 'Club programme', enabled: true },
    { id: 'internal', title: 'Internal calendar', enabled: true },
  ];
  const patch = (id: string, payload: object) =>
    service.request({
      method: 'PATCH',
      url: `/api/admin/calendars/${id}`,
      payload,
      headers: { accept: 'application/json', ...ADMIN },
    });

  expect((await service.get('/api/admin/calendars', ADMIN)).json()).toEqual({ calendars: both });
  expect((await patch('internal', { enabled: false })).json()).toEqual({
    ok: true,
    calendar: { ...both[1], enabled: false },
  });
  expect((await service.get('/api/admin/calendars', ADMIN)).json().calendars[1].enabled).toBe(false);
  expectRefusal(await patch('pub', { enabled: false }), 404, 'calendar_not_found');
  expect((await patch('internal', { enabled: 'maybe' })).json().errors[0].path).toBe('enabled');
  expectBadField(await patch('internal', {}), 'enabled', 'not_true_or_false');
});

const ROUTES: [method: 'GET' | 'POST' | 'PATCH', url: string, permission: string][] = [
  ['GET', '/api/admin/stats', 'calendar:read'],
  ['GET', '/api/admin/subs/list', 'calendar:read'],
  ['GET', '/api/admin/calendars', 'calendar:read'],
  ['GET', '/admin/calendar', 'calendar:read'],
  ['POST', '/api/admin/revoke', 'calendar:write'],
  ['POST', '/api/admin/enable', 'calendar:write'],
  ['PATCH', '/api/admin/calendars/programs', 'calendar:write'],
  ['GET', '/api/admin/analytics-test', 'calendar:write'],
];

test('every officer route demands an identity and a permission', async () => {
  await using service = await calendarService();
  const [viewer, dj] = [await as(service, 'viewer'), await as(service, 'dj')];
  for (const [method, url, permission] of ROUTES) {
    // Requests with wrong tokens are rate limited per minute.
    service.clock.now += MINUTE;
    const ask = async (headers: object) =>
      (await service.request({ method, url, headers: { accept: 'application/json', ...headers } }))
        .statusCode;
    expect([url, await ask({})]).toEqual([url, 401]);
    expect([url, await ask({ 'x-admin-token': 'wrong' })]).toEqual([url, 401]);
    expect([url, await ask(dj)]).toEqual([url, 403]);
    const seen = await ask(viewer);
    if (permission === 'calendar:read') expect([url, seen]).toEqual([url, 200]);
    else expect([url, seen]).toEqual([url, 403]);
  }
});

describe('the officers’ page', () => {
  const open = async (service: TestApp, headers: object, query = '') =>
    (await service.request({ url: `/admin/calendar${query}`, headers: { ...BROWSER, ...headers } })).body;

  test('shows each person only what they may do', async () => {
    await using service = await withTwo();

    const events = await open(service, await as(service, 'events'));
    expect(events).toContain('action="/api/admin/revoke"');
    expect(events).toContain('_method=PATCH');
    expect(events).toContain('1 address of the calendar stops');
    const viewer = await open(service, await as(service, 'viewer'));
    expect(viewer).toContain(JANE.email);
    expect(viewer).not.toContain('/api/admin/revoke');
    expect(viewer).not.toContain('_method=PATCH');
  });

  test('has forms that work without script and lead back to it with the search text', async () => {
    await using service = await withTwo();
    const submit = (url: string, fields: Record<string, string>) =>
      service.submit(url, fields, { ...BROWSER, ...ADMIN });
    const [ann] = (await list(service, '?q=ann')).subscribers;

    const stopped = await submit('/api/admin/revoke', { subscriber_id: ann.id, q: 'ann' });
    expect([stopped.statusCode, stopped.headers.location]).toEqual([
      303,
      '/admin/calendar?done=stopped&q=ann',
    ]);
    const after = await open(service, ADMIN, '?done=stopped&q=ann');
    expect(after).toContain('The subscriber was stopped.');
    expect(after).toContain('action="/api/admin/enable"');
    expect(after).toContain('The calendar of 1 subscriber falls silent');
    expect(after).not.toContain(JANE.email);
    expect((await submit('/api/admin/enable', { subscriber_id: ann.id, q: '' })).headers.location).toBe(
      '/admin/calendar?done=allowed',
    );
    expect(
      (await submit('/api/admin/calendars/programs?_method=PATCH', { enabled: 'false' })).headers.location,
    ).toBe('/admin/calendar?done=off');
    expect(await open(service, ADMIN)).toContain('Switch on');
  });

  test('shows input as text, and a long list in pages', async () => {
    await using service = await testApp({ PUB_ADMIN_TOKEN: ADMIN['x-admin-token'] });
    await addSubscribers(service, 120);

    const first = await open(service, ADMIN);
    expect(first).toContain('1 to 25 of 120 subscribers');
    expect(first).toContain('/admin/calendar?from=26');
    const last = await open(service, ADMIN, '?from=101');
    expect(last).toContain('101 to 120 of 120 subscribers');
    expect(await open(service, ADMIN, '?from=-3&done=<script>')).toContain('1 to 25 of 120');
    const none = await open(service, ADMIN, `?q=${encodeURIComponent('"><script>')}`);
    expect(none).toContain('Nobody is found');
    expect(none).not.toContain('"><script>');
  });
});

describe('the analytics test', () => {
  test.each<[string, Parameters<typeof startUpstream>[0], number, object]>([
    ['takes it', json({ accepted: 1 }), 200, { ok: true, status: 200, body: { accepted: 1 } }],
    [
      'refuses it',
      (response) => void response.writeHead(403).end('no'),
      200,
      { ok: false, status: 403, body: 'no' },
    ],
    ['cannot be reached', (response) => void response.destroy(), 502, { ok: false, status: null }],
  ])('reports that the provider %s', async (_name, answer, status, body) => {
    const upstream = await startUpstream(answer);
    await using service = await calendarService({
      ANALYTICS_URL: `${upstream.url}/e`,
      ANALYTICS_API_KEY: 'key',
    });

    const tested = await service.get('/api/admin/analytics-test', ADMIN);

    expect(tested.statusCode).toBe(status);
    expect(tested.json()).toMatchObject(body);
    expect(upstream.requests[0]).toMatchObject({
      method: 'POST',
      path: '/e',
      headers: { authorization: 'Bearer key' },
    });
    expect(JSON.parse(upstream.requests[0]!.body)).toEqual({
      event: 'analytics_test',
      source: 'publichouse',
      ts: '2026-11-21T17:00:00.000Z',
    });
  });

  test('names a missing variable, and is not sent by a HEAD request', async () => {
    await using service = await calendarService();
    const tested = await service.get('/api/admin/analytics-test', ADMIN);
    expect([tested.statusCode, tested.json().error]).toEqual([
      500,
      message('configuration_missing', { names: 'ANALYTICS_URL' }),
    ]);
    expect(
      (await service.request({ method: 'HEAD', url: '/api/admin/analytics-test', headers: ADMIN }))
        .statusCode,
    ).toBe(404);
  });
});

test('the gallery is answered with 410, its officer routes only for officers', async () => {
  await using service = await calendarService();
  const gone = errorJson('gallery_gone');

  for (const url of [
    '/api/gallery',
    '/api/gallery?cursor=0&limit=50',
    '/api/gallery/1',
    '/media/originals/a.jpg?variant=thumb',
  ]) {
    const answer = await service.get(url);
    expect([answer.statusCode, answer.json()]).toEqual([410, gone]);
  }
  expect((await service.request({ method: 'HEAD', url: '/media/thumbs/a.jpg' })).statusCode).toBe(410);
  expect((await service.request({ url: '/media/thumbs/a.jpg', headers: BROWSER })).body).toContain(
    'The gallery was retired',
  );
  const staff = [
    ['GET', '/api/admin/media'],
    ['POST', '/api/admin/media'],
    ['PATCH', '/api/admin/media/1'],
    ['DELETE', '/api/admin/media/1'],
    ['POST', '/api/admin/repair/ids'],
    ['POST', '/api/admin/repair/orphans'],
  ] as const;
  for (const [method, url] of staff) {
    const upload = {
      method,
      url,
      ...(method !== 'GET' && {
        payload: '--x--',
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
      }),
    };
    expectRefusal(await service.request(upload), 401, 'staff_key_required');
    const answer = await service.request({ ...upload, headers: { ...upload.headers, ...ADMIN } });
    expect([url, answer.statusCode, answer.json()]).toEqual([url, 410, gone]);
  }
});

test('a live link keeps no-referrer while the calendar is switched off', async () => {
  await using service = await calendarService();
  const { token } = await subscribe(service);
  const policyOf = async (link: string) => {
    const { statusCode, headers } = await service.get(`/subscribe-programs?token=${link}`, {
      accept: 'text/html',
    });
    return [statusCode, headers['referrer-policy']];
  };
  const enable = (enabled: boolean) =>
    service.request({
      method: 'PATCH',
      url: '/api/admin/calendars/programs',
      payload: { enabled },
      headers: ADMIN,
    });

  await enable(false);
  expect(await policyOf(token)).toEqual([403, 'no-referrer']);
  expect((await policyOf('dead'))[1]).toBe('same-origin');
  await enable(true);
  expect(await policyOf(token)).toEqual([200, 'no-referrer']);
});
