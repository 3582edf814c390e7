import { expectForbidden, expectRefusal, message, onPage } from '#test/support/messages.ts';
// What staff decide about a screen that is paired, and what its browser is told.

import { expect, test } from 'vitest';
import { DAY, MINUTE, SECOND } from '#kernel/clock.ts';
import { sentences } from '#kernel/language/times.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { listAllChecks } from '#pub/staff-room/checks.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { patchScreen } from '#test/support/screens.ts';
import { listen, openStream } from '#test/support/stream-client.ts';
import { openTv, pair } from './pairing-steps.ts';

type Headers = Record<string, string>;
const TENDER = 'tom@club.example';

const listed = async (service: TestApp, staff: Headers) =>
  (await service.get('/api/admin/screens', staff)).json().screens;
const NAMED = { screen: 'Bar', page: 'tv', version: 'v', uptime_s: 1, viewport: '1x1' };

test('a paired screen is sent to its page from every other TV address; what staff assign reaches it by the stream', async () => {
  await using service = await testApp();
  const tom = await appoint(service, TENDER, 'tender');
  const tv = await openTv(service);
  const id = await pair(service, tom, tv, { name: 'Bar' });
  const places = async () => {
    const answers = [];
    for (const url of ['/s', '/tv', '/tv?screen=other', '/tv/bar-right', '/tv/projector']) {
      const { statusCode, headers } = await tv.get(url);
      answers.push(headers.location ?? statusCode);
    }
    return answers;
  };
  expect(await places()).toEqual(['/tv', 200, 200, '/tv', '/tv']);
  // A preview on the staff page shows what it is asked for, also in a browser that is a screen.
  expect((await tv.get('/tv/projector?screen=x&preview')).statusCode).toBe(200);

  const stream = await openStream(await listen(service));
  const told = stream.next('screens');
  service.clock.now += SECOND;
  expect((await patchScreen(service, tom, id, { revision: 1, page: 'projector' })).json()).toEqual({
    ok: true,
  });
  expect((await told).data).toEqual({ id, screen: null, page: 'projector' });
  expect((await tv.beat()).json()).toMatchObject({ id, page: 'projector' });
  expect(await places()).toEqual(['/tv/projector', '/tv/projector', '/tv/projector', '/tv/projector', 200]);
});

test('two screens may have one name; each is a row with its own page', async () => {
  await using service = await testApp();
  const tom = await appoint(service, TENDER, 'tender');
  const [left, right] = [await openTv(service), await openTv(service)];
  await pair(service, tom, left, { name: 'Bar', page: 'tv' });
  await pair(service, tom, right, { name: 'Bar', page: 'projector' });
  expect((await listed(service, tom)).map(({ name, page }: Headers) => [name, page])).toEqual(
    expect.arrayContaining([
      ['Bar', 'tv'],
      ['Bar', 'projector'],
    ]),
  );
  service.clock.now += 6 * MINUTE;
  await left.beat();
  expect((await listed(service, tom)).map(({ state }: Headers) => state).sort()).toEqual(['late', 'running']);
});

test('a change from a stale revision is a 409 and changes nothing, as JSON and in the form', async () => {
  await using service = await testApp();
  const tom = await appoint(service, TENDER, 'tender');
  const id = await pair(service, tom, await openTv(service), { name: 'Bar' });
  expect((await patchScreen(service, tom, id, { revision: 1, place: 'Snug' })).statusCode).toBe(200);
  const url = `/api/admin/screens/${id}`;
  const blind = await service.request({ method: 'PATCH', url, payload: { place: 'Attic' }, headers: tom });
  expect([blind.statusCode, blind.json().errors]).toMatchObject([400, [{ path: 'revision' }]]);
  const noRevision = await service.submit(`/admin/pub/screens/${id}`, { name: 'Bar', place: 'Attic' }, tom);
  expect(noRevision.statusCode).toBe(400);
  const stale = await patchScreen(service, tom, id, { revision: 1, place: 'Attic' });
  expect([stale.statusCode, stale.json().revision]).toEqual([409, 2]);
  const page = { ...tom, accept: 'text/html' };
  const form = await service.submit(
    `/admin/pub/screens/${id}`,
    { revision: '1', name: 'Bar', place: 'Attic' },
    page,
  );
  expect([form.statusCode, form.body.includes(onPage('screen_changed_since'))]).toEqual([409, true]);
  expect(form.body).toContain('value="Attic"');
  expect(await listed(service, tom)).toMatchObject([{ place: 'Snug', revision: 2 }]);
});

