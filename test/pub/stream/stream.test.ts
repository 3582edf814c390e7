import { once } from 'node:events';
import net from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { PRESETS } from '#pub/display/takeover-input.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { patchScreen } from '#test/support/screens.ts';
import { type Heard, listen, openStream } from '#test/support/stream-client.ts';

const ADMIN = { 'x-admin-token': 'the admin token' };
const SONG = { artist: 'Toots', title: 'Pressure Drop' };
const LRC = '[00:01.00]It is you\n[00:05.50]Oh yeah';

// Tests advance the ticker of the streams by hand.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());
function pass(service: TestApp, ms: number): void {
  service.clock.now += ms;
  vi.advanceTimersByTime(SECOND);
}

const service = (env: Record<string, string> = {}) =>
  testApp({ PUB_ADMIN_TOKEN: ADMIN['x-admin-token'], NOW_PLAYING_SSE_MAX_CONNECTION_MS: '86400000', ...env });
const ingest = async (to: TestApp, body: object) => (await to.post('/api/now-playing/ingest', body)).json();
const switches = (to: TestApp, body: object) => to.post('/api/admin/now-playing/controls', body, ADMIN);
const names = (heard: Heard[]) => heard.map(({ event }) => event);

test('a stream begins with the whole state in the fixed order', async () => {
  await using pub = await service();
  await ingest(pub, SONG);
  await ingest(pub, { heartbeat: true });
  await switches(pub, { barRightLyrics: true });
  const client = await openStream(await listen(pub));

  expect(client.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    // Without an encoding Caddy and nginx compress the stream, and delay its events.
    'content-encoding': 'identity',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.any(String),
  });
  expect(client.text).toMatch(/^: connected\n\nretry: [1-5]\d{3}\n\nevent: now_playing_display\n/);
  expect(client.heard).toEqual([
    { event: 'now_playing_display', data: { barRight: true } },
    { event: 'track', id: '1', data: expect.objectContaining({ id: 1, ...SONG }) },
    { event: 'status', data: { state: 'online', qsysDown: false, quietActive: false } },
    { event: 'lyrics_toggle', data: { enabled: true, projector: false, barRight: true } },
    { event: 'lyrics', data: { trackId: 1, available: false } },
    { event: 'offset', data: { trackId: null, offsetMs: null, available: false } },
    { event: 'ping', data: { ts: pub.clock.now } },
  ]);
});

test('every trigger sends its event once, and nothing else is sent', async () => {
  await using pub = await service();
  const client = await openStream(await listen(pub));
  expect(names(client.heard)).toEqual(['now_playing_display', 'track', 'status', 'lyrics_toggle', 'ping']);
  const from = client.heard.length;
  const expected: string[] = [];
  const expectEvents = async (...events: string[]) => {
    expected.push(...events);
    await client.until((heard) => heard.length >= from + expected.length);
    expect(names(client.heard.slice(from))).toEqual(expected);
  };

  await switches(pub, { barRightDisplay: false });
  await expectEvents('now_playing_display');
  await switches(pub, { barRightDisplay: false });
  await ingest(pub, SONG);
  await expectEvents('track');
  await ingest(pub, SONG);
  await ingest(pub, { heartbeat: true });
  await expectEvents('status');
  await ingest(pub, { heartbeat: true });
  await ingest(pub, { heartbeat: true, qsys_down: true });
  await expectEvents('status');
  await switches(pub, { projectorLyrics: true });
  await expectEvents('lyrics_toggle', 'lyrics', 'offset');
  await pub.request({
    method: 'PUT',
    url: '/api/admin/now-playing/lyrics',
    payload: { ...SONG, lrc: LRC },
    headers: ADMIN,
  });
  await expectEvents('lyrics');
  await pub.post('/api/now-playing/offset', { trackId: 1, offsetMs: 1_500, confidence: 0.9 });
  await expectEvents('offset');
  pass(pub, MINUTE);
  await expectEvents('offset', 'ping');
  await ingest(pub, { heartbeat: true });
  await ingest(pub, { silent: true });
  await expectEvents('track', 'lyrics');
  await switches(pub, { projectorLyrics: false });
  await expectEvents('lyrics_toggle');
  pass(pub, 30 * SECOND);
  await expectEvents('ping');

  const last = (event: string) => client.heard.findLast((one) => one.event === event)?.data;
  expect(last('now_playing_display')).toEqual({ barRight: false });
  expect(last('track')).toBeNull();
  expect(last('status')).toEqual({ state: 'online', qsysDown: true, quietActive: false });
  expect(last('lyrics')).toEqual({ trackId: null, available: false });
  expect(last('offset')).toEqual({ trackId: null, offsetMs: null, available: false });
  expect(last('ping')).toEqual({ ts: pub.clock.now });
  expect(client.heard.find(({ data }) => data?.lrc)?.data).toEqual({
    trackId: 1,
    available: true,
    lrc: '[00:01.000]It is you\n[00:05.500]Oh yeah\n',
    source: 'manual',
  });
  expect(client.heard.find(({ data }) => data?.offsetMs)?.data).toMatchObject({
    trackId: 1,
    offsetMs: 1_500,
    confidence: 0.9,
    ageMs: 0,
    available: true,
  });
});

