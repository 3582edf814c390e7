import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { setClubReader } from '#kernel/locale.ts';
import { refreshRollups } from '#pub/setlist/rollups/job.ts';
import { SURFACES } from '#pub/setlist/rollups/surfaces.ts';
import { addPlays, setlistOf, silenceAt } from '#test/stand-ins/plays.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { errorJson, expectBadField, expectRefusal, message } from '#test/support/messages.ts';
import { tempFolder } from '#test/support/process/process.ts';
import { evening, play, surface } from './fixtures.ts';

const NAMES = SURFACES.map(({ name }) => name);

let service: TestApp;
beforeEach(async () => {
  service = await testApp();
  service.clock.now = evening('2026-11-20');
});
afterEach(() => service[Symbol.asyncDispose]());

test('every surface answers 503 until the first song counts, and then with its figures', async () => {
  await addPlays(service.ctx, [silenceAt(service.clock.now - HOUR)]);
  await play(service, { kind: 'video' });
  await refreshRollups(service.ctx);
  for (const name of NAMES) {
    const early = await service.get(`/api/setlist/${name}`);
    const answer = [early.statusCode, early.json(), early.headers['retry-after']];
    expect(answer).toEqual([503, errorJson('computing'), '60']);
  }

  service.clock.now += HOUR;
  await play(service, 'Björk – Jóga');
  for (const name of NAMES)
    expect(await surface(service, name)).toMatchObject({
      surface: name,
      version: 1,
      range: { from: expect.any(String), to: expect.any(String), label: expect.any(String) },
      generatedAt: '2026-11-21T02:00:00.000Z',
      sampleSize: 1,
    });
});

test('an unknown surface is a 404, an unknown range a 400 that lists the valid ones', async () => {
  await play(service, 'Björk – Jóga');
  await refreshRollups(service.ctx);

  expectRefusal(await service.get('/api/setlist/bottom-songs'), 404, 'not_found');
  expect((await service.get('/api/setlist/wrapped?range=2025')).json().error).toBe(
    `range: ${message('not_one_of', { values: '2026' })}`,
  );
  expectBadField(await service.get('/api/setlist/tonight?range=7d'), 'range', 'not_one_of', {
    values: ['tonight'],
  });
  expectBadField(await service.get('/api/setlist/top-songs?range=all&range=7d'), 'range', 'not_one_text');
  for (const range of ['7d', '30d', 'term', 'all'])
    expect((await service.get(`/api/setlist/top-songs?range=${range}`)).statusCode).toBe(200);
});

test('a surface that is switched on has its figures after the next run, without a new play', async () => {
  const { ctx } = service;
  await play(service, 'Björk – Jóga');
  await refreshRollups({ ...ctx, config: { ...ctx.config, SETLIST_ECHO_ENABLED: false } });
  expect((await service.get('/api/setlist/echo')).statusCode).toBe(503);

  await refreshRollups(ctx);
  expect((await service.get('/api/setlist/echo')).statusCode).toBe(200);
});

test('each surface has a switch, and nothing of it is served when it is off', async () => {
  const flags = SURFACES.map(({ flag }) => [flag, 'off'] as const);
  await using dark = await testApp(Object.fromEntries(flags));
  await play(dark, 'Björk – Jóga');
  await refreshRollups(dark.ctx);

  for (const name of NAMES) {
    const answer = await dark.get(`/api/setlist/${name}`);
    expect([answer.statusCode, answer.json()]).toEqual([404, { enabled: false }]);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect((await dark.get(`/setlist/${name}`, { accept: 'text/html' })).statusCode).toBe(404);
    expect((await dark.get(`/og/setlist/${name}.png`)).statusCode).toBe(404);
  }
});

test('a client that has the figures gets 304 until they change', async () => {
  await play(service, 'Björk – Jóga');
  await refreshRollups(service.ctx);
  const first = await service.get('/api/setlist/top-songs?range=all');
  const tag = { 'if-none-match': String(first.headers.etag) };
  expect(first.headers['cache-control']).toBe('public, max-age=30');

  service.clock.now += MINUTE;
  await addPlays(service.ctx, [silenceAt(service.clock.now)]);
  await refreshRollups(service.ctx);
  expect((await service.get('/api/setlist/persona?range=all')).json().data.evidence[0].value).toBe('1');
  expect((await service.get('/api/setlist/top-songs?range=all', tag)).statusCode).toBe(304);

  service.clock.now += HOUR;
  await play(service, 'Björk – Jóga');
  await refreshRollups(service.ctx);
  expect((await service.get('/api/setlist/top-songs?range=all', tag)).statusCode).toBe(200);
});

