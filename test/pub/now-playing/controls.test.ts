import { once } from 'node:events';
import type net from 'node:net';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { SECOND } from '#kernel/clock.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { recordedOf } from '#test/support/audit.ts';
import { expectRefusal, message } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { listen } from '#test/support/stream-client.ts';

const ADMIN = { 'x-admin-token': 'the admin token' };
const PATH = '/api/now-playing/controls';
const FIRST = {
  type: 'now_playing_controls',
  barRightDisplay: true,
  projectorLyrics: false,
  barRightLyrics: false,
};

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

const service = (env: Record<string, string> = {}) => testApp({ PUB_ADMIN_TOKEN: 'the admin token', ...env });
const change = (pub: TestApp, body: object, headers: Record<string, string> = ADMIN) =>
  pub.post('/api/admin/now-playing/controls', body, headers);

test('admins switch what the screens show; the answer is the whole state, and only changes are audited', async () => {
  await using pub = await service();
  const { type: _type, ...first } = FIRST;
  expect((await pub.get('/api/admin/now-playing/controls', ADMIN)).json()).toEqual(first);

  expect((await change(pub, { barRightLyrics: true })).json()).toEqual({ ...first, barRightLyrics: true });
  expect((await change(pub, { barRightLyrics: true, barRightDisplay: 'off' })).json()).toEqual({
    ...first,
    barRightLyrics: true,
    barRightDisplay: false,
  });
  expect((await change(pub, {})).statusCode).toBe(200);
  expect(recordedOf(pub.ctx, 'controls.changed')).toEqual([
    { barRightLyrics: true, by: 'token:pub_admin' },
    { barRightDisplay: false, by: 'token:pub_admin' },
  ]);
});

test('users without the permission are refused, and an invalid value is reported by its field', async () => {
  await using pub = await service();
  const eve = await appoint(pub, 'eve@club.example', 'viewer');

  expectRefusal(await change(pub, { projectorLyrics: true }, {}), 401, 'staff_key_required');
  expect((await change(pub, { projectorLyrics: true }, eve)).json()).toMatchObject({
    permission: 'controls:write',
  });
  expect((await pub.get('/api/admin/now-playing/controls', eve)).statusCode).toBe(200);
  const wrong = await change(pub, { projectorLyrics: 'perhaps' });
  expect([wrong.statusCode, wrong.json().errors[0].path]).toEqual([400, 'projectorLyrics']);
});

test('a socket receives the state at once and after each change, never the same twice', async () => {
  await using pub = await service();
  const origin = await listen(pub);
  const [one, two] = [await open(origin), await open(origin)];
  await one.received(1);
  await two.received(1);
  await change(pub, { projectorLyrics: true });
  await change(pub, { projectorLyrics: true });
  await change(pub, { barRightDisplay: false });
  await one.received(3);
  await two.received(3);

  expect(one.messages).toEqual([
    FIRST,
    { ...FIRST, projectorLyrics: true },
    { ...FIRST, projectorLyrics: true, barRightDisplay: false },
  ]);
  expect(two.messages).toEqual(one.messages);
});

test('without an upgrade the answer is 426; without the hub an upgrade is 503', async () => {
  await using pub = await service();
  await using off = await service({ CONTROLS_HUB: 'off' });

  for (const answer of [await pub.get(PATH), await off.get(PATH)]) {
    expect(answer.statusCode).toBe(426);
    expect(answer.headers.upgrade).toBe('websocket');
    expect(answer.json().error).toBe(message('upgrade_required'));
  }
  expect((await pub.request({ method: 'HEAD', url: PATH })).statusCode).toBe(404);
  const origin = await listen(off);
  expect(await refusedUpgrade(origin, PATH, false)).toBe(503);
  // The service closes the connection: it cannot be used for requests again.
  await expect.poll(() => openSockets(off)).toBe(0);
});

test('Upgrade headers on other paths are ignored, without an open socket or a secret in the log', async () => {
  await using pub = await service();
  const origin = await listen(pub);

  expect(await refusedUpgrade(origin, '/health')).toBe(200);
  expect(await refusedUpgrade(origin, '/e/x/vote?t=a-secret-token')).toBe(404);
  expect(await refusedUpgrade(origin, '/nowhere')).toBe(404);
  expect(pub.logged.join('')).not.toContain('a-secret-token');
  await expect.poll(() => openSockets(pub)).toBe(0);
});

test('a page of any origin gets a socket, which is public and read-only', async () => {
  await using pub = await service({ BASE_URL: 'https://club.example' });
  const own = await listen(pub);
  for (const origin of [undefined, own, 'https://elsewhere.example', 'null', 'nonsense'])
    await (await open(own, { ...(origin && { origin }) })).received(1);
});