test('without any input the device goes offline after 90 s and the track expires after 10 minutes', async () => {
  await using pub = await service();
  await ingest(pub, SONG);
  await ingest(pub, { heartbeat: true, quiet_active: true });
  const client = await openStream(await listen(pub));

  pass(pub, 90 * SECOND);
  const offline = client.next('status');
  pass(pub, 1);
  expect((await offline).data).toEqual({ state: 'offline', qsysDown: false, quietActive: false });

  pass(pub, 10 * MINUTE - 90 * SECOND - 1);
  const stale = client.next('track');
  pass(pub, 1);
  expect((await stale).data).toBeNull();
  const pings = names(client.heard).filter((event) => event === 'ping').length;
  pass(pub, 5 * MINUTE);
  await client.until((heard) => names(heard).filter((event) => event === 'ping').length > pings);

  expect(names(client.heard).filter((event) => event !== 'ping')).toEqual([
    'now_playing_display',
    'track',
    'status',
    'lyrics_toggle',
    'status',
    'track',
  ]);
});

test('changes without clients are in the state of the next client, and are not sent again', async () => {
  await using pub = await service();
  const origin = await listen(pub);
  const first = await openStream(origin);
  first.close();
  await expect.poll(() => pub.ctx.connections.size).toBe(0);
  await ingest(pub, SONG);
  pub.clock.now += 11 * MINUTE;
  await ingest(pub, { ...SONG, title: 'Next' });
  const second = await openStream(origin);
  const third = await openStream(origin);
  await ingest(pub, { heartbeat: true });
  await second.next('status');

  expect(second.heard.filter(({ event }) => event === 'track')).toEqual([
    expect.objectContaining({ id: '2', data: expect.objectContaining({ title: 'Next' }) }),
  ]);
  await third.until((heard) => names(heard).filter((event) => event === 'status').length === 2);
  expect(names(third.heard)).toEqual(names(second.heard));
});

test('a comment every 15 seconds keeps the connection open, a ping comes every 30', async () => {
  await using pub = await service();
  const client = await openStream(await listen(pub));
  const start = pub.clock.now;
  const pinged = client.next('ping');
  for (let second = 0; second < 30; second += 5) pass(pub, 5 * SECOND);
  await pinged;

  expect(client.text.match(/: keepalive \d+\n\n/g)).toEqual([
    `: keepalive ${start + 15_000}\n\n`,
    `: keepalive ${start + 30_000}\n\n`,
  ]);
});

test('streams end at different times within the last fifth of the longest lifetime', async () => {
  await using pub = await service({ NOW_PLAYING_SSE_MAX_CONNECTION_MS: '300000' });
  const origin = await listen(pub);
  const clients = await Promise.all(Array.from({ length: 12 }, () => openStream(origin)));
  const ends: number[] = [];
  for (const { ended } of clients) void ended.then(() => ends.push(passed));
  let passed = 0;
  for (; passed < 240; passed += 10) pass(pub, 10 * SECOND);
  expect(pub.ctx.connections.size).toBe(12);
  while (passed < 300) {
    passed += 5;
    pass(pub, 5 * SECOND);
    const left = pub.ctx.connections.size;
    await expect.poll(() => ends.length).toBe(12 - left);
  }

  expect(ends).toHaveLength(12);
  expect(new Set(ends).size).toBeGreaterThan(2);
});

test('a stream above the limit, per client or in total, is answered 503 with the time to wait', async () => {
  await using pub = await service({ STREAMS_PER_CLIENT: '2', STREAMS_AT_MOST: '3' });
  const origin = await listen(pub);
  const from = (client: string) => openStream(origin, { 'edge-connecting-ip': client });
  const first = await from('10.0.0.1');
  await from('10.0.0.1');
  const third = await from('10.0.0.1');
  expect(third.status).toBe(503);
  expect(Number(third.headers['retry-after'])).toBeGreaterThanOrEqual(5);
  expect(Number(third.headers['retry-after'])).toBeLessThanOrEqual(15);

  expect((await from('10.0.0.2')).status).toBe(200);
  expect((await from('10.0.0.3')).status).toBe(503);
  first.close();
  await expect.poll(() => pub.ctx.connections.size).toBe(2);
  expect((await from('10.0.0.3')).status).toBe(200);
});

