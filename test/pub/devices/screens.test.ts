import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { sentences } from '#kernel/language/times.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { listAllChecks } from '#pub/staff-room/checks.ts';
import { NOON, type TestApp, testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { expectForbidden, expectRefusal } from '#test/support/messages.ts';
import { patchScreen, revisionOf } from '#test/support/screens.ts';

const STAFF = { 'x-admin-token': 'the token of the staff' };
const ENV = { PUB_ADMIN_TOKEN: STAFF['x-admin-token'] };
const BEAT = { screen: 'bar left', page: 'tv', version: 'old', uptime_s: 90, viewport: '1920x1080' };

const beat = (service: TestApp, more: object = {}, headers = {}) =>
  service.post('/api/screens/heartbeat', { ...BEAT, ...more }, headers);
const listed = async (service: TestApp) => (await service.get('/api/admin/screens', STAFF)).json();

test('a screen that sends a heartbeat gets the time and the build, and is listed', async () => {
  await using service = await testApp(ENV);

  const { ok, now, build } = (await beat(service, { offlineSince: '2026-11-21T16:00:00.000Z' })).json();
  expect({ ok, now }).toEqual({ ok: true, now: NOON });
  expect((await service.get('/tv')).body).toContain(`data-build="${build}"`);
  expect(await listed(service)).toEqual({
    version: build,
    visitors: 0,
    screens: [
      {
        id: expect.any(String),
        screen: 'bar left',
        page: 'tv',
        name: 'bar left',
        place: '',
        groups: [],
        turn: 0,
        inset: null,
        off_hours: 'outside_opening',
        off_shows: 'dim',
        mix: expect.objectContaining({ layout: 'day', menu: true }),
        preset: 'everything',
        times: [],
        nowMix: null,
        heapMb: null,
        lateFlips: null,
        revision: 1,
        paired: false,
        state: 'old program',
        stateSince: '2026-11-21T17:00:00.000Z',
        openTwice: false,
        needsSomebody: false,
        showing: null,
        version: 'old',
        current: false,
        viewport: '1920x1080',
        online: true,
        startedAt: '2026-11-21T16:58:30.000Z',
        firstSeenAt: '2026-11-21T17:00:00.000Z',
        lastSeenAt: '2026-11-21T17:00:00.000Z',
        offlineSince: '2026-11-21T16:00:00.000Z',
      },
    ],
  });
});

test('a screen is online for five minutes after its last heartbeat', async () => {
  await using service = await testApp(ENV);
  await beat(service);
  service.clock.now += 5 * MINUTE - 1;
  expect((await listed(service)).screens).toMatchObject([{ online: true }]);
  service.clock.now += 1;
  expect((await listed(service)).screens).toMatchObject([{ online: false }]);

  const { build } = (await beat(service)).json();
  await beat(service, { version: build, uptime_s: 5 });
  expect((await listed(service)).screens).toMatchObject([
    { online: true, current: true, offlineSince: null, firstSeenAt: '2026-11-21T17:00:00.000Z' },
  ]);
});

test('the fields of a heartbeat are cleaned and cut, and refused if they are invalid', async () => {
  await using service = await testApp(ENV);
  await beat(service, {
    screen: ` bar\u0000\u202e \n ${'x'.repeat(90)}`,
    viewport: '9'.repeat(90),
    uptime_s: 1e300,
    offlineSince: 'yesterday',
  });
  const [{ screen, viewport, offlineSince }] = (await listed(service)).screens;
  expect(screen).toBe(`bar ${'x'.repeat(36)}`);
  expect([viewport, offlineSince]).toEqual(['9'.repeat(20), null]);

  for (const [field, value] of [
    ['screen', ' \u0007 '],
    ['screen', undefined],
    ['page', 'cellar'],
    ['uptime_s', -1],
    ['uptime_s', '5'],
    ['version', 7],
    ['viewport', null],
  ] as const) {
    const answer = await beat(service, { [field]: value });
    expect([field, answer.statusCode, answer.json().errors[0].path]).toEqual([field, 400, field]);
  }
  expect((await beat(service, { screen: 'x'.repeat(4_000) })).statusCode).toBe(413);
  expectRefusal(await beat(service, {}, { 'sec-fetch-site': 'cross-site' }), 403, 'cross_site_request');
});

test('at most 200 screens are stored; a new one replaces the one silent longest, unless all are online', async () => {
  await using service = await testApp(ENV);
  const names = async () => (await listed(service)).screens.map(({ screen }: { screen: string }) => screen);
  for (let index = 0; index < 200; index++) {
    // Each from its own address, because of the rate limit.
    await beat(service, { screen: `s${index}` }, { 'edge-connecting-ip': `192.0.2.${index}` });
    if (index === 0) service.clock.now += SECOND;
  }
  expect((await beat(service, { screen: 'late' })).statusCode).toBe(200);
  expect(await names()).not.toContain('late');

  service.clock.now += 5 * MINUTE - SECOND;
  await beat(service, { screen: 'late' });
  expect(await names()).toHaveLength(200);
  expect(await names()).toContain('late');
  expect(await names()).not.toContain('s0');
});

test('screens that staff named are never displaced, and keep their failed pictures', async () => {
  await using service = await testApp(ENV);
  const named = async () =>
    (await listed(service)).screens
      .filter(
        ({ name, groups }: { name: string; groups: string[] }) => name !== 'bar left' && groups.length > 0,
      )
      .map(({ name, groups }: { name: string; groups: string[] }) => [name, groups]);
  await beat(service);
  await beat(service, { screen: 'in a group' });
  const ids = (await listed(service)).screens.map(({ id }: { id: string }) => id);
  const change = (id: string, payload: object) => patchScreen(service, STAFF, id, payload);
  await change(ids[0], { name: 'Fireplace', groups: ['bar'] });
  await change(ids[1], { groups: ['quiz'] });

  service.clock.now += 6 * MINUTE;
  for (let index = 0; index < 230; index++) {
    const from = { 'edge-connecting-ip': `2001:db8:0:${(index % 4).toString(16)}::${index}` };
    await beat(service, { screen: `fake${index}`, failedPictures: 1 }, from);
  }
  expect(await named()).toEqual([
    ['Fireplace', ['bar']],
    ['in a group', ['quiz']],
  ]);
  expect((await listed(service)).screens).toHaveLength(202);
  expect((await beat(service, { failedPictures: 3 })).json()).toMatchObject({
    name: 'Fireplace',
    groups: ['bar'],
  });
  const { screens } = await listed(service);
  expect(screens.find(({ screen }: { screen: string }) => screen === 'bar left')).toMatchObject({
    failedPictures: 3,
  });
});

test('one address may send 120 heartbeats a minute', async () => {
  await using service = await testApp(ENV);
  for (let count = 0; count < 120; count++) await beat(service);
  const refused = await beat(service);
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
  service.clock.now += MINUTE;
  expect((await beat(service)).statusCode).toBe(200);
});

test('only screens with a name are listed; the others are counted while they are online', async () => {
  await using service = await testApp(ENV);
  await beat(service, { screen: 'screen-ab12', named: false });
  await beat(service, { screen: 'screen-cd34', named: false });
  await beat(service, { showing: 'Winter ale is on' });
  expect(await listed(service)).toMatchObject({
    visitors: 2,
    screens: [{ screen: 'bar left', showing: 'Winter ale is on' }],
  });
  service.clock.now += 6 * MINUTE;
  expect(await listed(service)).toMatchObject({ visitors: 0, screens: [{ online: false }] });
  expect((await service.get('/admin/pub', { ...STAFF, accept: 'text/html' })).body).not.toContain(
    'screen-ab12',
  );
});

test('staff name a screen and put it into groups; its next heartbeat is answered with them', async () => {
  await using service = await testApp(ENV);
  await beat(service);
  const [{ id }] = (await listed(service)).screens;
  const rename = (body: object) => patchScreen(service, STAFF, id, body);
  expect((await rename({ name: 'Over the fire', groups: ['downstairs', 'quiet', 'quiet'] })).json()).toEqual({
    ok: true,
  });
  expect((await beat(service)).json()).toMatchObject({
    name: 'Over the fire',
    groups: ['downstairs', 'quiet'],
  });
  // Fields that are not sent are kept; an empty name restores the screen's own.
  await rename({ name: '' });
  expect((await listed(service)).screens).toMatchObject([
    { screen: 'bar left', name: 'bar left', groups: ['downstairs', 'quiet'] },
  ]);

  // Groups that look the same are one, and names need a visible character.
  await rename({ name: ' \u200b\u2800', groups: ['Bar', 'BAR\u200b', '\u202ebar ', 'b\u00adar', '\u2060'] });
  expect((await listed(service)).screens).toMatchObject([{ name: 'bar left', groups: ['Bar'] }]);
  await rename({ name: 'Fire\u202e\u200b\u00a0 place' });
  expect((await listed(service)).screens).toMatchObject([{ name: 'Fire place' }]);

  for (const [path, body] of [
    ['name', { name: 7 }],
    ['groups', { groups: 'downstairs' }],
    ['groups', { groups: Array(11).fill('x') }],
  ] as const) {
    const answer = await rename(body);
    expect([path, answer.statusCode, answer.json().errors?.[0]?.path]).toEqual([path, 400, path]);
  }
});

test('a screen that is to reload its page is told until it has', async () => {
  await using service = await testApp(ENV);
  await beat(service);
  const [{ id }] = (await listed(service)).screens;
  service.clock.now += MINUTE;
  expect((await service.post(`/api/admin/screens/${id}/reload`, {}, STAFF)).json()).toEqual({ ok: true });
  service.clock.now += SECOND;
  expect((await beat(service, { uptime_s: 151 })).json().reload).toBe(true);
  service.clock.now += SECOND;
  expect((await beat(service, { uptime_s: 0 })).json().reload).toBeUndefined();
});

test('a forgotten screen is gone until its next heartbeat; an unknown one is a 404', async () => {
  await using service = await testApp(ENV);
  await beat(service);
  const [{ id }] = (await listed(service)).screens;
  const forget = () => service.request({ method: 'DELETE', url: `/api/admin/screens/${id}`, headers: STAFF });
  expect((await forget()).json()).toEqual({ ok: true });
  expect((await listed(service)).screens).toEqual([]);
  expectRefusal(await forget(), 404, 'screen_not_found');
  expectRefusal(await service.post(`/api/admin/screens/${id}/reload`, {}, STAFF), 404, 'screen_not_found');
  await beat(service);
  expect((await listed(service)).screens).toHaveLength(1);
  const { logs } = (await service.get('/api/admin/audit?limit=5', STAFF)).json();
  expect(logs).toContainEqual(expect.objectContaining({ action: 'screen.forgotten' }));
});

test('the staff pages for screens work with forms, and show refused input again', async () => {
  await using service = await testApp(ENV);
  await beat(service, { showing: 'Quiz', viewport: '1080x1920' });
  const page = { ...STAFF, accept: 'text/html' };
  const [{ id }] = (await listed(service)).screens;
  expect((await service.get('/admin/pub/screens', page)).body).toMatch(/bar left.*Shows: Quiz/s);
  await beat(service, { offlineSince: '2026-11-20T17:00:00Z' });
  const cutOff = (await service.get('/admin/pub/screens', page)).body;
  expect(cutOff).toMatch(/class="badge badge-danger">.*?Cut off<\/span>/s);
  const one = await service.get(`/admin/pub/screens/${id}`, page);
  expect(one.body).toContain('/tv?screen=bar%20left&amp;preview');
  expect(one.headers['content-security-policy']).toContain("frame-src 'self'");

  const saved = await service.submit(
    `/admin/pub/screens/${id}`,
    { revision: String(await revisionOf(service, STAFF, id)), name: 'Fire', groups: 'down, up ,' },
    page,
  );
  expect([saved.statusCode, saved.headers.location]).toEqual([
    303,
    `/admin/pub/screens/${id}/place?done=renamed`,
  ]);
  expect((await listed(service)).screens).toMatchObject([{ name: 'Fire', groups: ['down', 'up'] }]);
  const groups = Array.from({ length: 11 }, (_, index) => `g${index}`).join();
  const refused = await service.submit(
    `/admin/pub/screens/${id}`,
    { revision: '2', name: 'Fire', groups },
    page,
  );
  expect(refused.statusCode).toBe(400);
  expect(refused.body).toContain(groups);
  await service.submit(`/admin/pub/screens/${id}/forget`, {}, page);
  expect((await service.get(`/admin/pub/screens/${id}`, page)).statusCode).toBe(404);
});

test('the list of screens needs the permission to see what is showing', async () => {
  await using service = await testApp(ENV);
  expectRefusal(await service.get('/api/admin/screens'), 401, 'staff_key_required');
  const someone = { 'edge-access-authenticated-user-email': 'someone@club.example' };
  expectForbidden(await service.get('/api/admin/screens', someone), 'now_showing:read');
});

test('a TV page may be framed and has its own worker; it runs only scripts of the service', async () => {
  await using service = await testApp();
  const { headers } = await service.get('/tv?screen=bar&inset=3');
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers['x-frame-options']).toBeUndefined();
  const policy = String(headers['content-security-policy']);
  expect(policy).toMatch(/default-src 'none'.*script-src 'self'.*worker-src 'self'/);
  expect(policy).not.toContain('unsafe');
  expect(policy).not.toMatch(/frame-ancestors 'none'/);
  expect((await service.get('/')).headers['content-security-policy'] ?? '').toContain(
    "frame-ancestors 'none'",
  );
});

