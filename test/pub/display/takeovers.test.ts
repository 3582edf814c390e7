import { expect, test } from 'vitest';
import { HOUR, isoTime, MINUTE, SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { PRESETS } from '#pub/display/takeover-input.ts';
import { NOON, type TestApp, testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { expectForbidden, expectRefusal, fieldJson } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { startPub } from '#test/support/pub-service.ts';
import { shared } from '#test/support/shared-app.ts';

const TENDER = 'tess@club.example';
const STAFF = { 'edge-access-authenticated-user-email': TENDER };

async function service(): Promise<TestApp> {
  const pub = await testApp();
  await appoint(pub, TENDER, 'tender');
  return pub;
}

const open = shared(service);

const start = (at: TestApp, body: object, headers: Record<string, string> = STAFF) =>
  at.post('/api/admin/takeover', body, headers);
const idOf = async (at: TestApp, body: object): Promise<string> => (await start(at, body)).json().id;
const end = (at: TestApp, id: string, headers: Record<string, string> = STAFF) =>
  at.post(`/api/admin/takeover/${id}/end`, {}, headers);
const current = async (at: TestApp) => (await at.get('/api/takeover')).json().takeover;
const inFeed = async (at: TestApp) => (await at.get('/api/events')).json().takeover;

test('a notice is shown from its start until its end', async () => {
  await using pub = await service();
  expect((await pub.get('/api/takeover')).headers['cache-control']).toBe('no-store');
  expect(await current(pub)).toBeNull();
  expect((await pub.get('/api/events')).body).not.toContain('takeover');

  const answer = await start(pub, { kind: 'own', title: 'Cake', text: 'In the hall', minutes: 10 });
  const takeover = {
    id: answer.json().id,
    kind: 'own',
    title: 'Cake',
    text: 'In the hall',
    screens: [],
    earlier: [],
    startedAt: isoTime(NOON),
    expiresAt: isoTime(NOON + 10 * MINUTE),
  };
  expect(answer.json()).toEqual({ ok: true, id: expect.any(String), takeover });
  expect(await current(pub)).toEqual(takeover);
  expect(await inFeed(pub)).toEqual(takeover);

  pub.clock.now += 10 * MINUTE - 1;
  expect(await current(pub)).toEqual(takeover);
  expect(await inFeed(pub)).toEqual(takeover);
  pub.clock.now += 1;
  expect(await current(pub)).toBeNull();
  expect(await inFeed(pub)).toBeUndefined();
});

test.each([
  ['last_orders', 'Last orders', 20],
  ['voting', PRESETS.voting.title.for(ENGLISH), 60],
  ['leave', 'Fire alarm: please leave', 15],
])('the preset %s has its text and its duration', async (kind, title, minutes) => {
  await using pub = await service();
  const { takeover } = (await start(pub, { kind })).json();
  expect(takeover).toMatchObject({ kind, title, expiresAt: isoTime(NOON + minutes * MINUTE) });
  expect(takeover.text).not.toBe('');
});

test('last orders without minutes end when the pub closes, after an hour at the latest', async () => {
  await using pub = await service();
  const editor = await editorAt(pub);
  await editor.publish('special', { from: '2026-11-21', ranges: [{ opens: '11:00', closes: '13:30' }] });
  const early = (await start(pub, { kind: 'last_orders' })).json().takeover;
  expect(early.expiresAt).toBe(isoTime(NOON + 60 * MINUTE));
  pub.clock.now += 45 * MINUTE;
  const { takeover } = (await start(pub, { kind: 'last_orders' })).json();
  expect(takeover.expiresAt).toBe(isoTime(NOON + 90 * MINUTE));
  pub.clock.now = NOON + 30 * SECOND;
  expect((await start(pub, { kind: 'last_orders', minutes: 5 })).json().takeover.expiresAt).toBe(
    isoTime(NOON + 30 * SECOND + 5 * MINUTE),
  );
});

test('the newest wins, and ending it shows the one before if that still runs', async () => {
  await using pub = await service();
  const first = await idOf(pub, { kind: 'voting', minutes: 30 });
  const second = await idOf(pub, { kind: 'last_orders', minutes: 20, screens: ['bar', 'bar', ' hall '] });
  const third = await idOf(pub, { kind: 'leave', minutes: 5 });
  expect(await current(pub)).toMatchObject({
    id: third,
    earlier: [{ id: second, screens: ['bar', 'hall'] }, { id: first }],
  });

  expect((await end(pub, third)).json()).toMatchObject({ ok: true, takeover: { id: second } });
  expect(await inFeed(pub)).toMatchObject({ id: second, earlier: [{ id: first }] });
  pub.clock.now += 20 * MINUTE;
  expect(await current(pub)).toMatchObject({ id: first, earlier: [] });
  expect((await end(pub, second)).statusCode).toBe(200);
  await end(pub, first);
  expect(await current(pub)).toBeNull();
  expect((await end(pub, first)).json()).toEqual({ ok: true, takeover: null });
  expectRefusal(await end(pub, 'none'), 404, 'takeover_not_found');
});

test.each([
  ['the same twice', { kind: 'last_orders' }, { kind: 'last_orders', minutes: 5 }, true],
  [
    'every screen after one',
    { kind: 'own', title: 'A', screens: ['bar'] },
    { kind: 'own', title: 'B' },
    true,
  ],
  [
    'one screen of two',
    { kind: 'voting', screens: ['bar', 'hall'] },
    { kind: 'voting', screens: ['bar'] },
    false,
  ],
  ['one screen after every screen', { kind: 'voting' }, { kind: 'voting', screens: ['bar'] }, false],
  [
    'another screen',
    { kind: 'own', title: 'A', screens: ['hall'] },
    { kind: 'own', title: 'B', screens: ['bar'] },
    false,
  ],
  ['another kind', { kind: 'voting' }, { kind: 'last_orders' }, false],
])(
  'a notice replaces a running one of its kind where it covers its screens: %s',
  async (_name, first, second, gone) => {
    await using pub = await service();
    const before = await idOf(pub, first);
    const after = await idOf(pub, second);
    expect(await current(pub)).toMatchObject({ id: after, earlier: gone ? [] : [{ id: before }] });
  },
);

test.each([
  ['leave', 15],
  ['last_orders', 60],
  ['voting', 1440],
])('%s lasts at most %i minutes', async (kind, most) => {
  await using pub = await service();
  expect((await start(pub, { kind, minutes: most })).statusCode).toBe(200);
  const refused = await start(pub, { kind, minutes: most + 1 });
  expect([refused.statusCode, refused.body]).toEqual([400, expect.stringContaining(String(most))]);
});

test.each([
  ['kind', { kind: 'party' }],
  ['kind', {}],
  ['minutes', { kind: 'leave', minutes: 0 }],
  ['minutes', { kind: 'leave', minutes: 25 * 60 }],
  ['minutes', { kind: 'leave', minutes: 1.5 }],
  ['title', { kind: 'own' }],
  ['title', { kind: 'own', title: 'x'.repeat(61) }],
  ['text', { kind: 'own', title: 'x'.repeat(60), text: 'y'.repeat(81) }],
  ['screens', { kind: 'leave', screens: 7 }],
])('a wrong %s is refused by its name', async (field, body) => {
  const pub = await open();
  const answer = await start(pub, body);
  expect(answer.statusCode).toBe(400);
  expect(answer.json().errors[0].path).toBe(field);
  expect(await current(pub)).toBeNull();
});

test('a notice lasts from a minute to a day; without minutes one with its own text lasts 15', async () => {
  await using pub = await service();
  expect((await start(pub, { kind: 'own', title: 'A' })).json().takeover.expiresAt).toBe(
    isoTime(NOON + 15 * MINUTE),
  );
  expect((await start(pub, { kind: 'own', text: 'A', minutes: 1440 })).json().takeover.expiresAt).toBe(
    isoTime(NOON + 24 * HOUR),
  );
  expect((await start(pub, { kind: 'leave', minutes: 1 })).statusCode).toBe(200);
});

test('tenders may start and end a notice; viewers may not', async () => {
  await using pub = await service();
  const vera = await appoint(pub, 'vera@club.example', 'viewer');
  const refused = await start(pub, { kind: 'leave' }, vera);
  expect([refused.statusCode, refused.body]).toEqual([403, expect.stringContaining('screens:takeover')]);
  const { id } = (await start(pub, { kind: 'leave', screens: ['bar'] })).json();
  expectForbidden(await end(pub, id, vera), 'screens:takeover');
  expect((await end(pub, id)).statusCode).toBe(200);
  const event = { body: { title: 'Quiz', date: '2026-12-08' } };
  const written = await pub.post('/api/admin/content/event', event, STAFF);
  expect([written.statusCode, written.json().permission]).toEqual([403, 'content:write']);

  const entries = pub.ctx.db.all(
    build
      .selectFrom('audit_log')
      .select(['action', 'metadata'])
      .where('action', 'like', 'takeover.%')
      .orderBy('seq'),
  );
  expect(entries.map(({ action }) => action)).toEqual(['takeover.started', 'takeover.ended']);
  expect(JSON.parse(entries[0]?.metadata ?? '')).toMatchObject({
    takeover: id,
    kind: 'leave',
    minutes: 15,
    screens: 1,
  });
});

test('a notice survives a restart, and keeps its end', async () => {
  await using pub = await startPub({}, {}, { durable: true });
  await appoint(pub.service, TENDER, 'tender');
  const id = await idOf(pub.service, { kind: 'voting', minutes: 5 });
  const next = await pub.restart();
  next.clock.now = pub.service.clock.now + 5 * MINUTE - SECOND;
  expect(await current(next)).toMatchObject({ id, title: PRESETS.voting.title.for(ENGLISH) });
  next.clock.now += SECOND;
  expect(await current(next)).toBeNull();
});

test('a notice may have a QR code to a page of this service', async () => {
  await using pub = await testApp({ BASE_URL: 'https://club.example' });
  await appoint(pub, TENDER, 'tender');

  const { takeover } = (
    await start(pub, { kind: 'voting', qr: 'https://club.example/elections/1?a=b#top' })
  ).json();
  expect(takeover).toMatchObject({
    qrUrl: 'https://club.example/elections/1?a=b',
    qrImageUrl: `/api/takeover/${takeover.id}/qr`,
  });
  expect(await inFeed(pub)).toEqual(takeover);
  const code = await pub.get(takeover.qrImageUrl);
  expect([code.statusCode, code.headers['content-type']]).toEqual([200, 'image/png']);
  const page = await pub.get('/admin/pub', { ...STAFF, accept: 'text/html' });
  expect(page.body).toContain('with a QR code to https://club.example/elections/1?a=b');
  const other = await idOf(pub, { kind: 'leave' });
  expect(await current(pub)).not.toHaveProperty('qrUrl');
  expectRefusal(await pub.get(`/api/takeover/${other}/qr`), 404, 'image_not_found');
});

test.each([
  ['https://evil.example/events', 'not_own_page'],
  ['//evil.example/events', 'not_own_page'],
  ['/\\evil.example/events', 'not_own_page'],
  ['javascript:alert(1)', 'not_own_page'],
  ['events', 'not_own_page'],
  ['/api/events', 'not_own_page'],
  ['/vote?v=K7P4-2MQX', 'personal_code'],
] as const)('no QR code leads to %s', async (qr, code) => {
  await using pub = await testApp({ BASE_URL: 'https://club.example' });
  await appoint(pub, TENDER, 'tender');

  const answer = await start(pub, { kind: 'voting', qr });

  expect([answer.statusCode, answer.json().errors]).toEqual([400, [fieldJson('qr', code)]]);
  expect(await current(pub)).toBeNull();
});

test('with a QR code at most 80 characters are allowed; the form with a code needs no script', async () => {
  await using pub = await service();
  const long = { kind: 'own', title: 'x'.repeat(50), text: 'y'.repeat(31) };
  expect((await start(pub, { ...long, qr: '/events' })).json().errors[0].message).toContain('80 characters');
  expect((await start(pub, { ...long, qr: '' })).statusCode).toBe(200);

  const sent = await pub.submit('/admin/pub/takeover', { kind: 'voting', qr: '/me' }, STAFF);

  expect(sent.statusCode).toBe(303);
  expect(await current(pub)).toMatchObject({ title: PRESETS.voting.title.for(ENGLISH), qrUrl: '/me' });
});