test('a run without new plays changes nothing', async () => {
  await play(service, 'Björk – Jóga', 'Kino – Gruppa krovi');
  await refreshRollups(service.ctx);
  const before = service.ctx.db.all(build.selectFrom('setlist_rollups').selectAll());
  await service.ctx.write((tx) => tx.run(build.updateTable('setlist_rollups').set({ computed_at: 1 })));
  service.clock.now += MINUTE;
  await refreshRollups(service.ctx);

  const after = service.ctx.db.all(build.selectFrom('setlist_rollups').selectAll());
  expect(after).toEqual(before.map((row) => ({ ...row, computed_at: 1 })));
});

test('a new song causes a recount of its own evening only', async () => {
  const rows = [...setlistOf({ until: service.clock.now, evenings: 20, rows: 400, songs: 60 })];
  await addPlays(service.ctx, rows);
  await refreshRollups(service.ctx);
  const poison = (tx: Parameters<Parameters<typeof service.ctx.write>[0]>[0]) =>
    tx.run(build.updateTable('rollup_nights').set({ plays: 1_000 }).where('night', '<', 20_770));
  const touched = await service.ctx.write(poison);
  service.clock.now += HOUR;
  await play(service, 'Björk – Jóga');

  const { data } = await surface(service, 'wrapped');
  expect(touched).toBeGreaterThan(10);
  expect(data.plays).toBeGreaterThan(touched * 1_000);
});