test('what staff decide is checked, and told to the screen', async () => {
  await using service = await testApp();
  const tom = await appoint(service, TENDER, 'tender');
  const tv = await openTv(service);
  const id = await pair(service, tom, tv, { name: 'Bar' });
  for (const [path, value] of [
    ['name', ''],
    ['page', 'cellar'],
    ['turn', 45],
    ['inset', 9],
    ['groups', 'quiet'],
    ['off_hours', 'sometimes'],
    ['revision', 'one'],
  ] as const) {
    const answer = await patchScreen(service, tom, id, { place: 'Attic', [path]: value });
    expect([path, answer.statusCode, answer.json().errors?.[0]?.path]).toEqual([path, 400, path]);
  }
  expect(await listed(service, tom)).toMatchObject([{ place: '', revision: 1 }]);
  const off_hours = { mon: [{ from: '23:00', to: '09:00' }] };
  const decided = { name: 'Snug', place: 'By the fire', groups: ['quiet'], turn: 90, inset: 2.5, off_hours };
  expect((await patchScreen(service, tom, id, decided)).statusCode).toBe(200);
  expect(await listed(service, tom)).toMatchObject([{ ...decided, revision: 2 }]);
  expect((await tv.beat()).json()).toMatchObject({ name: 'Snug', groups: ['quiet'], turn: 90, inset: 2.5 });
  const turned = await tv.get('/tv');
  expect(turned.body).toContain('<iframe src="/tv?turned=90"');
  expect((await tv.get('/tv?turned=90')).body).toContain('data-stage');
  expectRefusal(await patchScreen(service, tom, 'unknown', { place: 'x' }), 404, 'screen_not_found');
});

test('a name that was paired is no longer taken from an address, in any spelling; its old row goes', async () => {
  await using service = await testApp();
  const tom = await appoint(service, TENDER, 'tender');
  const beat = (screen: string, more: object = {}) =>
    service.post('/api/screens/heartbeat', { ...NAMED, screen, ...more });
  await beat('bar');
  await beat('Snug');
  await pair(service, tom, await openTv(service), { name: 'Bar' });
  for (const name of ['Bar', 'bar', ' BAR\u200b']) expectRefusal(await beat(name), 403, 'screen_name_paired');
  expectRefusal(await beat('Bar', { page: 'projector' }), 403, 'screen_name_paired');
  // As a visitor it goes on.
  expect((await beat('Bar', { named: false })).statusCode).toBe(200);
  expect((await beat('Snug')).statusCode).toBe(200);
  expect((await listed(service, tom)).map(({ name, paired }: Headers) => [name, paired])).toEqual([
    ['Bar', true],
    ['Snug', false],
  ]);
  const page = (await service.get('/admin/pub/screens', { ...tom, accept: 'text/html' })).body;
  expect(page.match(/not paired\./g)).toHaveLength(1);
});

test('only a paired screen is given a page; one with a name in its address can be paired as it is', async () => {
  await using service = await testApp();
  const tom = await appoint(service, TENDER, 'tender');
  await service.post('/api/screens/heartbeat', { ...NAMED, screen: 'snug' });
  const [{ id }] = await listed(service, tom);
  expectRefusal(await patchScreen(service, tom, id, { page: 'projector' }), 409, 'screen_not_paired');
  await patchScreen(service, tom, id, { groups: ['quiet'] });
  const tv = await openTv(service);
  const paired = await service.post(`/api/admin/screens/${id}/repair`, { code: tv.code }, tom);
  expect(paired.json()).toEqual({ ok: true, code: tv.code });
  expect((await tv.poll()).statusCode).toBe(200);
  expect(await listed(service, tom)).toMatchObject([{ id, name: 'snug', groups: ['quiet'], paired: true }]);
  expect((await patchScreen(service, tom, id, { page: 'projector' })).statusCode).toBe(200);
});

