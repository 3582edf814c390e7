// How a TV becomes a screen of the club, and what does not make it one.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { expectBadField, expectRefusal, onPage } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { openTv, pair } from './pairing-steps.ts';

const screensOf = async (service: TestApp, staff: Record<string, string>) =>
  (await service.get('/api/admin/screens', staff)).json().screens;
const use = (service: TestApp, staff: Record<string, string>, code: string, more: object = {}) =>
  service.post('/api/admin/screens', { code, name: 'Bar', ...more }, staff);

test('a TV shows a code, a bartender uses it, and the TV gets its page and its identity once', async () => {
  await using service = await testApp();
  const tom = await appoint(service, 'tom@club.example', 'tender');
  const answer = await service.post('/api/screens/pairings');
  expect([answer.statusCode, answer.json()]).toEqual([
    201,
    {
      code: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{6}$/),
      secret: expect.stringMatching(/^[0-9a-f]{32}$/),
      expires_in: 600,
      interval: 5,
    },
  ]);

  const tv = await openTv(service);
  const waiting = await tv.poll();
  expect([waiting.statusCode, waiting.cookies]).toEqual([202, []]);
  const used = await service.post(
    '/api/admin/screens',
    // As people type it.
    {
      code: ` ${tv.code.slice(0, 3)}-${tv.code.slice(3).toLowerCase()}`,
      name: 'Over the bar',
      place: 'Snug',
      page: 'bar-right',
    },
    tom,
  );
  expect(used.json()).toEqual({ ok: true, id: expect.any(String) });
  expect(await screensOf(service, tom)).toMatchObject([
    { name: 'Over the bar', place: 'Snug', page: 'bar-right', paired: true, state: 'waiting for pairing' },
  ]);

  const paired = await tv.poll();
  expect([paired.statusCode, paired.json()]).toEqual([200, { page: 'bar-right' }]);
  expect(paired.cookies).toMatchObject([
    { name: 'screen', httpOnly: true, sameSite: 'Lax', maxAge: 400 * 86_400, path: '/' },
  ]);
  expect(paired.headers['cache-control']).toBe('no-store');
  const again = await tv.poll();
  expect([again.statusCode, again.cookies]).toEqual([410, []]);

  const beat = await tv.beat();
  expect(beat.json()).toMatchObject({ ok: true, name: 'Over the bar', page: 'bar-right', turn: 0 });
  // The cookie begins anew with each heartbeat.
  expect(beat.cookies).toMatchObject([{ name: 'screen', maxAge: 400 * 86_400 }]);
  expect(await screensOf(service, tom)).toMatchObject([{ state: 'running', viewport: '1920x1080' }]);
  const { logs } = (
    await service.get('/api/admin/audit?limit=5', await appoint(service, 'ann@club.example', 'owner'))
  ).json();
  expect(logs).toContainEqual(expect.objectContaining({ action: 'screen.paired' }));
});

test.each([
  ['wrong', 404, async () => 'K7P4MQ'],
  ['of another length', 404, async () => 'K7P4M'],
  [
    'ten minutes old',
    404,
    async (service: TestApp) => {
      const { code } = await openTv(service);
      service.clock.now += 10 * MINUTE;
      return code;
    },
  ],
  [
    'used already',
    409,
    async (service: TestApp, staff: Record<string, string>) => {
      const { code } = await openTv(service);
      expect((await use(service, staff, code)).statusCode).toBe(200);
      return code;
    },
  ],
  [
    'of a screen that is on its page',
    409,
    async (service: TestApp, staff: Record<string, string>) => {
      const tv = await openTv(service);
      await pair(service, staff, tv, { name: 'Bar' });
      return tv.code;
    },
  ],
] as const)('a code that is %s is refused with %i', async (_how, status, codeOf) => {
  await using service = await testApp();
  const tom = await appoint(service, 'tom@club.example', 'tender');
  const code = await codeOf(service, tom);
  const before = await screensOf(service, tom);
  expect((await use(service, tom, code, { name: 'Other' })).statusCode).toBe(status);
  expect(await screensOf(service, tom)).toEqual(before);
});

test('of two who use a code at once one pairs it, the other is told', async () => {
  await using service = await testApp();
  const tom = await appoint(service, 'tom@club.example', 'tender');
  const ann = await appoint(service, 'ann@club.example', 'owner');
  const tv = await openTv(service);
  const answers = await Promise.all([use(service, tom, tv.code), use(service, ann, tv.code)]);
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  expect(await screensOf(service, tom)).toHaveLength(1);
  const polls = await Promise.all([tv.poll(), tv.poll()]);
  expect(polls.map(({ statusCode }) => statusCode).sort()).toEqual([200, 410]);
});

