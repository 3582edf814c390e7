import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { addPlays, silenceAt } from '#test/stand-ins/plays.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { recorded } from '#test/support/audit.ts';
import { expectBadField, expectForbidden, expectRefusal, message } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { evening, play, STAFF, surface, TOKEN } from './rollups/fixtures.ts';

let service: TestApp;
beforeEach(async () => {
  service = await testApp(STAFF);
  service.clock.now = evening('2026-11-20');
});
afterEach(() => service[Symbol.asyncDispose]());

const change = (id: number, body: object, headers: Record<string, string> = TOKEN) =>
  service.post(`/api/admin/plays/${id}`, body, headers);
const audited = async () => recorded(service.ctx).map(({ action, metadata }) => [action, metadata]);

test('a hidden play is gone from the history and every surface, until it is shown again', async () => {
  const [rude = 0] = await play(service, 'Rude Band – Rude Song', 'Björk – Jóga');
  expect((await surface(service, 'tonight')).data.plays).toBe(2);

  const answer = await change(rude, { hidden: true });
  expect(answer.json()).toMatchObject({ ok: true, play: { id: rude, artist: 'Rude Band', hidden: true } });
  expect(JSON.stringify(await surface(service, 'tonight'))).not.toContain('Rude');
  expect((await service.get('/api/now-playing/setlist')).body).not.toContain('Rude');
  for (const name of ['top-songs', 'echo', 'stories', 'persona', 'wrapped', 'vibe-compass'])
    expect(JSON.stringify(await surface(service, name))).not.toContain('Rude');

  await change(rude, { hidden: false });
  expect((await surface(service, 'tonight')).data.plays).toBe(2);
  expect(await audited()).toEqual([
    ['play.hidden', { play_id: rude, artist: 'Rude Band', title: 'Rude Song', by: 'token:pub_admin' }],
    ['play.shown', { play_id: rude, artist: 'Rude Band', title: 'Rude Song', by: 'token:pub_admin' }],
  ]);
});

test('when the only play is hidden the surfaces answer 503 again', async () => {
  const [only = 0] = await play(service, 'Rude Band – Rude Song');
  await surface(service, 'tonight');
  await change(only, { hidden: true });

  await expect(surface(service, 'tonight')).rejects.toThrow('503');
});

test('a corrected play counts as the corrected song', async () => {
  await service.ctx.write((tx) =>
    tx.run(
      build
        .insertInto('track_genres')
        .values({ track_key: 'bjork\u001fjoga', genre: 'electronic', fetched_at: 0, expires_at: 0 }),
    ),
  );
  const [wrong = 0] = await play(service, {
    artist: 'Bjork Tribute',
    title: 'Joga (Karaoke)',
    isrc: 'USRC17607839',
    genre: 'pop',
  });
  service.clock.now += HOUR;
  await play(service, 'Björk – Jóga');
  const answer = await change(wrong, { artist: 'Björk', title: 'Jóga', album: 'Homogenic' });

  expect(answer.json().play).toMatchObject({
    artist: 'Björk',
    title: 'Jóga',
    album: 'Homogenic',
    isrc: '',
    genre: 'electronic',
  });
  const { data } = await surface(service, 'top-songs');
  expect(data.items).toMatchObject([{ artist: 'Björk', title: 'Jóga', plays: 2 }]);
  expect(await audited()).toEqual([
    [
      'play.corrected',
      {
        play_id: wrong,
        before: { artist: 'Bjork Tribute', title: 'Joga (Karaoke)', album: null },
        after: { artist: 'Björk', title: 'Jóga', album: 'Homogenic' },
        by: 'token:pub_admin',
      },
    ],
  ]);
});

test('another spelling of the same names keeps the recording code', async () => {
  const [id = 0] = await play(service, {
    artist: 'bjork',
    title: 'joga',
    isrc: 'USRC17607839',
    album: 'Homogenik',
  });
  const answer = await change(id, { artist: 'Björk', title: 'Jóga', album: '' });

  expect(answer.json().play).toMatchObject({ artist: 'Björk', album: null, isrc: 'USRC17607839' });
});

test('impossible changes are refused', async () => {
  const [song = 0, silence = 0] = [
    ...(await play(service, 'Björk – Jóga')),
    ...(await addPlays(service.ctx, [silenceAt(service.clock.now + MINUTE)])),
  ];

  expectRefusal(await change(999, { hidden: true }), 404, 'no_such_play');
  expectRefusal(await change(silence, { hidden: true }), 404, 'no_such_play');
  expect((await change(song, {})).json().error).toBe(message('nothing_to_change'));
  expectRefusal(await change(song, { hidden: false, artist: 'Björk' }), 400, 'nothing_to_change');
  expect((await change(song, { hidden: 'perhaps' })).json().errors[0].path).toBe('hidden');
  expect((await change(song, { title: 'x'.repeat(301) })).json().errors[0].path).toBe('title');
  expectBadField(await service.post('/api/admin/plays/one', { hidden: true }, TOKEN), 'id', 'out_of_range', {
    min: 1,
    max: 9007199254740991,
  });
  expect(await audited()).toEqual([]);
});

test('staff see hidden plays and those of films, page by page', async () => {
  const [, , film = 0] = await play(
    service,
    'One – Song',
    'Two – Song',
    { artist: 'Film', title: 'Score', kind: 'video' },
    { artist: 'Rude', title: 'Song', hidden: 1 },
  );
  await addPlays(service.ctx, [silenceAt(service.clock.now)]);
  const page = (await service.get('/api/admin/plays?limit=2', TOKEN)).json();
  expect(page).toMatchObject({
    items: [
      { artist: 'Rude', hidden: true, kind: 'music' },
      { artist: 'Film', hidden: false, kind: 'video' },
    ],
    nextBefore: film,
  });

  const rest = (await service.get(`/api/admin/plays?limit=5&before=${page.nextBefore}`, TOKEN)).json();
  expect(rest).toMatchObject({ items: [{ artist: 'Two' }, { artist: 'One' }], nextBefore: null });
});

test('reading, changing and exporting need the permission to moderate', async () => {
  const [song = 0] = await play(service, 'Björk – Jóga');
  const viewer = await appoint(service, 'viewer@club.example', 'viewer');
  for (const url of ['/api/admin/plays', '/api/admin/setlist.csv', '/api/admin/share-clicks']) {
    expectRefusal(await service.get(url), 401, 'staff_key_required');
    expect((await service.get(url, viewer)).json()).toMatchObject({ permission: 'requests:moderate' });
  }
  expectRefusal(await change(song, { hidden: true }, {}), 401, 'staff_key_required');
  expectForbidden(await change(song, { hidden: true }, viewer), 'requests:moderate');
});