test('the worker lists all files of the screens, and all of them exist', async () => {
  await using service = await testApp();
  const worker = await service.get('/tv-sw.js');
  expect(worker.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'service-worker-allowed': '/tv',
    'cache-control': 'no-cache',
  });
  const { pages, assets } = JSON.parse(/self\.TV = (.*);/.exec(worker.body)?.[1] ?? '');
  const [script = ''] = /"\/assets[^"]+worker\.js"/.exec(worker.body.split('\n')[1] ?? '') ?? [];
  expect(new Set(assets).size).toBe(assets.length);
  for (const address of [...assets, JSON.parse(script)])
    expect([address, (await service.get(address)).statusCode]).toEqual([address, 200]);

  // Every file that a page or one of its modules names is in the list.
  const named = new Set<string>();
  for (const page of pages) {
    const { body } = await service.get(page);
    for (const [, address = ''] of body.matchAll(/(?:href|src)="(\/assets[^"]+)"/g)) named.add(address);
  }
  for (const address of named) {
    if (!address.endsWith('.js')) continue;
    const { body } = await service.get(address);
    for (const [, module = ''] of body.matchAll(/^import [^;]*?from '(\.[^']+)'/gm))
      named.add(new URL(module, `http://club.example${address}`).pathname);
  }
  expect([...named].filter((address) => !assets.includes(address))).toEqual([]);
});