test('a hundred guesses of one person are 429 from the eleventh on; a right code by another works', async () => {
  await using service = await testApp({ RATE_LIMIT_GENERAL: '100000', RATE_LIMIT_ADMIN: '100000' });
  const tom = await appoint(service, 'tom@club.example', 'tender');
  const ann = await appoint(service, 'ann@club.example', 'owner');
  const tv = await openTv(service);
  const statuses: number[] = [];
  for (let guess = 0; guess < 100; guess += 1) {
    const code = guess
      .toString(32)
      .toUpperCase()
      .padStart(6, '0')
      .replace(/[ILOU]/g, 'Z');
    statuses.push((await use(service, tom, code)).statusCode);
  }
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(404));
  expect(new Set(statuses.slice(10))).toEqual(new Set([429]));
  const refused = await use(service, tom, tv.code);
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '600']);
  expect((await use(service, ann, tv.code)).statusCode).toBe(200);
  service.clock.now += 10 * MINUTE;
  expectRefusal(await use(service, tom, 'K7P4MQ'), 404, 'pairing_code_unknown');
});

test('pairing needs screens:manage, which a DJ has not; a stranger has to sign in', async () => {
  await using service = await testApp();
  const dan = await appoint(service, 'dan@club.example', 'dj');
  const { code } = await openTv(service);
  expectRefusal(await use(service, {}, code), 401, 'staff_key_required');
  const refused = await use(service, dan, code);
  expect([refused.statusCode, refused.json().permission]).toEqual([403, 'screens:manage']);
});

test('an unknown secret is a 404; a TV that asks too often is told to wait', async () => {
  await using service = await testApp();
  const poll = (secret: unknown) => service.post('/api/screens/pairings/poll', { secret } as object);
  const [unknown, malformed] = [await poll('0'.repeat(32)), await poll('nothing')];
  expect([unknown.statusCode, unknown.body]).toEqual([404, malformed.body]);
  expectBadField(await poll(undefined), 'secret', 'required');

  const tv = await openTv(service);
  const statuses = await Promise.all(Array.from({ length: 16 }, async () => (await tv.poll()).statusCode));
  expect(statuses).toEqual([...Array(15).fill(202), 429]);
  expect((await tv.poll()).headers['retry-after']).toBe('60');
  service.clock.now += MINUTE;
  expect((await tv.poll()).statusCode).toBe(202);
});

test('a sixth code of a client ends its oldest; 200 in all end one of the client that has the most', async () => {
  await using service = await testApp({ RATE_LIMIT_GENERAL: '100000' });
  const tom = await appoint(service, 'tom@club.example', 'tender');
  const own = [];
  for (let index = 0; index < 6; index += 1) {
    service.clock.now += SECOND;
    own.push(await openTv(service, '192.0.2.7'));
  }
  expectRefusal(await own[0]!.poll(), 410, 'pairing_expired');
  expect((await own[1]!.poll()).statusCode).toBe(202);
  const alone = await openTv(service, '198.51.100.1');
  for (let index = 0; index < 250; index += 1) await openTv(service, `203.0.113.${index % 50}`);
  expect((await alone.poll()).statusCode).toBe(202);
  expect((await use(service, tom, alone.code)).statusCode).toBe(200);
  expect((await openTv(service, '203.0.113.9')).code).toHaveLength(6);
});

test('a code that is used in its last seconds still arrives; after that it has expired', async () => {
  await using service = await testApp();
  const tom = await appoint(service, 'tom@club.example', 'tender');
  const [late, never] = [await openTv(service), await openTv(service)];
  service.clock.now += 10 * MINUTE - SECOND;
  expect((await use(service, tom, late.code)).statusCode).toBe(200);
  service.clock.now += 10 * SECOND;
  expect((await late.poll()).statusCode).toBe(200);
  expectRefusal(await never.poll(), 410, 'pairing_expired');
  // Half an hour later nobody knows of it.
  service.clock.now += 30 * MINUTE;
  await openTv(service);
  expectRefusal(await never.poll(), 404, 'pairing_unknown');
});

test('a restart changes nothing: before the code is used, before it arrives, and after', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pairing-'));
  const env = { DATABASE_URL: `file:${path.join(folder, 'house.db')}` };
  const staff = { 'x-admin-token': 'the token of the staff' };
  const start = () => testApp({ ...env, PUB_ADMIN_TOKEN: staff['x-admin-token'] });
  try {
    let service = await start();
    const { code, secret } = await openTv(service);
    const restart = async () => {
      await service[Symbol.asyncDispose]();
      service = await start();
    };
    await restart();
    expect((await use(service, staff, code)).statusCode).toBe(200);
    await restart();
    const polled = await service.post('/api/screens/pairings/poll', { secret });
    const [cookie] = polled.cookies;
    expect([polled.statusCode, cookie?.name]).toEqual([200, 'screen']);
    await restart();
    const headers = { cookie: `screen=${cookie?.value}` };
    const beat = { screen: 'x', page: 'tv', version: 'v', uptime_s: 1, viewport: '1x1', named: false };
    expect((await service.post('/api/screens/heartbeat', beat, headers)).json()).toMatchObject({
      name: 'Bar',
    });
    expect((await service.get('/tv/projector', headers)).headers.location).toBe('/tv');
    await service[Symbol.asyncDispose]();
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});