test('strangers leave the places of the screens that staff named, whatever addresses they have', async () => {
  await using pub = await service({ STREAMS_PER_CLIENT: '2', STREAMS_AT_MOST: '3' });
  const olga = await appoint(pub, 'olga@club.example', 'owner');
  for (const screen of ['bar', 'unnamed'])
    await pub.post('/api/screens/heartbeat', {
      screen,
      page: 'tv',
      version: 'x',
      uptime_s: 1,
      viewport: '1x1',
    });
  const { screens } = (await pub.get('/api/admin/screens', olga)).json();
  const { id } = screens.find(({ screen }: { screen: string }) => screen === 'bar');
  await patchScreen(pub, olga, id, { name: 'Bar' });
  const origin = await listen(pub);
  const from = async (client: string, query?: string) =>
    (await openStream(origin, { 'edge-connecting-ip': client }, query)).status;

  // One /64 is one client, and others fill the rest.
  expect([await from('2001:db8::1'), await from('2001:db8::2'), await from('2001:db8::3')]).toEqual([
    200, 200, 503,
  ]);
  expect([await from('2001:db8:1::1'), await from('2001:db8:2::1')]).toEqual([200, 503]);
  const bar = '?screen=bar&page=tv';
  expect([await from('2001:db8::4', bar), await from('10.0.0.1', bar), await from('10.0.0.1', bar)]).toEqual([
    ...[200, 200, 200],
  ]);
  // Its name alone opens no more than the places of that screen; other names and pages open none.
  for (const query of [
    bar,
    '?screen=unnamed&page=tv',
    '?screen=nobody&page=tv',
    '?screen=bar&page=projector',
    '?screen=bar',
  ])
    expect([query, await from('10.0.0.1', query)]).toEqual([query, 503]);
});

test('concurrent connections do not exceed the limit', async () => {
  await using pub = await service({ STREAMS_PER_CLIENT: '4' });
  const origin = await listen(pub);
  const clients = await Promise.all(Array.from({ length: 12 }, () => openStream(origin)));

  expect(clients.map(({ status }) => status).sort()).toEqual([...Array(4).fill(200), ...Array(8).fill(503)]);
});

test('a HEAD request opens no stream', async () => {
  await using pub = await service();

  expect((await pub.request({ method: 'HEAD', url: '/api/now-playing/current' })).statusCode).toBe(404);
});

test('a stop ends every stream at once', async () => {
  const pub = await service();
  const origin = await listen(pub);
  const clients = await Promise.all(Array.from({ length: 20 }, () => openStream(origin)));
  await pub[Symbol.asyncDispose]();

  await Promise.all(clients.map(({ ended }) => ended));
  expect(pub.ctx.connections.size).toBe(0);
});

test('clients that disconnect leave no connection, socket or timer behind', async () => {
  await using pub = await service();
  const origin = await listen(pub);
  const { port } = new URL(origin);
  const comeAndGo = async (index: number) => {
    const socket = net.connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write('GET /api/now-playing/current HTTP/1.1\r\nHost: x\r\n\r\n');
    // Some leave before the answer, some after it, some with a reset.
    if (index % 3) await once(socket, 'data');
    if (index % 2) socket.resetAndDestroy();
    else socket.destroy();
  };
  for (let round = 0; round < 3; round++)
    await Promise.all(Array.from({ length: 30 }, (_, index) => comeAndGo(index)));

  await expect.poll(() => pub.ctx.connections.size).toBe(0);
  await expect
    .poll(() => new Promise((done) => pub.app.server.getConnections((_, open) => done(open))))
    .toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

test('a notice is sent when it starts, changes and ends, and on connect while it runs', async () => {
  await using pub = await service();
  const tender = await appoint(pub, 'tess@club.example', 'tender');
  const origin = await listen(pub);
  const client = await openStream(origin);
  expect(names(client.heard)).not.toContain('takeover');

  const told = client.next('takeover');
  const { id } = (await pub.post('/api/admin/takeover', { kind: 'voting', minutes: 5 }, tender)).json();
  expect((await told).data).toMatchObject({ id, title: PRESETS.voting.title.for(ENGLISH), earlier: [] });
  const late = await openStream(origin);
  expect(names(late.heard)).toEqual([
    ...['now_playing_display', 'track', 'status', 'lyrics_toggle', 'takeover', 'ping'],
  ]);

  const second = client.next('takeover');
  const leave = (await pub.post('/api/admin/takeover', { kind: 'leave' }, tender)).json().id;
  expect((await second).data).toMatchObject({ id: leave, earlier: [{ id }] });
  const ended = client.next('takeover');
  await pub.post(`/api/admin/takeover/${leave}/end`, {}, tender);
  expect((await ended).data).toMatchObject({ id, earlier: [] });
  const expired = client.next('takeover');
  pass(pub, 5 * MINUTE);
  expect((await expired).data).toBeNull();
  const after = await openStream(origin);
  expect(names(after.heard)).not.toContain('takeover');
});

test('a staff decision about the big screen is sent as the current card, but not on connect', async () => {
  await using pub = await service({ NOW_SHOWING_ENABLED: 'on' });
  const origin = await listen(pub);
  const client = await openStream(origin);
  const decide = (body: object) => pub.post('/api/admin/now-showing', body, ADMIN);

  const film = client.next('screen');
  await decide({ mode: 'movie', label: 'The Third Man' });
  expect((await film).data).toEqual((await pub.get('/api/now-showing')).json());
  expect((await film).data).toMatchObject({ showing: true, kind: 'movie', title: 'The Third Man' });
  const late = await openStream(origin);
  expect(names(late.heard)).not.toContain('screen');

  const off = client.next('screen');
  await decide({ mode: 'off' });
  expect((await off).data).toMatchObject({ showing: false });
});
