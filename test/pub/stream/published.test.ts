import fs from 'node:fs';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { CHANNELS } from '#pub/stream/published.ts';
import { FanOutEngine } from '#test/stand-ins/fan-out-engine.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { named, parseNginx } from '#test/support/process/nginx.ts';
import { type Heard, listen, openStream } from '#test/support/stream-client.ts';

const ADMIN = { 'x-admin-token': 'the admin token' };
const SONG = { artist: 'Toots', title: 'Pressure Drop' };
const STREAM = { accept: 'text/event-stream' };

// Tests advance the ticker by hand.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());
function pass(service: TestApp, ms: number): void {
  service.clock.now += ms;
  vi.advanceTimersByTime(SECOND);
}

async function opened(): Promise<FanOutEngine> {
  const engine = await FanOutEngine.open(CHANNELS);
  onTestFinished(() => engine.stop());
  return engine;
}

const service = (engine: FanOutEngine, env: Record<string, string> = {}) =>
  testApp(
    { PUB_ADMIN_TOKEN: ADMIN['x-admin-token'], STREAM_PUBLISH_URL: engine.publishUrl, ...env },
    undefined,
    { look: 20, firstWait: 5, longestWait: 20 },
  );
const ingest = (to: TestApp, body: object) => to.post('/api/now-playing/ingest', body);
const switches = (to: TestApp, body: object) => to.post('/api/admin/now-playing/controls', body, ADMIN);
/** Returns a function that reads the health page as an owner. */
async function health(of: TestApp): Promise<() => Promise<string>> {
  const owner = await appoint(of, 'ann@club.example', 'owner');
  return async () => (await of.get('/admin/health', { accept: 'text/html', ...owner })).body;
}
const isPublished = (to: TestApp) =>
  expect
    .poll(() => to.ctx.publisher?.state, { interval: 5, timeout: 10_000 })
    .toMatchObject({ started: true, behind: false });

/** The events that a client gets when it connects to the engine now. */
async function stateAt(engine: FanOutEngine): Promise<Heard[]> {
  const { heard, close } = await openStream(engine.origin, STREAM);
  close();
  return heard.map(({ event, data }) => ({ event, data }));
}

test('a client that connects to the engine gets the whole state in the order of the stream', async () => {
  const engine = await opened();
  await using pub = await service(engine);
  await ingest(pub, SONG);
  await ingest(pub, { heartbeat: true });
  await switches(pub, { barRightLyrics: true });
  await isPublished(pub);

  const { heard } = await openStream(await listen(pub));
  const own = heard.map(({ event, data }) => ({ event, data }));
  const ping = { event: 'ping', data: { ts: pub.clock.now, stored: true } };
  expect(await stateAt(engine)).toEqual([...own.slice(0, -1), ping]);
});

test('a change reaches the clients of both; those of the service do not wait for the engine', async () => {
  const engine = await opened();
  await using pub = await service(engine);
  const own = await openStream(await listen(pub));
  await isPublished(pub);
  const other = await openStream(engine.origin, STREAM);
  engine.behaviour = 'hang';

  await ingest(pub, SONG);
  expect(await own.next('track')).toMatchObject({ data: SONG });
  engine.behaviour = 'work';

  expect(await other.next('track')).toMatchObject({ data: SONG });
});

test('changes by time alone are published, and a ping every half minute', async () => {
  const engine = await opened();
  await using pub = await service(engine);
  await ingest(pub, SONG);
  await ingest(pub, { heartbeat: true });
  await isPublished(pub);
  const client = await openStream(engine.origin, STREAM);

  pass(pub, 2 * MINUTE);
  await client.until((heard) => heard.some(({ data }) => data.state === 'offline'));
  await client.until((heard) => heard.some(({ data }) => data.ts === pub.clock.now));
  await isPublished(pub);

  expect((await stateAt(engine)).at(-1)).toEqual({
    event: 'ping',
    data: { ts: pub.clock.now, stored: true },
  });
});