test('no secret of a screen is stored or logged, and the address of a client is not either', async () => {
  await using service = await testApp();
  const tom = await appoint(service, 'tom@club.example', 'tender');
  const tv = await openTv(service, '198.51.100.77');
  await pair(service, tom, tv, { name: 'Bar' });
  const identity = String(tv.headers.cookie).split('=')[1]!;
  const stored = service.ctx.db
    .all({ sql: 'SELECT * FROM screens', parameters: [] } as never)
    .concat(service.ctx.db.all({ sql: 'SELECT * FROM pairings', parameters: [] } as never));
  for (const text of [JSON.stringify(stored), service.logged.join()])
    for (const secret of [tv.secret, identity]) expect(text).not.toContain(secret);
  expect(JSON.stringify(stored)).not.toContain('198.51.100.77');
});

test('the QR code leads to the page with the code, at the address by which the TV came', async () => {
  await using service = await testApp();
  const tv = await openTv(service);
  const qr = await service.get(`/api/screens/pairings/qr?code=${tv.code}`);
  expect([qr.statusCode, qr.headers['content-type']]).toEqual([200, 'image/png']);
  for (const code of ['', 'K7P4M', 'K7P4M<', 'K7P4MQ7'])
    expectBadField(await service.get(`/api/screens/pairings/qr?code=${code}`), 'code', 'not_valid');
});

test('the page of screens takes the code from the QR code, asks whether it is the one in front, and pairs', async () => {
  await using service = await testApp();
  const tom = { ...(await appoint(service, 'tom@club.example', 'tender')), accept: 'text/html' };
  const tv = await openTv(service);
  const scanned = await service.get(`/admin/pub/screens?code=${tv.code}`, tom);
  const shown = `${tv.code.slice(0, 3)}-${tv.code.slice(3)}`;
  expect(scanned.body).toContain('Is this the code on the screen in front of you?');
  expect(scanned.body).toContain(`value="${shown}"`);
  const onPaper = await service.get('/admin/pub/screens/print', { ...tom, host: 'pub.example:3000' });
  for (const address of ['/s', '/admin/pub/screens'])
    expect(onPaper.body).toContain(`<strong class="screen-address">pub.example:3000${address}</strong>`);

  const form = {
    code: shown,
    name: 'Snug',
    place: 'By the fire',
    page: 'tv',
    groups: 'quiet, down',
    turn: '0',
    inset: '',
  };
  const wrong = await service.submit('/admin/pub/screens', { ...form, code: 'K7P-4MQ' }, tom);
  expect(wrong.statusCode).toBe(404);
  expect(wrong.body).toContain(onPage('pairing_code_unknown'));
  expect(wrong.body).toContain('value="By the fire"');
  const refused = await service.submit('/admin/pub/screens', { ...form, name: ' ' }, tom);
  expect([refused.statusCode, refused.body.includes(`Name: ${onPage('required')}`)]).toEqual([400, true]);

  const own = {
    off: 'own',
    'off.mon.0.from': '23:00',
    'off.mon.0.to': '11:30',
    'off.mon.1.from': '14:00',
    'off.mon.1.to': '17:30',
  };
  for (const name of Object.keys(own)) expect(refused.body).toContain(` name="${name}"`);
  const saved = await service.submit('/admin/pub/screens', { ...form, ...own }, tom);
  const [row] = await screensOf(service, tom);
  expect([saved.statusCode, saved.headers.location]).toEqual([
    303,
    `/admin/pub/screens/${row.id}?done=paired`,
  ]);
  expect(row).toMatchObject({
    name: 'Snug',
    groups: ['quiet', 'down'],
    off_hours: {
      mon: [
        { from: '23:00', to: '11:30' },
        { from: '14:00', to: '17:30' },
      ],
      tue: [],
    },
  });
  expect((await service.get(`/admin/pub/screens/${row.id}?done=paired`, tom)).body).toContain('Paired.');
});

test('wrong codes of strangers slow a TV down, and do not lock it out', async () => {
  await using service = await testApp();
  const tom = await appoint(service, 'tom@club.example', 'tender');
  const tv = await openTv(service);
  const id = await pair(service, tom, tv, { name: 'Bar' });
  const { code } = (await service.post(`/api/admin/screens/${id}/repair`, {}, tom)).json();
  const take = (text: string, from: string) =>
    service.post('/api/screens/pairings', { code: text }, { 'edge-connecting-ip': from });
  const statuses = [];
  for (let client = 0; client < 30; client += 1)
    for (let guess = 0; guess < 10; guess += 1)
      statuses.push((await take('K7P4MQ', `198.51.100.${client}`)).statusCode);
  expect(statuses.filter((status) => status === 404)).toHaveLength(204);
  const refused = await take(code, '192.0.2.1');
  const wait = Number(refused.headers['retry-after']);
  expect([refused.statusCode, wait <= 10]).toEqual([429, true]);
  service.clock.now += wait * SECOND;
  expect((await take(code, '192.0.2.1')).statusCode).toBe(201);
});
