import { expect, test } from 'vitest';
import { isoTime, MINUTE, SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { NOON, type TestApp, testApp } from '#test/support/app.ts';
import { expectBadField, expectRefusal, message } from '#test/support/messages.ts';

const SONG = { artist: 'Toots', title: 'Pressure Drop' };
const device = (service: TestApp, body?: object) => service.post('/api/now-playing/ingest', body);
const play = async (service: TestApp, fields: object = {}) =>
  (await device(service, { ...SONG, ...fields })).json();
const latest = (service: TestApp) =>
  service.ctx.db.first(build.selectFrom('plays').selectAll().orderBy('id', 'desc').limit(1))!;
const countPlays = async (service: TestApp) =>
  service.ctx.db.all(build.selectFrom('plays').select('id')).length;

test('a track, silence and a heartbeat are distinguished by their flags', async () => {
  await using service = await testApp();

  expect(await play(service)).toEqual({ ok: true, id: 1 });
  expect((await device(service, { silent: true })).json()).toEqual({ ok: true, silent: true, id: 2 });
  expect((await device(service, { heartbeat: true, silent: true })).json()).toEqual({
    ok: true,
    heartbeat: true,
    last_seen: isoTime(service.clock.now),
  });
  expect(await countPlays(service)).toBe(2);
  expect(await latest(service)).toMatchObject({
    silent: 1,
    artist: '',
    title: '',
    started_at: service.clock.now,
  });
});

test('all fields of a track are stored', async () => {
  await using service = await testApp();
  await play(service, {
    artist: '  Toots\u0007& the\nMaytals ',
    album: 'Reggae Got Soul',
    album_art_url: 'https://art.example/1.jpg',
    isrc: 'gb-aam-76-00001',
    source: 'wallstereo',
    started_at: '2026-11-21T11:58:00-05:00',
    confidence: 0.87,
    duration_ms: 201_400.6,
  });

  expect(await latest(service)).toMatchObject({
    artist: 'Toots & the Maytals',
    title: 'Pressure Drop',
    album: 'Reggae Got Soul',
    album_art_url: 'https://art.example/1.jpg',
    isrc: 'GBAAM7600001',
    track_key: 'GBAAM7600001',
    source: 'wallstereo',
    started_at: service.clock.now - 2 * MINUTE,
    confidence: 0.87,
    duration_ms: 201_401,
    silent: 0,
    kind: 'music',
  });
});

test('values that a device may get wrong are corrected or dropped', async () => {
  await using service = await testApp();
  const odd: [what: string, fields: object, kept: object][] = [
    ['a confidence above 1', { confidence: 7 }, { confidence: 1 }],
    ['a confidence below 0', { confidence: -1 }, { confidence: 0 }],
    ['the source unknown', { source: 'unknown' }, { source: null }],
    ['a source nobody knows', { source: 'cassette' }, { source: null }],
    ['a source that is no text', { source: { a: 1 } }, { source: null }],
    ['an art address that is none', { album_art_url: 'javascript:alert(1)' }, { album_art_url: '' }],
    [
      'a recording code that is none',
      { isrc: 'n/a' },
      { isrc: 'n/a', track_key: 'toots\u001fpressure drop' },
    ],
    [
      'optional fields that are null',
      { album: null, album_art_url: null, isrc: null, started_at: null, confidence: null, duration_ms: null },
      { album: null, album_art_url: '', isrc: '', confidence: null, duration_ms: null },
    ],
    [
      'optional fields that are empty',
      {
        album: '',
        album_art_url: ' ',
        isrc: '',
        started_at: '',
        confidence: '',
        duration_ms: ' ',
        source: '',
      },
      { album: null, album_art_url: '', isrc: '', confidence: null, duration_ms: null, source: null },
    ],
    ['flags that are empty', { heartbeat: '', silent: '' }, { kind: 'music', silent: 0 }],
    ['an artist that is too long', { artist: `  ${'x'.repeat(301)}` }, { artist: 'x'.repeat(300) }],
    ['a title that is too long', { title: `${'y'.repeat(299)} and more` }, { title: 'y'.repeat(299) }],
    [
      'a title whose last letter is two halves',
      { title: `${'z'.repeat(299)}🎺` },
      { title: 'z'.repeat(299) },
    ],
    ['a time of the future', { started_at: '2026-11-22T18:00:00Z' }, { started_at: NOON + 14 * MINUTE }],
    [
      'a local time',
      { started_at: '2026-11-21T11:00:00' },
      { started_at: Date.parse('2026-11-21T16:00:00Z') },
    ],
    ['fields nobody knows', { mood: 'sunny', kind: 'video', hidden: 1 }, { kind: 'music', hidden: 0 }],
    ['a lone half of a character', { album: 'x\ud800' }, { album: 'x\ufffd' }],
    [
      'an art address that is too long',
      { album_art_url: `https://x/${'x'.repeat(2_000)}` },
      { album_art_url: '' },
    ],
    ['an album that is too long', { album: ` ${'x'.repeat(301)}` }, { album: 'x'.repeat(300) }],
    ['one whose last letter is two halves', { album: `${'x'.repeat(299)}🎺` }, { album: 'x'.repeat(299) }],
    [
      'a recording code that is too long',
      { isrc: `GBAAM7600001${' '.repeat(28)}x` },
      { isrc: '', track_key: 'toots\u001fpressure drop' },
    ],
    ['a false flag', { heartbeat: false, silent: false }, { silent: 0 }],
  ];

  for (const [what, fields, kept] of odd) {
    service.clock.now += MINUTE;
    expect([what, await play(service, fields)]).toEqual([what, { ok: true, id: expect.any(Number) }]);
    expect([what, await latest(service)]).toEqual([what, expect.objectContaining(kept)]);
  }
});

test('invalid input is refused with its field, and nothing is stored', async () => {
  await using service = await testApp();
  const wrong: [field: string, body: unknown][] = [
    ['artist', { title: 'B' }],
    ['artist', { artist: ' \u0000 ', title: 'B' }],
    ['artist', { artist: 5, title: 'B' }],
    ['artist', {}],
    ['title', { artist: 'A' }],
    ['title', { artist: 'A', title: '' }],
    ['album', { ...SONG, album: 5 }],
    ['album_art_url', { ...SONG, album_art_url: 5 }],
    ['isrc', { ...SONG, isrc: ['a'] }],
    ['started_at', { ...SONG, started_at: 'yesterday' }],
    ['started_at', { ...SONG, started_at: 1_795_280_400_000 }],
    ['started_at', { ...SONG, started_at: '+123456-01-01T00:00:00Z' }],
    ['confidence', { ...SONG, confidence: '0.9' }],
    ['duration_ms', { ...SONG, duration_ms: 0 }],
    ['duration_ms', { ...SONG, duration_ms: 'long' }],
    ['heartbeat', { heartbeat: 'yes' }],
    ['silent', { silent: 1 }],
    ['content.kind', { heartbeat: true, content: { confidence: 1 } }],
    ['content.confidence', { heartbeat: true, content: { kind: 'music', confidence: 'high' } }],
    ['qsys_down', { heartbeat: true, qsys_down: 'no' }],
    ['device.uptime_s', { heartbeat: true, device: { uptime_s: -1 } }],
    ['applied_intent.ok', { heartbeat: true, applied_intent: { set_at: 'now' } }],
    ['applied_sound.set_at', { heartbeat: true, applied_sound: { ok: true } }],
  ];

  for (const [field, body] of wrong) {
    const answer = await device(service, body as object);
    expect([field, answer.statusCode, answer.json().errors?.[0]?.path]).toEqual([field, 400, field]);
  }
  const raw = (payload: string, type = 'application/json') =>
    service.request({
      method: 'POST',
      url: '/api/now-playing/ingest',
      payload,
      headers: { 'content-type': type },
    });
  expectRefusal(await raw('[1]'), 400, 'not_object');
  expectBadField(await raw('null'), 'artist', 'required');
  expect((await raw('{"artist":')).statusCode).toBe(400);
  expect((await raw('{"artist":"A","title":"B","__proto__":{"silent":true}}')).statusCode).toBe(400);
  expect((await raw('artist=A', 'text/plain')).statusCode).toBe(415);
  expect((await raw(JSON.stringify({ ...SONG, pad: 'x'.repeat(8_192) }))).statusCode).toBe(413);
  expect(await countPlays(service)).toBe(0);
  expectBadField(await device(service), 'artist', 'required');
});

test('a heartbeat with texts that are too long and unknown kinds is accepted', async () => {
  await using service = await testApp();
  const content = { kind: 'karaoke', confidence: 3, hint: 'h'.repeat(500) };
  const first = await device(service, {
    heartbeat: true,
    content,
    device: { id: 'd'.repeat(200), version: null },
  });
  await device(service, { heartbeat: true, content });
  const row = service.ctx.db.first(build.selectFrom('capture_device').selectAll())!;

  expect(first.statusCode).toBe(200);
  expect(row.device_id).toHaveLength(64);
  expect(JSON.parse(row.verdict ?? '')).toMatchObject({
    kind: 'unknown',
    confidence: 1,
    hint: 'h'.repeat(120),
  });
});

test('the same track within 30 seconds is answered with the existing row', async () => {
  await using service = await testApp();
  await play(service);

  service.clock.now += 30 * SECOND;
  expect(await play(service, { artist: ' TOOTS ', title: 'pressure drop' })).toEqual({
    ok: true,
    deduped: true,
    id: 1,
  });
  service.clock.now += 1;
  expect(await play(service)).toEqual({ ok: true, id: 2 });
});

test('the window begins at the start of the latest row that is not silence, not at its report', async () => {
  await using service = await testApp();
  await play(service);
  await device(service, { silent: true });
  expect(await play(service)).toMatchObject({ deduped: true, id: 1 });

  service.clock.now += 5 * SECOND;
  await play(service, { title: 'Another' });
  service.clock.now += 5 * SECOND;
  expect(await play(service)).toEqual({ ok: true, id: 4 });

  service.clock.now += 5 * MINUTE;
  const startedAt = isoTime(service.clock.now - 5 * MINUTE);
  expect(await play(service, { started_at: startedAt })).toMatchObject({ deduped: true, id: 4 });
});

test('a report that is repeated after the next song has begun is still deduplicated', async () => {
  await using service = await testApp();
  const started_at = isoTime(service.clock.now);
  await play(service, { started_at });
  service.clock.now += 20 * SECOND;
  await play(service, { title: 'Next' });

  expect(await play(service, { started_at })).toEqual({ ok: true, deduped: true, id: 1 });
});

test('a window of 0 stores everything', async () => {
  await using service = await testApp({ NOW_PLAYING_DEDUPE_WINDOW_SECONDS: '0' });
  await play(service);

  expect(await play(service)).toEqual({ ok: true, id: 2 });
});

test('20 concurrent reports of the same song make one row; 20 different songs make 20 rows', async () => {
  await using service = await testApp();
  const devices = Array.from({ length: 20 }, (_, index) => index);
  const same = await Promise.all(
    devices.map((index) => play(service, { artist: index % 2 ? 'toots' : 'TOOTS' })),
  );
  const own = await Promise.all(devices.map((index) => play(service, { title: `Song ${index}` })));

  expect(new Set(same.map(({ id }) => id)).size).toBe(1);
  expect(same.filter(({ deduped }) => deduped)).toHaveLength(19);
  expect(new Set(own.map(({ id }) => id)).size).toBe(20);
  expect(await countPlays(service)).toBe(21);
});

test('songs heard during a film or a game are video; a weak or unconfirmed verdict changes nothing', async () => {
  await using service = await testApp();
  const say = async (kind: string, confidence: number) => {
    for (let beat = 0; beat < 2; beat++)
      await device(service, { heartbeat: true, content: { kind, confidence } });
  };
  const kinds: string[] = [];
  const hear = async () => {
    service.clock.now += MINUTE;
    await play(service);
    kinds.push((await latest(service)).kind);
  };
  await device(service, { heartbeat: true, content: { kind: 'movie', confidence: 0.9 } });
  await hear();
  await say('movie', 0.59);
  await hear();
  await say('movie', 0.6);
  await hear();
  await say('sports', 0.9);
  await hear();
  await say('music', 0.9);
  await hear();
  await say('tv', 0.9);
  service.clock.now += 2 * MINUTE;
  await hear();

  expect(kinds).toEqual(['music', 'music', 'video', 'video', 'music', 'music']);
});

test('a known genre is stored with the play', async () => {
  await using service = await testApp();
  const row = { track_key: 'toots\u001fpressure drop', genre: 'reggae', fetched_at: 0, expires_at: 0 };
  await service.ctx.write((tx) => tx.run(build.insertInto('track_genres').values(row)));
  await play(service);

  expect((await service.get('/api/now-playing/snapshot')).json().track.genre).toBe('reggae');
});

const DEVICE_ROUTES = [
  ['POST', '/api/now-playing/ingest', { heartbeat: true }],
  ['POST', '/api/now-playing/ingest', { artist: 'Eve', title: 'Not this' }],
  ['POST', '/api/now-playing/offset', { trackId: 1, offsetMs: 0 }],
  ['GET', '/api/dmx/desired', undefined],
  ['GET', '/api/qsys/desired', undefined],
] as const;

/** The distinct statuses of all routes of the device. */
async function atDeviceRoutes(
  service: TestApp,
  headers: Record<string, string>,
  remoteAddress = '127.0.0.1',
) {
  const met = new Set<number>();
  for (const [method, url, payload] of DEVICE_ROUTES) {
    const request = { method, url, headers, remoteAddress, ...(payload && { payload }) };
    met.add((await service.request(request)).statusCode);
  }
  return [...met];
}

test('without a token the device routes are open only to this machine, and the start logs this', async () => {
  await using open = await testApp();

  const met = [
    await atDeviceRoutes(open, {}, '127.0.0.1'),
    await atDeviceRoutes(open, {}, '192.168.1.20'),
    await atDeviceRoutes(open, {}, '203.0.113.9'),
    await atDeviceRoutes(open, { 'x-forwarded-for': '127.0.0.1' }),
    await atDeviceRoutes(open, { authorization: 'Bearer undefined', forwarded: 'for=127.0.0.1' }),
  ];

  expect(met).toEqual([[200], [401], [401], [401], [401]]);
  expect(open.logged.some((line) => line.includes('NOW_PLAYING_INGEST_TOKEN is not set'))).toBe(true);
});

test('without a token the device routes are closed in production, and the start logs this', async () => {
  await using service = await testApp({ NODE_ENV: 'production' });

  const met = [
    await atDeviceRoutes(service, {}),
    await atDeviceRoutes(service, { authorization: 'Bearer undefined' }),
  ];

  expect(met).toEqual([[401], [401]]);
  expect((await service.get('/api/now-playing/snapshot')).json()).toEqual({ track: null });
  expect(service.logged.some((line) => /NOW_PLAYING_INGEST_TOKEN is not set: .* answer 401/.test(line))).toBe(
    true,
  );
});

test('with a token set the device must send it', async () => {
  await using service = await testApp({ NOW_PLAYING_INGEST_TOKEN: 'a token' });
  const ask = (authorization?: string) =>
    service.post('/api/now-playing/ingest', { heartbeat: true }, authorization ? { authorization } : {});

  for (const wrong of [undefined, 'Bearer another', 'Basic a token', 'a token', 'Bearer']) {
    const answer = await ask(wrong);
    expect(answer.statusCode).toBe(401);
    expect(answer.json().error).toBe(message('authentication_required'));
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  }
  expect((await ask('bearer a token')).statusCode).toBe(200);
  expectRefusal(
    await service.post('/api/now-playing/offset', { trackId: 1, offsetMs: 0 }),
    401,
    'device_token_required',
  );
  expectRefusal(await service.get('/api/dmx/desired'), 401, 'device_token_required');
  expectRefusal(await service.get('/api/qsys/desired'), 401, 'device_token_required');

  expect(service.logged.some((line) => line.includes('a token'))).toBe(false);
});

test('without the setlist database the routes answer 503 with the specified text', async () => {
  await using service = await testApp({ SETLIST_DB: 'off' });
  const answers = await Promise.all([
    device(service, { heartbeat: true }),
    service.post('/api/now-playing/offset', { trackId: 1, offsetMs: 0 }),
    service.get('/api/now-playing/setlist'),
    service.get('/api/now-playing/snapshot'),
    service.get('/api/now-playing/current'),
  ]);

  for (const answer of answers) {
    expect([answer.statusCode, answer.body]).toEqual([503, message('setlist_off')]);
    expect(answer.headers['retry-after']).toBe('60');
  }
  expect((await service.get('/api/dmx/desired')).json()).toEqual({
    ok: true,
    desired: null,
    desiredSetAt: null,
  });
});

test('only the newest offset is stored; invalid input is refused with its field', async () => {
  await using service = await testApp();
  const send = (body: object) => service.post('/api/now-playing/offset', body);
  const wrong: [field: string, body: object][] = [
    ['trackId', { offsetMs: 1 }],
    ['trackId', { trackId: 0, offsetMs: 1 }],
    ['trackId', { trackId: '5', offsetMs: 1 }],
    ['offsetMs', { trackId: 5 }],
    ['offsetMs', { trackId: 5, offsetMs: -1 }],
    ['offsetMs', { trackId: 5, offsetMs: null }],
    ['confidence', { trackId: 5, offsetMs: 1, confidence: 'high' }],
    ['source', { trackId: 5, offsetMs: 1, source: 'x'.repeat(33) }],
  ];
  for (const [field, body] of wrong) {
    const answer = await send(body);
    expect([field, answer.statusCode, answer.json().errors?.[0]?.path]).toEqual([field, 400, field]);
  }
  expect((await send({ trackId: 5, offsetMs: 1, pad: 'x'.repeat(1_024) })).statusCode).toBe(413);

  expect((await send({ trackId: 5.5, offsetMs: 1e300 })).json()).toEqual({ ok: true });
  expect((await send({ trackId: 6, offsetMs: 1_234.6, confidence: 9, source: ' mic ' })).json()).toEqual({
    ok: true,
  });
  expect(service.ctx.db.all(build.selectFrom('lyrics_offset').selectAll())).toEqual([
    { id: 1, track_id: 6, offset_ms: 1_235, confidence: 1, source: 'mic', captured_at: service.clock.now },
  ]);
  await send({ trackId: 7, offsetMs: 0 });
  expect(service.ctx.db.first(build.selectFrom('lyrics_offset').selectAll())).toMatchObject({
    confidence: 0,
    source: 'chromaprint',
  });
});