test('pictures that a screen cannot show are counted and shown to staff until they load again', async () => {
  await using service = await testApp(ENV);
  const room = async () => (await service.get('/admin/pub', { ...STAFF, accept: 'text/html' })).body;

  await beat(service, { failedPictures: 2 });
  expect((await listed(service)).screens).toMatchObject([{ failedPictures: 2 }]);
  expect(await room()).toContain('cannot show 2 pictures of its slides');
  await beat(service, { failedPictures: 'many' });
  expect((await listed(service)).screens[0]).not.toHaveProperty('failedPictures');
  expect(await room()).not.toContain('cannot show');
});

test.each([
  ['18:00', 'ok', '1 of 1 are off: expected, the pub is closed.'],
  ['11:00', 'attention', '1 of 1 do not report: bar left.'],
])('a silent screen needs somebody only while the pub is open (from %s)', async (opens, state, text) => {
  await using service = await testApp(ENV);
  const eve = await editorAt(service);
  const hours = [{ opens, closes: '23:00' }];
  const week = Object.fromEntries(
    ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, hours]),
  );
  await eve.publish('hours', { from: '2026-01-01', week });
  await beat(service);
  service.clock.now += 10 * MINUTE;
  const checks = await listAllChecks(service.ctx, 'any');
  const check = checks.find(({ name }) => name === 'screens');
  expect([check?.state, sentences([check?.text])?.for(ENGLISH)]).toEqual([state, text]);
  const list = (await service.get('/admin/pub/screens', { ...STAFF, accept: 'text/html' })).body;
  expect(list.includes('Off: expected, the pub is closed.')).toBe(state === 'ok');
});