test('to pair again keeps all that staff decided, and ends the old secret', async () => {
  await using service = await testApp();
  const tom = await appoint(service, TENDER, 'tender');
  const [old, next] = [await openTv(service), await openTv(service)];
  const id = await pair(service, tom, old, { name: 'Bar', place: 'Snug', page: 'projector', turn: 180 });
  const answer = await service.post(`/api/admin/screens/${id}/repair`, {}, tom);
  expect(answer.json()).toEqual({ ok: true, code: expect.stringMatching(/^[0-9A-Z]{6}$/) });
  const { code } = answer.json();

  const ended = await old.beat();
  expect([ended.statusCode, ended.json().error]).toEqual([410, message('screen_ended')]);
  expect(ended.cookies).toMatchObject([{ name: 'screen', value: '', maxAge: 0 }]);
  expect((await old.get('/tv/bar-right')).statusCode).toBe(200);
  expect(await listed(service, tom)).toMatchObject([{ id, state: 'waiting for pairing' }]);

  // A TV that was given the code takes it once; guesses are counted.
  const take = (text: string, from: string) =>
    service.post('/api/screens/pairings', { code: text }, { 'edge-connecting-ip': from });
  for (let guess = 0; guess < 10; guess += 1)
    expectRefusal(await take('K7P4MQ', '192.0.2.66'), 404, 'pairing_code_unknown');
  expectRefusal(await take(code, '192.0.2.66'), 429, 'too_many_pairing_codes');
  const taken = await take(code, '192.0.2.1');
  expectRefusal(await take(code, '192.0.2.1'), 404, 'pairing_code_unknown');
  const polled = await service.post('/api/screens/pairings/poll', { secret: taken.json().secret });
  expect([polled.statusCode, polled.json()]).toEqual([200, { page: 'projector' }]);
  expect(await listed(service, tom)).toMatchObject([{ id, name: 'Bar', place: 'Snug', turn: 180 }]);

  // Or the code of a TV is given to the screen.
  const page = { ...tom, accept: 'text/html' };
  const wrong = await service.submit(`/admin/pub/screens/${id}/repair`, { code: 'K7P-4MQ' }, page);
  expect([wrong.statusCode, wrong.body.includes(onPage('pairing_code_unknown'))]).toEqual([404, true]);
  const again = await service.submit(`/admin/pub/screens/${id}/repair`, { code: next.code }, page);
  expect(again.statusCode).toBe(303);
  expect((await next.poll()).json()).toEqual({ page: 'projector' });
  expect((await next.beat()).json()).toMatchObject({ id, name: 'Bar' });
});

test('a retired screen is gone, and its browser is none any longer', async () => {
  await using service = await testApp();
  const tom = await appoint(service, TENDER, 'tender');
  const tv = await openTv(service);
  const id = await pair(service, tom, tv, { name: 'Bar' });
  expect((await service.post(`/api/admin/screens/${id}/retire`, {}, tom)).json()).toEqual({ ok: true });
  expect(await listed(service, tom)).toEqual([]);
  expectRefusal(await tv.beat(), 410, 'screen_ended');
  for (const act of ['retire', 'repair', 'identify', 'reload'])
    expect([act, (await service.post(`/api/admin/screens/${id}/${act}`, {}, tom)).statusCode]).toEqual([
      act,
      404,
    ]);
  // Its name is free again.
  expect((await service.post('/api/screens/heartbeat', NAMED)).statusCode).toBe(200);
});

test('a screen shows its name for ten seconds, and loads again, when a DJ asks', async () => {
  await using service = await testApp();
  const tom = await appoint(service, TENDER, 'tender');
  const dan = await appoint(service, 'dan@club.example', 'dj');
  const tv = await openTv(service);
  const id = await pair(service, tom, tv, { name: 'Bar', place: 'Snug' });
  expect((await service.post(`/api/admin/screens/${id}/identify`, {}, dan)).json()).toEqual({ ok: true });
  service.clock.now += SECOND;
  expect((await tv.beat()).json()).toMatchObject({ name: 'Bar', place: 'Snug', identifyMs: 9_000 });
  service.clock.now += 9 * SECOND;
  expect((await tv.beat()).json()).not.toHaveProperty('identifyMs');
  await service.post(`/api/admin/screens/${id}/reload`, {}, dan);
  service.clock.now += SECOND;
  expect((await tv.beat({ uptime_s: 30 })).json().reload).toBe(true);
  for (const act of ['repair', 'retire'])
    expectForbidden(await service.post(`/api/admin/screens/${id}/${act}`, {}, dan), 'screens:manage');
  const url = `/api/admin/screens/${id}`;
  const payload = { revision: 1, place: 'x' };
  expectForbidden(await service.request({ method: 'PATCH', url, payload, headers: dan }), 'screens:manage');
});