test('a long history is counted in many short steps between other events', async () => {
  await addPlays(service.ctx, [
    ...setlistOf({ until: service.clock.now, evenings: 90, rows: 2_700, songs: 300 }),
  ]);
  let turns = 0;
  let running = true;
  const turn = () => {
    turns += 1;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  await refreshRollups(service.ctx);
  running = false;

  expect(turns).toBeGreaterThan(30);
});

test('a run that was cut off by the end of the process is finished by the next', async () => {
  await addPlays(service.ctx, [
    ...setlistOf({ until: service.clock.now, evenings: 5, rows: 100, songs: 20 }),
  ]);
  await refreshRollups(service.ctx);
  const whole = service.ctx.db.all(
    build.selectFrom('setlist_rollups').select(['surface', 'range', 'payload']),
  );
  await service.ctx.write((tx) => {
    tx.run(build.deleteFrom('rollup_counts'));
    tx.run(build.deleteFrom('setlist_rollups'));
    tx.run(build.updateTable('rollup_nights').set({ stale: 1, plays: 0 }));
    tx.run(build.updateTable('rollup_state').set({ settled: 0 }));
  });
  await refreshRollups(service.ctx);

  const again = service.ctx.db.all(
    build.selectFrom('setlist_rollups').select(['surface', 'range', 'payload']),
  );
  expect(again).toEqual(whole);
});

test('over a database on disk the surfaces are computed in a thread, with the same figures', async () => {
  await using onDisk = await testApp({ DATABASE_URL: `file:${tempFolder()}/service.db` });
  const rows = [...setlistOf({ until: service.clock.now, evenings: 5, rows: 100, songs: 20 })];
  const stored = (ctx: TestApp['ctx']) =>
    ctx.db.all(build.selectFrom('setlist_rollups').select(['surface', 'range', 'payload']));
  onDisk.clock.now = service.clock.now;
  setClubReader({ language: 'en', locale: 'de-DE' });
  for (const { ctx } of [service, onDisk]) {
    await addPlays(ctx, rows);
    await refreshRollups(ctx);
  }
  expect(stored(onDisk.ctx).length).toBeGreaterThan(10);
  expect(stored(onDisk.ctx)).toEqual(stored(service.ctx));
});

test('a genre that is found later reaches the compass', async () => {
  await play(service, ...Array.from({ length: 9 }, (_, index) => `Artist ${index} – Song`));
  expect((await surface(service, 'vibe-compass')).data).toMatchObject({
    x: null,
    quadrant: null,
    coverage: 0,
    insufficient: true,
  });

  const plays = service.ctx.db.all(build.selectFrom('plays').select('track_key'));
  await service.ctx.write((tx) => {
    for (const { track_key } of plays) {
      tx.run(build.updateTable('plays').set({ genre: 'house' }).where('track_key', '=', track_key));
      tx.run(
        build.insertInto('track_genres').values({ track_key, genre: 'house', fetched_at: 0, expires_at: 0 }),
      );
    }
  });
  expect((await surface(service, 'vibe-compass')).data).toMatchObject({
    x: 0.95,
    y: 0.85,
    quadrant: 'Dance floor',
    coverage: 1,
    topGenres: [{ genre: 'house', share: 1 }],
    insufficient: false,
  });
});

test('a song after midnight belongs to the evening before, and tonight stays until the next one begins', async () => {
  service.clock.now = evening('2026-11-20') + 5.5 * HOUR;
  await play(service, 'Björk – Jóga');
  expect(await surface(service, 'tonight')).toMatchObject({
    range: { from: '2026-11-20', to: '2026-11-20', label: 'Tonight' },
    data: { pubDay: '2026-11-20', open: true, hourly: [{ hour: 1, plays: 1 }] },
  });

  service.clock.now += 12 * HOUR;
  expect(await surface(service, 'tonight')).toMatchObject({
    range: { label: 'Fri, Nov 20, 2026' },
    data: { pubDay: '2026-11-20', open: false, plays: 1 },
  });

  service.clock.now += 6 * HOUR;
  await play(service, 'Kino – Gruppa krovi');
  expect(await surface(service, 'tonight')).toMatchObject({ data: { pubDay: '2026-11-21', plays: 1 } });
});

test('New Year’s Eve belongs to the old year, and a year is final on the fifth of January', async () => {
  service.clock.now = evening('2026-12-31') + 5 * HOUR;
  await play(service, 'Björk – Jóga');
  service.clock.now = evening('2027-01-01');
  await play(service, 'Kino – Gruppa krovi', 'Björk – Jóga');
  expect(await surface(service, 'wrapped', '2026')).toMatchObject({
    sampleSize: 1,
    data: { final: false, newArtists: 1 },
  });
  expect(await surface(service, 'wrapped')).toMatchObject({
    range: { from: '2027-01-01', to: '2027-01-01', label: '2027 so far' },
    data: { year: 2027, plays: 2, artists: 2, newArtists: 1 },
  });

  service.clock.now = evening('2027-01-05');
  expect((await surface(service, 'wrapped', '2026')).data.final).toBe(true);
});

test('the moves are relative to the week before', async () => {
  const weeks = { old: evening('2026-11-10'), new: evening('2026-11-18') };
  const times = (start: number, many: number, artist: string) =>
    Array.from({ length: many }, (_, index) => ({
      artist,
      title: 'Song',
      started_at: start + index * 20 * MINUTE,
    }));
  await addPlays(service.ctx, [
    ...times(weeks.old, 3, 'Falling'),
    ...times(weeks.old + 5 * MINUTE, 2, 'Rising'),
    ...times(weeks.old + 10 * MINUTE, 1, 'Once'),
    ...times(weeks.new, 2, 'Falling'),
    ...times(weeks.new + 5 * MINUTE, 3, 'Rising'),
    ...times(weeks.new + 10 * MINUTE, 2, 'Once'),
  ]);

  const { data } = await surface(service, 'top-songs');
  const moves = data.items.map((item: Record<string, unknown>) => [
    item.artist,
    item.rank,
    item.prevRank,
    item.move,
  ]);
  expect(moves).toEqual([
    ['Rising', 1, 2, 'up'],
    ['Once', 2, null, 'new'],
    ['Falling', 3, 1, 'down'],
  ]);
  expect((await surface(service, 'top-songs', 'all')).data.items[0].move).toBeNull();
});

test('a persona needs fifty plays', async () => {
  await play(service, ...Array.from({ length: 49 }, (_, index) => `Artist ${index} – Song`));
  expect((await surface(service, 'persona')).data).toMatchObject({
    id: null,
    name: 'Still listening',
    runnerUp: null,
  });

  service.clock.now += 20 * MINUTE;
  await play(service, 'One more – Song');
  expect((await surface(service, 'persona')).data).toMatchObject({
    id: 'crate-digger',
    traits: { variety: 1, novelty: 1, repeat: 0 },
    runnerUp: { id: 'shape-shifter' },
    evidence: [
      { label: 'Plays', value: '50' },
      { label: 'Different songs', value: '50' },
      { label: 'Different artists', value: '50' },
      { label: 'Heard here for the first time', value: '50' },
      { label: 'After eleven at night', value: '0%' },
    ],
  });
});

test('the persona of mixed evenings is the House Blend', async () => {
  const songs = ['A – One', 'A – Two', 'B – One', 'B – Two', 'C – One', 'D – One', 'E – One', 'F – One'];
  await play(service, ...Array.from({ length: 56 }, (_, index) => songs[index % songs.length] ?? ''));
  expect((await surface(service, 'persona')).data).toMatchObject({ id: 'house-blend', name: 'House Blend' });
});

test('plays far apart in time, also before 1970, neither stop nor slow the counting', async () => {
  await addPlays(service.ctx, [
    { artist: 'Early', title: 'Clock', started_at: -3 * DAY },
    { artist: 'Zero', title: 'Clock', started_at: 0 },
  ]);
  await play(service, 'Björk – Jóga');

  expect((await surface(service, 'tonight')).data.plays).toBe(1);
});