test('messages of a client are ignored; one of more than 1 KB, or an invalid frame, ends only its socket', async () => {
  await using pub = await service();
  const origin = await listen(pub);
  const [chatty, loud, broken] = [await open(origin), await open(origin), await open(origin)];
  await Promise.all([chatty, loud, broken].map((client) => client.received(1)));
  chatty.socket.send('x'.repeat(1_024));
  loud.socket.send('x'.repeat(1_025));
  (broken.socket as unknown as { _socket: net.Socket })._socket.write(Buffer.from([0xff, 0xff, 0xff]));
  await Promise.all([loud.closed, broken.closed]);
  await change(pub, { projectorLyrics: true });
  await chatty.received(2);

  expect(pub.ctx.connections.size).toBe(1);
  expect(pub.logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
});

test('a socket that does not answer pings is closed, one that does is kept', async () => {
  await using pub = await service();
  const origin = await listen(pub);
  const [alive, dead] = [await open(origin), await open(origin, { autoPong: false })];
  await Promise.all([alive.received(1), dead.received(1)]);
  const pinged = Promise.all([once(alive.socket, 'ping'), once(dead.socket, 'ping')]);
  vi.advanceTimersByTime(30 * SECOND);
  await pinged;
  // The pong has come when the server has answered something that was sent after it.
  alive.socket.ping();
  await once(alive.socket, 'pong');
  vi.advanceTimersByTime(30 * SECOND);
  await dead.closed;
  await change(pub, { projectorLyrics: true });
  await alive.received(2);

  expect(pub.ctx.connections.size).toBe(1);
});

test('sockets count among the open connections of a client', async () => {
  await using pub = await service({ STREAMS_PER_CLIENT: '1' });
  const origin = await listen(pub);
  const first = await open(origin);
  await first.received(1);

  expect(await refusedUpgrade(origin, PATH)).toBe(503);
  first.socket.close();
  await expect.poll(() => pub.ctx.connections.size).toBe(0);
  await (await open(origin)).received(1);
});

test('concurrent connections do not exceed the limit', async () => {
  await using pub = await service({ STREAMS_PER_CLIENT: '2' });
  const origin = await listen(pub);
  const sockets = Array.from({ length: 8 }, () => new WebSocket(origin.replace('http', 'ws') + PATH));
  const accepted = await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<boolean>((done) => {
          onTestFinished(() => socket.terminate());
          socket.on('message', () => done(true));
          socket.on('close', () => done(false));
          socket.on('error', () => done(false));
        }),
    ),
  );

  expect(accepted.filter(Boolean)).toHaveLength(2);
  expect(pub.ctx.connections.size).toBe(2);
});

test('a stop closes the sockets, and does not wait for those that do not answer', async () => {
  const pub = await service();
  const origin = await listen(pub);
  const [polite, deaf] = [await open(origin), await open(origin)];
  await Promise.all([polite.received(1), deaf.received(1)]);
  (deaf.socket as unknown as { _socket: net.Socket })._socket.pause();
  await pub[Symbol.asyncDispose]();

  expect(await polite.closed).toBe(1001);
  expect(await openSockets(pub)).toBe(0);
});

async function open(origin: string, options: { autoPong?: boolean; origin?: string } = {}) {
  const socket = new WebSocket(origin.replace('http', 'ws') + PATH, options);
  onTestFinished(() => socket.terminate());
  socket.on('error', () => {});
  const messages: unknown[] = [];
  const waiting = new Set<() => void>();
  socket.on('message', (data) => {
    messages.push(JSON.parse(String(data)));
    for (const wake of waiting) wake();
  });
  const closed = new Promise<number>((done) => socket.on('close', done));
  await once(socket, 'open');
  return {
    socket,
    messages,
    closed,
    async received(count: number) {
      while (messages.length < count) await new Promise<void>((wake) => waiting.add(wake));
    },
  };
}

/** The status of an upgrade that is refused. The client hangs up, or waits for the service to do so. */
async function refusedUpgrade(to: string, path: string, hangUp = true, origin?: string): Promise<number> {
  const socket = new WebSocket(to.replace('http', 'ws') + path, { ...(origin && { origin }) });
  socket.on('error', () => {});
  const [, response] = await once(socket, 'unexpected-response');
  response.resume();
  if (hangUp) socket.terminate();
  return response.statusCode;
}

function openSockets(pub: TestApp): Promise<number> {
  return new Promise((done) => pub.app.server.getConnections((_error, open) => done(open)));
}
