import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { ThrottledClient } from '#kernel/throttled-client.ts';
import { findLyrics, lyricsLookup } from '#pub/now-playing/lyrics.ts';
import { type Answer, type JsonServer, jsonServer } from '#test/stand-ins/json-server.ts';
import { testApp } from '#test/support/app.ts';
import { expectRefusal } from '#test/support/messages.ts';
import { holdTimeouts } from '#test/support/request-timeouts.ts';

const ADMIN = { 'x-admin-token': 'the admin token' };
const SONG = { artist: 'Toots', title: 'Pressure Drop (feat. Somebody)' };
const LRC = '[00:01.00]It is you';
const FOUND = { lrc: '[00:01.000]It is you\n', source: 'lrclib' };
const record = (fields: object = {}) => ({
  id: 1,
  trackName: 'Pressure Drop',
  artistName: 'TOOTS',
  duration: 220,
  instrumental: false,
  plainLyrics: 'It is you',
  syncedLyrics: LRC,
  ...fields,
});

test('the exact song is looked up with a User-Agent, and kept for 30 days', async () => {
  await using pub = await setUp(() => ({ json: record() }));
  await pub.lookUp();

  expect(pub.lyrics()).toEqual(FOUND);
  const [asked] = pub.source.requests;
  expect(asked?.path).toBe('/get');
  expect(Object.fromEntries(asked!.query)).toEqual({
    artist_name: 'Toots',
    track_name: 'Pressure Drop (feat. Somebody)',
    album_name: 'An album',
    duration: '220',
  });
  expect(asked?.headers['user-agent']).toMatch(/^PublicHouse\/\d/);

  await pub.lookUp();
  expect(pub.source.requests).toHaveLength(1);
  await pub.later(30 * DAY);
  await pub.lookUp();
  expect(pub.source.requests).toHaveLength(2);
});

test('else searches, and takes only the same song: timed lyrics first, then the nearest length', async () => {
  const list = [
    record({ artistName: 'Somebody Else' }),
    record({ trackName: 'Pressure Drop (Live)' }),
    { nonsense: true },
    record({ syncedLyrics: null, duration: 220 }),
    record({ syncedLyrics: 'no times', duration: 220 }),
    record({ syncedLyrics: '[00:09.00]Too long', duration: 300 }),
    record({ duration: 218 }),
  ];
  await using pub = await setUp((path) => (path === '/search' ? { json: list } : undefined));
  await pub.lookUp();

  expect(pub.lyrics()).toEqual(FOUND);
  expect(Object.fromEntries(pub.source.requests[1]!.query)).toEqual({
    track_name: 'Pressure Drop',
    artist_name: 'Toots',
  });
});

test.each<[length: number, of: number | null, taken: boolean]>([
  [220, 220, true],
  [220, 223, true],
  [220, 224.3, true],
  [220, 225, false],
  [220, 215, false],
  [60, 63, true],
  [60, 64, false],
  [482, 222, false],
  [220, null, true],
])('timed lyrics of %s s with a record of %s s are taken: %s', async (seconds, duration, taken) => {
  await using pub = await setUp((path) =>
    path === '/search' ? { json: [record({ duration })] } : { json: record({ duration }) },
  );
  await pub.later(5 * MINUTE, seconds * SECOND);
  await pub.lookUp();

  expect(pub.lyrics(seconds * SECOND)).toEqual(taken ? FOUND : null);
});

test('each length of a song has its own answer', async () => {
  await using pub = await setUp(() => ({ json: record() }));
  await pub.lookUp();
  expect(pub.lyrics()).toEqual(FOUND);
  expect(pub.lyrics(482 * SECOND)).toBeNull();

  await pub.later(10 * MINUTE, 482 * SECOND);
  await pub.lookUp();
  expect(pub.source.requests.length).toBeGreaterThan(1);
  expect([pub.lyrics(), pub.lyrics(482 * SECOND)]).toEqual([FOUND, null]);
});

test('a song without timed lyrics is not looked up again for 24 hours', async () => {
  const misses: [what: string, get: Answer | undefined, search: Answer | undefined, requests: number][] = [
    ['neither knows it', undefined, { json: [] }, 2],
    ['another song than the one asked for', { json: record({ trackName: 'Monkey Man' }) }, { json: [] }, 2],
    ['words without times', { json: record({ syncedLyrics: null }) }, { json: [] }, 2],
    ['an instrumental', { json: record({ instrumental: true, syncedLyrics: null }) }, undefined, 1],
  ];
  await using pub = await setUp(() => undefined);

  for (const [what, get, search, requests] of misses) {
    const before = pub.source.requests.length;
    pub.source.answer = (path) => (path === '/get' ? get : search);
    await pub.lookUp();
    await pub.later(24 * HOUR - 1);
    await pub.lookUp();
    expect([what, pub.source.requests.length - before, pub.lyrics()]).toEqual([what, requests, null]);
    await pub.later(1);
  }
});

test('a failed request is retried after 10 minutes, and known lyrics are kept', async () => {
  const failures: [what: string, answer: Answer][] = [
    ['an error', { status: 500 }],
    ['a refusal', { status: 403 }],
    ['garbage', 'garbage'],
    ['another shape', { json: ['lyrics'] }],
    ['a cut line', 'drop'],
    ['silence', 'hang'],
  ];
  const endTimeouts = holdTimeouts();
  await using pub = await setUp(() => ({ json: record() }));
  await pub.lookUp();
  await pub.later(30 * DAY);

  for (const [what, answer] of failures) {
    const before = pub.source.requests.length;
    pub.source.answer = () => {
      if (answer === 'hang') setImmediate(endTimeouts);
      return answer;
    };
    await pub.lookUp();
    await pub.later(10 * MINUTE - 1);
    await pub.lookUp();
    expect([what, pub.source.requests.length - before, pub.lyrics()]).toEqual([what, 1, FOUND]);
    await pub.later(1);
  }
  pub.source.answer = () => ({ json: record({ syncedLyrics: '[00:02.00]New' }) });
  await pub.lookUp();
  expect(pub.lyrics()).toEqual({ lrc: '[00:02.000]New\n', source: 'lrclib' });
  const warned = pub.service.logged.filter((line) => line.includes('no answer from the lyrics source'));
  expect(warned).toHaveLength(failures.length);
});