test('a cookie that a second browser took is listed as open twice; a reload is not', async () => {
  await using service = await testApp();
  const tom = await appoint(service, TENDER, 'tender');
  const tv = await openTv(service);
  const id = await pair(service, tom, tv, { name: 'Bar' });
  const heard = async (bootId: string) => {
    await tv.beat({ bootId });
    service.clock.now += 20 * SECOND;
    return (await listed(service, tom))[0].openTwice;
  };
  const reloads = [await heard('a'), await heard('a'), await heard('b'), await heard('b')];
  expect(reloads).toEqual([false, false, false, false]);
  expect([await heard('thief'), await heard('b')]).toEqual([false, true]);
  const page = (await service.get('/admin/pub/screens', { ...tom, accept: 'text/html' })).body;
  expect(page).toContain('Open twice');
  // To pair again ends both.
  await service.post(`/api/admin/screens/${id}/repair`, {}, tom);
  expectRefusal(await tv.beat({ bootId: 'thief' }), 410, 'screen_ended');
});

test('a screen needs somebody while it is missing in its hours, for a wrong clock, and after a day with an old version', async () => {
  await using service = await testApp();
  const tom = await appoint(service, TENDER, 'tender');
  const eve = await editorAt(service);
  const hours = [{ opens: '11:00', closes: '23:00' }];
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  await eve.publish('hours', {
    from: '2026-01-01',
    week: Object.fromEntries(days.map((day) => [day, hours])),
  });
  const tv = await openTv(service);
  const id = await pair(service, tom, tv, { name: 'Bar' });
  const check = async () => {
    const build = (await service.get('/api/admin/screens', tom)).json().version;
    const found = (await listAllChecks(service.ctx, build)).find(({ name }) => name === 'screens');
    return `${found?.state}: ${sentences([found?.text])?.for(ENGLISH)}`;
  };
  expect(await check()).toBe('ok: The one screen reports.');
  await tv.beat({ skewMs: -3 * 60 * MINUTE });
  expect(await check()).toBe('attention: 1 of 1 have a wrong clock: Bar.');
  await tv.beat({ version: 'old' });
  expect(await check()).toBe('ok: The one screen reports.');
  service.clock.now += DAY + MINUTE;
  await tv.beat({ version: 'old' });
  expect(await check()).toBe('attention: 1 of 1 show an old version: Bar.');
  await tv.beat();
  service.clock.now += 11 * MINUTE;
  expect(await check()).toBe('attention: 1 of 1 do not report: Bar.');
  const whole = Object.fromEntries(days.map((day) => [day, [{ from: '00:00', to: '00:00' }]]));
  await patchScreen(service, tom, id, { off_hours: whole });
  expect(await check()).toBe('ok: 1 of 1 are off: expected, by their own times.');
  service.clock.now += 12 * 60 * MINUTE;
  await patchScreen(service, tom, id, { off_hours: 'outside_opening' });
  expect(await check()).toBe('ok: 1 of 1 are off: expected, the pub is closed.');
  await patchScreen(service, tom, id, { off_hours: 'never' });
  expect(await check()).toBe('attention: 1 of 1 do not report: Bar.');
});

test('the row of a screen says that its browser does not know the time zone, which needs nobody', async () => {
  await using service = await testApp();
  const tom = await appoint(service, 'tom@club.example', 'tender');
  const tv = await openTv(service);
  await pair(service, tom, tv, { name: 'Bar' });
  const row = async () => (await service.get('/api/admin/screens', tom)).json().screens[0];
  expect(await row()).not.toHaveProperty('unknownZone');
  await tv.beat({ unknownZone: true });
  expect(await row()).toMatchObject({ unknownZone: true, state: 'running', needsSomebody: false });
  const page = await service.get('/admin/pub/screens', { ...tom, accept: 'text/html' });
  expect(page.body).toContain('does not know the time zone');
  await tv.beat();
  expect(await row()).not.toHaveProperty('unknownZone');
});

test('/s without script has the clock, the programme and the hours of today, and says which browser is needed', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  await eve.publish('event', { title: 'Pub quiz', date: '2026-11-21', time: '19:00', place: 'Pub' });
  const { body, headers } = await service.get('/s', { accept: 'text/html' });
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(body).toMatch(/12:00\u00a0PM.*Pub quiz/s);
  expect(body).toContain('<noscript><meta http-equiv="refresh" content="60"></noscript>');
  expect(body).toContain('data-old="This browser is too old: use one from 2021 or later"');
});
