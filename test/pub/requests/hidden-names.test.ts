import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { send } from '#test/support/factories.ts';
import { expectRefusal, fieldJson, onPage } from '#test/support/messages.ts';
import { phone } from '#test/support/people/patrons.ts';
import { evening, play, STAFF, surface, TOKEN } from '../setlist/rollups/fixtures.ts';

let service: TestApp;
beforeEach(async () => {
  service = await testApp({ ...STAFF, SETLIST_REQUESTS_ENABLED: 'on' });
  service.clock.now = evening('2026-11-20');
});
afterEach(() => service[Symbol.asyncDispose]());

const hide = (body: object) => service.post('/api/admin/hidden-names', body, TOKEN);
const names = async () => (await service.get('/api/admin/hidden-names', TOKEN)).json().names;
const report = (artist: string, title: string) =>
  service.post('/api/now-playing/ingest', { artist, title, source: 'device' });
const history = async () => (await service.get('/api/now-playing/setlist')).body;
const ask = (artist: string, title: string) => phone(service).post('/api/setlist/request', { artist, title });

test('hiding an artist hides all spellings, past and future plays, on every surface', async () => {
  await play(
    service,
    'Rüde Band – One',
    'RUDE BAND feat. Jane – Two',
    'Björk – Jóga',
    'Rude Bandits – Three',
  );
  expect((await surface(service, 'tonight')).data.plays).toBe(4);

  const answer = await hide({ artist: 'Rude Band' });
  expect(answer.json()).toMatchObject({ ok: true, name: { artist: 'Rude Band', title: null } });
  for (const [artist, title] of [
    ['rude band', 'Four'],
    ['Rude Bandits', 'Five'],
  ] as const) {
    service.clock.now += 4 * MINUTE;
    await report(artist, title);
  }
  service.clock.now += 4 * MINUTE;

  const left = await history();
  for (const gone of ['One', 'Two', 'Four']) expect(left).not.toContain(`"${gone}"`);
  for (const kept of ['Jóga', 'Three', 'Five']) expect(left).toContain(`"${kept}"`);
  expect((await surface(service, 'tonight')).data.plays).toBe(3);
});

test('a hidden song that is playing is on no screen', async () => {
  await hide({ artist: 'Rude Band', title: 'Rude Song' });
  await report('Rude Band', 'Rude Song');
  expect((await service.get('/api/now-playing/snapshot')).body).not.toContain('Rude');

  service.clock.now += MINUTE;
  await report('Rude Band', 'A Lullaby');
  expect((await service.get('/api/now-playing/snapshot')).body).toContain('A Lullaby');
});

test('a play that is corrected to a hidden name is hidden', async () => {
  await hide({ artist: 'Rude Band' });
  const [id] = await play(service, 'Rud Bnd – Rude Song');
  const answer = await service.post(`/api/admin/plays/${id}`, { artist: 'Rude Band' }, TOKEN);

  expect(answer.json().play).toMatchObject({ artist: 'Rude Band', hidden: true });
  expect(await history()).not.toContain('Rude');
});

test('a hidden song cannot be asked for, and open requests for it are declined', async () => {
  expect((await ask('Rude Band', 'Rude Song')).statusCode).toBe(200);
  await play(service, 'Rude Band – Long ago');
  const suggested = async () => (await service.get('/api/setlist/track-suggest?q=rude')).body;
  expect(await suggested()).toContain('Long ago');
  await hide({ artist: 'Rude Band' });

  expect(await suggested()).not.toContain('Rude');
  expect((await service.get('/api/setlist/requests')).body).not.toContain('Rude');
  const refused = await ask('RUDE BAND', 'Another one');
  expect([refused.statusCode, refused.json().errors]).toEqual([400, [fieldJson('title', 'song_hidden')]]);
  const page = await service.submit('/requests', { artist: 'RUDE BAND', title: 'Another one' });
  expect(page.statusCode).toBe(400);
  expect(page.body).toContain(onPage('song_hidden'));
  expect(page.body).toContain('value="Another one"');
  // The answer gives a browser without a cookie exactly one.
  expect(page.headers['set-cookie']).toMatch(/^house_browser=/);
});

test('hiding a song declines the request that another name of its recording has, and says when and by whom', async () => {
  for (const [artist, title] of [
    ['Rude Band', 'Rude Song'],
    ['Rude Band & Friends', 'Rude Song (Live)'],
  ]) {
    await service.post('/api/now-playing/ingest', { artist, title, isrc: 'USRC17607839', source: 'device' });
    service.clock.now += 3 * HOUR;
  }
  expect((await ask('Rude Band & Friends', 'Rude Song (Live)')).statusCode).toBe(200);
  await ask('Rude Band', 'Another Song');
  await hide({ artist: 'Rude Band', title: 'Rude Song' });

  const { requests } = (await service.get('/api/admin/requests', TOKEN)).json();
  expect(
    requests.map((one: Record<string, unknown>) => [one.title, one.status, one.decidedAt, one.decidedBy]),
  ).toEqual([
    ['Another Song', 'pending', null, null],
    ['Rude Song (Live)', 'declined', isoTime(service.clock.now), 'token:pub_admin'],
  ]);
});

test('a name is listed once, can be removed, and later plays are shown', async () => {
  await play(service, 'Rude Band – Before');
  const { id } = (await hide({ artist: 'Rude Band' })).json().name;
  await hide({ artist: 'rude  band' });
  expect(await names()).toMatchObject([{ id, artist: 'Rude Band', hiddenBy: 'token:pub_admin' }]);

  const away = await send(service, 'DELETE', `/api/admin/hidden-names/${id}`);
  expect(away.statusCode).toBe(401);
  const shown = () =>
    service.request({ method: 'DELETE', url: `/api/admin/hidden-names/${id}`, headers: TOKEN });
  expect((await shown()).json()).toEqual({ ok: true });
  expectRefusal(await shown(), 404, 'no_such_name');
  await report('Rude Band', 'After');

  expect(await names()).toEqual([]);
  expect(await history()).toContain('"After"');
  expect(await history()).not.toContain('"Before"');
  const audited = service.ctx.db.all(build.selectFrom('audit_log').select('action').orderBy('seq'));
  expect(audited.map(({ action }) => action)).toEqual(['name.hidden', 'name.shown']);
});

test.each([
  ['artist', { title: 'Rude Song' }],
  // Otherwise a mistake would hide everything by the artist.
  ['title', { artist: 'Rude Band', title: ' ' }],
])('a name whose %s is missing is refused', async (path, body) => {
  const refused = await hide(body);

  expect([refused.statusCode, refused.json().errors[0].path]).toEqual([400, path]);
  expect(await names()).toEqual([]);
});