test('lyrics, an offset and a notice are removed from the engine when they end', async () => {
  const engine = await opened();
  await using pub = await service(engine);
  await ingest(pub, SONG);
  await switches(pub, { projectorLyrics: true });
  await pub.post('/api/now-playing/offset', { trackId: 1, offsetMs: 1_000 });
  const tess = await appoint(pub, 'tess@club.example', 'tender');
  const started = await pub.post('/api/admin/takeover', { kind: 'last_orders', minutes: 5 }, tess);
  expect(started.statusCode).toBe(200);
  await isPublished(pub);
  const running = await stateAt(engine);
  expect(running.map(({ event }) => event)).toEqual([...CHANNELS.slice(0, 7), 'ping']);
  const { ageMs: _age, ...offset } = { ageMs: 0, ...running[5]?.data };
  expect(offset).toEqual(running[5]?.data);

  await switches(pub, { projectorLyrics: false });
  pass(pub, 6 * MINUTE);
  await isPublished(pub);

  const names = (await stateAt(engine)).map(({ event }) => event);
  expect(names).toEqual([...CHANNELS.slice(0, 4), 'ping']);
});

test('a restarted service removes what ended while it was down', async () => {
  const engine = await opened();
  {
    await using pub = await service(engine);
    await switches(pub, { projectorLyrics: true });
    await isPublished(pub);
  }
  expect((await stateAt(engine)).map(({ event }) => event)).toContain('lyrics');

  await using pub = await service(engine);
  await pub.app.ready();
  await isPublished(pub);

  const names = (await stateAt(engine)).map(({ event }) => event);
  expect(names).toEqual([...CHANNELS.slice(0, 4), 'ping']);
});

test('an engine that was down gets the current state; the health page and the metrics show its status', async () => {
  const engine = await opened();
  await using pub = await service(engine);
  await pub.app.ready();
  await isPublished(pub);
  const look = await health(pub);
  await expect.poll(() => pub.ctx.publisher?.state.streams, { interval: 5, timeout: 10_000 }).toBe(0);
  expect(await look()).toContain('nginx accepts every event. Open streams there: 0.');

  await engine.stop();
  await ingest(pub, SONG);
  await expect
    .poll(() => pub.ctx.publisher?.state.failed, { interval: 5, timeout: 10_000 })
    .toBeGreaterThan(0);
  expect(await look()).toContain('nginx rejects events');
  const metrics = (await pub.get('/metrics')).body;
  expect(metrics).toMatch(/publichouse_stream_publications_total\{outcome="published"\} [1-9]/);
  expect(metrics).toMatch(/publichouse_stream_publications_total\{outcome="failed"\} [1-9]/);
  expect(metrics).toContain('publichouse_engine_open_streams 0');
  expect(metrics).toContain('publichouse_check_severity{check="streams"} 2');

  await engine.start();
  await isPublished(pub);
  expect((await stateAt(engine))[1]).toMatchObject({ event: 'track', data: SONG });
});

test('with the setlist switched off nothing is published, and the health page says so', async () => {
  const engine = await opened();
  await using pub = await service(engine, { SETLIST_DB: 'off' });

  const look = await health(pub);
  expect(await look()).toContain('Nothing is published');
  expect(engine.requests).toBe(0);
});

test('deploy/nginx-nchan has the channels in order, and accepts events only from this machine', () => {
  const read = (name: string) =>
    parseNginx(fs.readFileSync(new URL(`../../../deploy/nginx-nchan/${name}.conf`, import.meta.url), 'utf8'));
  const of = (block: ReturnType<typeof read> | undefined, name: string) => named(block, name)[0]?.args;
  const [stream] = named(read('stream'), 'location');
  const [server] = named(read('publish'), 'server');
  const [publish] = named(server?.block, 'location');

  expect(stream?.args).toEqual(['=', '/api/now-playing/current']);
  expect(of(stream?.block, 'nchan_channel_id')).toEqual([CHANNELS.join()]);
  expect(of(server?.block, 'listen')).toEqual(['127.0.0.1:8081']);
  expect(named(publish?.block, 'allow').map(({ args }) => args)).toEqual([['127.0.0.1']]);
  expect(of(publish?.block, 'deny')).toEqual(['all']);
  for (const name of CHANNELS) expect(name).toMatch(/^[a-z_]+$/);
  expect(of(stream?.block, 'nchan_channel_group')).toEqual(of(publish?.block, 'nchan_channel_group'));
});
