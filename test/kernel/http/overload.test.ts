import { once } from 'node:events';
import net from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { SECOND } from '#kernel/clock.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addTokens, openElection } from '#test/support/factories.ts';
import { errorJson } from '#test/support/messages.ts';
import { listen, openStream } from '#test/support/stream-client.ts';
import { asset } from '#views/assets.ts';
import { generateTokens } from '#voting/ballots/tokens.ts';
import { createElection, ElectionInput } from '#voting/elections/changes.ts';

const from = (address: string) => ({ 'edge-connecting-ip': address });

/** Blocks the event loop as a long computation does, but without using a processor. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Keeps the event loop busy, leaving one turn at a time to others. @returns a function that ends it */
function keepBusy(): () => void {
  let busy = true;
  const work = () => {
    block(100);
    if (busy) globalThis.setImmediate(work);
  };
  work();
  onTestFinished(() => {
    busy = false;
  });
  return () => {
    busy = false;
  };
}

test('while all other requests are refused, ballots are accepted and their pages shown', async () => {
  await using service = await testApp({ OVERLOAD_DELAY_MS: '25' });
  // Not over HTTP: on a slow machine such a request could be refused.
  const actor = { ip: '', at: service.clock.now };
  const id = await createElection(service.ctx, ElectionInput.parse(openElection(service)), actor);
  const [token] = (await generateTokens(service.ctx, id, { count: 1, batch_name: null }, actor)).tokens;
  const end = keepBusy();
  // Several times: one request may be refused for its own delay, before the average delay is too long.
  for (let refused = 0; refused < 12; )
    refused = (await service.get('/')).statusCode === 503 ? refused + 1 : 0;

  const page = await service.get(`/e/${id}/vote?t=${token}`, { accept: 'text/html' });
  const ballot = await service.post(`/e/${id}/vote`, { token, choice: 'yes' });
  const other = await service.get('/');
  end();

  expect([page.statusCode, ballot.statusCode, other.statusCode]).toEqual([200, 200, 503]);
});

test('requests delayed by the start of the service do not count as overload', async () => {
  await using service = await testApp({ OVERLOAD_DELAY_MS: '100' });
  service.app.addHook('onReady', async () => block(1.5 * SECOND));
  const origin = await listen(service);
  // Lets timers run that were due in the meantime.
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();

  expect((await fetch(origin)).status).toBe(200);
});

test('a ballot is answered before many requests that arrived earlier', async () => {
  await using service = await testApp({ REQUESTS_IN_FLIGHT_PER_CLIENT: '1000' });
  const id = await addElection(service);
  const [token] = await addTokens(service, id, 1);
  await service.get('/now');
  const answered: string[] = [];

  const crowd = Array.from({ length: 300 }, async (_, index) => {
    await service.get(`/now?before=2026-01-01T00:00:00.${String(index).padStart(3, '0')}Z`);
    answered.push('page');
  });
  const { statusCode } = await service.post(`/e/${id}/vote`, { token, choice: 'yes' });
  answered.push('ballot');
  await Promise.all(crowd);

  expect(statusCode).toBe(200);
  expect(answered.at(-1)).toBe('page');
});

test('concurrent requests of one client above the limit get 429; other clients and ballots do not', async () => {
  await using service = await testApp({ REQUESTS_IN_FLIGHT_PER_CLIENT: '2' });
  const id = await addElection(service);
  const [token] = await addTokens(service, id, 1);
  await service.app.ready();

  const many = [1, 2, 3, 4].map(() => service.get('/', from('10.0.0.1')));
  const other = service.get('/', from('10.0.0.2'));
  const ballot = service.post(`/e/${id}/vote`, { token, choice: 'yes' }, from('10.0.0.1'));
  const answers = await Promise.all(many);

  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 429, 429]);
  const refused = answers.find(({ statusCode }) => statusCode === 429);
  expect(refused?.headers['retry-after']).toBe('1');
  expect(refused?.json()).toEqual({ ...errorJson('too_many_at_once'), retryAfter: 1 });
  expect([(await other).statusCode, (await ballot).statusCode]).toEqual([200, 200]);
  expect((await service.get('/', from('10.0.0.1'))).statusCode).toBe(200);
});

test('open streams and style sheets do not count as requests in flight', async () => {
  await using service = await testApp({ REQUESTS_IN_FLIGHT_PER_CLIENT: '1' });
  const origin = await listen(service);
  const streams = await Promise.all([openStream(origin), openStream(origin)]);

  const sheets = await Promise.all([1, 2, 3].map(() => fetch(origin + asset('base/base.css'))));

  expect(streams.map(({ status }) => status)).toEqual([200, 200]);
  expect(sheets.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await fetch(origin)).status).toBe(200);
});

test('pipelined requests are answered in order', async () => {
  await using service = await testApp({ REQUESTS_IN_FLIGHT_PER_CLIENT: '1' });
  const { socket, received } = await connect(service);

  socket.write(ask('/health') + ask('/setlist') + ask('/events') + ask('/nothing', 'close'));
  await once(socket, 'close');

  const statuses = [...received().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  expect(statuses).toEqual(['200', '200', '200', '404']);
  expect(received().indexOf('The setlist')).toBeLessThan(received().indexOf('What’s on'));
});

test('a connection with too many pipelined requests is closed, and none of them counts any more', async () => {
  await using service = await testApp({ REQUESTS_IN_FLIGHT_PER_CLIENT: '1' });
  const { socket } = await connect(service);

  socket.write(ask('/').repeat(100));
  await once(socket, 'close');

  const answers = [await service.get('/', from('127.0.0.1')), await service.get('/', from('127.0.0.1'))];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
});

test('requests of disconnected clients no longer count', async () => {
  await using service = await testApp({ REQUESTS_IN_FLIGHT_PER_CLIENT: '3' });
  for (let round = 0; round < 5; round += 1) {
    const { socket } = await connect(service);
    await new Promise<void>((written) => socket.write(ask('/').repeat(4), () => written()));
    socket.resetAndDestroy();
  }

  await expect.poll(async () => (await service.get('/', from('127.0.0.1'))).statusCode).toBe(200);
});

const ask = (url: string, connection = 'keep-alive') =>
  `GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\n\r\n`;

async function connect(service: TestApp) {
  if (!service.app.server.listening) await listen(service);
  const { port } = service.app.server.address() as net.AddressInfo;
  const socket = net.connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    text += chunk;
  });
  await once(socket, 'connect');
  return { socket, received: () => text };
}