test('after a Retry-After no song is looked up before that time', async () => {
  await using pub = await setUp(() => ({ status: 429, headers: { 'retry-after': '120' } }));
  await pub.lookUp();
  pub.service.clock.now += 119 * SECOND;
  await pub.play({ artist: 'Desmond', title: 'Israelites' });
  await pub.lookUp();
  expect(pub.source.requests).toHaveLength(1);

  pub.source.answer = () => ({ json: record({ artistName: 'Desmond', trackName: 'Israelites' }) });
  pub.service.clock.now += SECOND;
  await pub.lookUp();
  expect(pub.source.requests).toHaveLength(2);
  expect(
    findLyrics(pub.service.ctx.db, { artist: 'Desmond', title: 'Israelites', duration_ms: null }),
  ).toEqual(FOUND);
});

test('while no screen shows lyrics, or nothing plays, the source is not asked', async () => {
  await using pub = await setUp(() => ({ json: record() }));
  await pub.switchLyrics(false);
  await pub.lookUp();
  await pub.switchLyrics(true);
  await pub.service.post('/api/now-playing/ingest', { silent: true });
  await pub.lookUp();

  expect(pub.source.requests).toEqual([]);
});

test('a stop does not wait for the source, and stores nothing', async () => {
  await using pub = await setUp(() => 'hang');
  const stopping = new AbortController();
  const looking = pub.lookUp(stopping.signal);
  await expect.poll(() => pub.source.requests.length).toBe(1);
  stopping.abort();
  await looking;

  expect(pub.service.ctx.db.all(build.selectFrom('lyrics').selectAll())).toEqual([]);
});

test('lyrics entered by hand are not replaced by the source, and are deleted by hand', async () => {
  await using pub = await setUp(() => ({ json: record() }));
  const put = (payload: object, headers: Record<string, string> = ADMIN) =>
    pub.service.request({ method: 'PUT', url: '/api/admin/now-playing/lyrics', payload, headers });

  expectRefusal(await put({ ...SONG, lrc: LRC }, {}), 401, 'staff_key_required');
  for (const [field, body] of [
    ['lrc', { ...SONG, lrc: 'no times' }],
    ['lrc', SONG],
    ['artist', { title: 'x', lrc: LRC }],
  ] as const) {
    expect((await put(body)).json().errors[0].path).toBe(field);
  }
  expect((await put({ ...SONG, lrc: '[00:03]Ours\n[00:01]First' })).json()).toEqual({ ok: true, lines: 2 });
  await pub.later(31 * DAY);
  await pub.lookUp();
  expect(pub.lyrics()).toEqual({ lrc: '[00:01.000]First\n[00:03.000]Ours\n', source: 'manual' });
  expect(pub.source.requests).toEqual([]);

  expect((await put({ ...SONG, lrc: '' })).json()).toEqual({ ok: true, lines: 0 });
  await pub.lookUp();
  expect(pub.lyrics()).toEqual(FOUND);
  const audit = await pub.service.get('/api/admin/audit?action=lyrics.changed', ADMIN);
  if (audit.statusCode === 200) expect(audit.json().total).toBe(2);
});

test('lyrics entered while the source is being asked are not overwritten', async () => {
  await using pub = await setUp(() => ({ json: record() }));
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
  pub.source.answer = () => {
    const payload = { ...SONG, lrc: '[00:01]Ours' };
    void pub.service
      .request({ method: 'PUT', url: '/api/admin/now-playing/lyrics', payload, headers: ADMIN })
      .then(() => enter());
    return { status: 404 };
  };
  const looking = pub.lookUp();
  await entered;
  await looking;

  expect(pub.lyrics()).toEqual({ lrc: '[00:01.000]Ours\n', source: 'manual' });
});

/** A service that plays SONG and shows lyrics, and a source of lyrics. */
async function setUp(answer: JsonServer['answer']) {
  const source = await jsonServer(answer);
  const service = await testApp({ LYRICS_API_URL: source.url, PUB_ADMIN_TOKEN: ADMIN['x-admin-token'] });
  const run = lyricsLookup(service.ctx, new ThrottledClient(service.ctx, { spacingMs: 0 }));
  const play = (song: object) => service.post('/api/now-playing/ingest', song);
  const switchLyrics = (on: boolean) =>
    service.post('/api/admin/now-playing/controls', { projectorLyrics: on }, ADMIN);
  await switchLyrics(true);
  const now = { ...SONG, album: 'An album', duration_ms: 220_400 };
  await play(now);
  return {
    service,
    source,
    play,
    switchLyrics,
    lookUp: (signal?: AbortSignal) => run(signal),
    lyrics: (duration_ms: number | null = now.duration_ms) =>
      findLyrics(service.ctx.db, { ...SONG, duration_ms }),
    /** Moves the clock, and reports the song again. */
    async later(ms: number, duration_ms = now.duration_ms) {
      service.clock.now += ms;
      await play({ ...now, duration_ms });
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await source[Symbol.asyncDispose]();
    },
  };
}
