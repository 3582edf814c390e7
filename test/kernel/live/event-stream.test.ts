import { once } from 'node:events';
import net from 'node:net';
import { setImmediate } from 'node:timers/promises';
import Fastify from 'fastify';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { SECOND } from '#kernel/clock.ts';
import { Connections } from '#kernel/http/connections.ts';
import { EventStreams } from '#kernel/live/event-stream.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** The maximum size of the lyrics of a song. */
const LARGE = 'x'.repeat(60_000);
const LIMIT = 256 * 1024;

test('for clients that do not read, only the newest of each event is kept, and nobody else is delayed', async () => {
  await using service = await streamService();
  const reader = await service.connect();
  const idle = await Promise.all(Array.from({ length: 4 }, () => service.connect()));
  for (const client of idle) client.socket.pause();

  // More than the socket buffers of the system hold for a client that does not read.
  for (let count = 1; count <= 350; count++) {
    service.streams.send([{ event: 'lyrics', data: { count, LARGE } }]);
    await reader.until(`"count":${count},`);
    expect(Math.max(...service.backlogs())).toBeLessThan(LIMIT);
  }
  expect(service.streams.size).toBe(5);

  // A client that reads again in time gets the newest event, not all the replaced ones.
  const [back] = idle;
  back!.socket.resume();
  await back!.until('"count":350,');
  expect(back!.text.match(/event: lyrics/g)!.length).toBeLessThan(350);

  service.pass(15 * SECOND);
  expect(service.streams.size).toBe(2);
  await expect.poll(service.sockets).toBe(2);
  service.streams.send([{ event: 'track', data: 'after' }]);
  await Promise.all([reader.until('"after"'), back!.until('"after"')]);
});

test('a client with more than 256 KB of unread events is disconnected', async () => {
  await using service = await streamService();
  const reader = await service.connect();
  const idle = await service.connect();
  idle.socket.pause();

  for (let count = 0; service.streams.size === 2 && count < 1_000; count++) {
    service.streams.send([{ event: `event ${count}`, data: LARGE }]);
    await reader.until(`event: event ${count}\n`);
    await setImmediate();
  }
  await expect.poll(service.sockets).toBe(1);
  expect(service.connections.size).toBe(1);
});

test('a frame has one line of data whatever its content, and goes to all clients', async () => {
  await using service = await streamService();
  const clients = await Promise.all([service.connect(), service.connect()]);
  const data = { text: 'two\nlines\r\n\u2028and: more', id: 'x' };
  service.streams.send([{ event: 'track', data, id: 7 }]);

  for (const client of clients) {
    await client.until('event: track');
    const [, block] = /(event: track\n[\s\S]*?)\n\n/.exec(client.text) ?? [];
    expect(block!.split('\n')).toEqual(['event: track', 'id: 7', `data: ${JSON.stringify(data)}`]);
  }
});

test('a clock that was set back does not silence the pings', async () => {
  await using service = await streamService();
  const client = await service.connect();
  service.pass(-3_600_000);

  await client.until(`"ts":${service.clock.now}}`);
});

test('a client that disconnects before its stream opens is not counted', async () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  await using service = await streamService(opened);
  const early = net.connect(service.port, '127.0.0.1');
  early.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await service.asked;
  early.destroy();
  await expect.poll(service.sockets).toBe(0);
  open();
  await setImmediate();

  expect([service.streams.size, service.connections.size, vi.getTimerCount()]).toEqual([0, 0, 0]);
});

test('requests that wait behind a stream on the same connection do not pile up', async () => {
  await using service = await streamService();
  const client = await service.connect();
  client.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50));
  await expect.poll(() => service.streams.size).toBe(51);
  client.socket.destroy();

  await expect.poll(() => service.streams.size).toBe(0);
  expect(service.connections.size).toBe(0);
});

test('a stream that opens while the service stops ends at once', async () => {
  await using service = await streamService();
  service.streams.close();
  const client = await service.connect();

  await client.gone;
  expect(service.streams.size).toBe(0);
});

/** Starts a server with streams; a request opens one once `ready` has resolved. */
async function streamService(ready: Promise<void> = Promise.resolve()) {
  const clock = { now: 1_000_000_000 };
  const connections = new Connections(1_000, 1_000);
  const streams = new EventStreams({
    now: () => clock.now,
    connections,
    lifetimeMs: 1_000_000_000,
    onTick: () => {},
  });
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const app = Fastify();
  app.decorateRequest('client', 'a client');
  app.addHook('preClose', async () => streams.close());
  app.get('/', async (request, reply) => {
    ask();
    await ready;
    streams.open(request, reply, []);
  });
  const served = new Set<net.Socket>();
  app.server.on('connection', (socket) => {
    served.add(socket);
    socket.on('close', () => served.delete(socket));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as net.AddressInfo;

  return {
    streams,
    connections,
    clock,
    port,
    asked,
    sockets: () => served.size,
    /** Bytes buffered in the process for each client. */
    backlogs: () => [...served].map(({ writableLength }) => writableLength),
    pass(ms: number) {
      clock.now += ms;
      vi.advanceTimersByTime(SECOND);
    },
    async connect() {
      const socket = net.connect(port, '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => {});
      const waiting = new Set<() => void>();
      const client = {
        socket,
        text: '',
        gone: once(socket, 'close').then(() => {}),
        async until(part: string) {
          while (!client.text.includes(part)) await new Promise<void>((wake) => waiting.add(wake));
        },
      };
      socket.setEncoding('utf8');
      socket.on('data', (chunk: string) => {
        // Only the end is needed, and the whole text would be long.
        client.text = (client.text + chunk).slice(-200_000);
        for (const wake of waiting) wake();
        waiting.clear();
      });
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      await client.until('HTTP/1.1 200');
      return client;
    },
    async [Symbol.asyncDispose]() {
      await app.close();
    },
  };
}
