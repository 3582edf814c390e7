import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '#kernel/config.ts';
import { type PublishedEvent, StreamPublisher } from '#kernel/live/publisher.ts';
import { createLog } from '#kernel/log.ts';
import { type Behaviour, FanOutEngine } from '#test/stand-ins/fan-out-engine.ts';
import { openStream } from '#test/support/stream-client.ts';

const CHANNELS = ['a', 'b', 'c', 'ping', 'news'];
const QUICK = { answer: 20_000, look: 10, firstWait: 5, longestWait: 20 };

const kept = (event: string, data: unknown): PublishedEvent => ({ event, data, keep: true });
const STREAM = { accept: 'text/event-stream' };
const LAST: PublishedEvent = { event: 'ping', data: () => ({}), keep: true };

/** Starts an engine whose clock in seconds is `now`, and a publisher for it. */
async function opened(now?: () => number, times = QUICK) {
  const engine = await FanOutEngine.open(CHANNELS, now);
  const logged: string[] = [];
  const log = createLog(readConfig({ LOG_LEVEL: 'info' }, ''), {
    write: (line: string) => void logged.push(line),
  });
  const publisher = new StreamPublisher({ url: engine.publishUrl, now: Date.now, log, times });
  onTestFinished(async () => {
    await publisher.close();
    await engine.stop();
  });
  publisher.start(CHANNELS);
  return { engine, publisher, logged };
}

/** Sends events, and waits until they and all events published with them have been accepted. */
async function publish(
  { publisher }: { publisher: StreamPublisher },
  ...events: PublishedEvent[]
): Promise<void> {
  publisher.send(events);
  await isDone(publisher);
}

const isDone = (publisher: StreamPublisher) =>
  expect.poll(() => publisher.state.behind, { interval: 2, timeout: 10_000 }).toBe(false);

/** Returns a clock that advances by a second after each `looks` calls. */
function seconds(looks: number): () => number {
  let seen = 0;
  return () => Math.floor(++seen / looks);
}

/** Returns what a new client receives up to the first ping. */
async function stateAt(engine: FanOutEngine): Promise<Record<string, unknown>[]> {
  const { heard, close } = await openStream(engine.origin, STREAM);
  close();
  return heard.map(({ event, data }) => ({ [event]: data }));
}

test.each([
  ['within one second', () => 1],
  ['each in another second', seconds(1)],
  ['over the end of a second', seconds(3)],
])(
  'a new client gets the newest of each event in the order of the channels, published %s',
  async (_when, now) => {
    const to = await opened(now);
    await publish(to, kept('a', 1), kept('b', 1), kept('c', 1), LAST);

    for (const [name, value] of [
      ['c', 2],
      ['a', 2],
      ['b', 2],
      ['a', 3],
      ['a', 4],
      ['b', 3],
      ['c', 3],
      ['a', 5],
    ] as const)
      await publish(to, kept(name, value), LAST);
    await publish(to, kept('c', 4), kept('b', 4), LAST);

    expect(await stateAt(to.engine)).toEqual([{ a: 5 }, { b: 4 }, { c: 4 }, { ping: {} }]);
  },
);

test('each change is published once, and the events of later channels again after it', async () => {
  const to = await opened(seconds(1));
  await publish(to, kept('a', 1), kept('b', 1), LAST);
  to.engine.published.length = 0;

  await publish(to, kept('b', 2));
  await publish(to, kept('a', 2));

  expect(to.engine.published.map(({ channel, data }) => [channel, data])).toEqual([
    ['b', 2],
    ['ping', {}],
    ['a', 2],
    ['b', 2],
    ['ping', {}],
  ]);
});

test('events published within the same second are not published again for the order', async () => {
  const to = await opened(() => 1);
  await publish(to, kept('b', 1), LAST);

  await publish(to, kept('a', 1));

  expect(to.engine.published.map(({ channel }) => channel)).toEqual(['b', 'ping', 'a']);
  expect(await stateAt(to.engine)).toEqual([{ a: 1 }, { b: 1 }, { ping: {} }]);
});

test('news reaches connected clients, is not kept, and causes nothing to be published again', async () => {
  const to = await opened();
  await publish(to, kept('a', 1), LAST);
  const client = await openStream(to.engine.origin, STREAM);

  await publish(to, { event: 'news', data: 1, keep: false });
  await client.until((heard) => heard.some(({ event }) => event === 'news'));

  expect(to.engine.published.map(({ channel }) => channel)).toEqual(['a', 'ping', 'news']);
  expect(await stateAt(to.engine)).toEqual([{ a: 1 }, { ping: {} }]);
});

test('an event that is no longer kept is removed from the engine too', async () => {
  const to = await opened();
  await publish(to, kept('a', 1), kept('b', 1), LAST);

  await publish(to, { event: 'b', data: null, keep: false }, LAST);
  await publish(to, kept('a', 2), LAST);

  expect(await stateAt(to.engine)).toEqual([{ a: 2 }, { ping: {} }]);
});

test.each<[string, Behaviour]>([
  ['answers 500', { status: 500 }],
  ['answers 413', { status: 413 }],
  ['drops connections', 'drop'],
  ['never answers', 'hang'],
])(
  'an engine that %s gets only the newest of each event, and nothing older, once it works again',
  async (_what, how) => {
    const to = await opened(undefined, { ...QUICK, answer: how === 'hang' ? 200 : QUICK.answer });
    await publish(to, kept('a', 0), kept('b', 0), LAST);
    to.engine.published.length = 0;
    to.engine.behaviour = how;

    for (let n = 1; n <= 1_000; n++)
      to.publisher.send([kept('b', n), { event: 'news', data: n, keep: false }]);
    const { requests } = to.engine;
    await to.engine.until(() => to.engine.requests > requests + 2 || how === 'hang');
    await expect.poll(() => to.publisher.state.failed, { interval: 5, timeout: 10_000 }).toBeGreaterThan(0);
    expect(to.publisher.state.failure?.reason).toBeTruthy();
    to.engine.behaviour = 'work';
    await isDone(to.publisher);

    expect(to.publisher.state.failure).toBeUndefined();
    expect(to.engine.published.map(({ channel, data }) => [channel, data])).toEqual([
      ['a', 0],
      ['b', 1_000],
      ['ping', {}],
      ['news', 1_000],
    ]);
    const told = to.logged.map((line) => JSON.parse(line).msg);
    expect(told).toEqual(['the fan-out engine rejects events', 'the fan-out engine accepts events again']);
  },
);

test('an engine that restarts with empty memory gets the whole state', async () => {
  const to = await opened();
  await publish(to, kept('a', 1), kept('b', 1), LAST);
  await to.engine.stop();
  to.publisher.send([kept('b', 2)]);
  await expect.poll(() => to.publisher.state.failed, { interval: 5, timeout: 10_000 }).toBeGreaterThan(1);

  await to.engine.start();
  await isDone(to.publisher);

  expect(await stateAt(to.engine)).toEqual([{ a: 1 }, { b: 2 }, { ping: {} }]);
});

test('an engine that restarted while no events were sent gets the whole state', async () => {
  const to = await opened();
  await publish(to, kept('a', 1), kept('b', 1), LAST);

  to.engine.forget();
  await to.engine.until(() => to.engine.published.length === 6);

  expect(await stateAt(to.engine)).toEqual([{ a: 1 }, { b: 1 }, { ping: {} }]);
  expect(to.publisher.state.failed).toBe(0);
});

test('a slow engine gets one request at a time, and only the newest events', async () => {
  const to = await opened();
  await publish(to, kept('a', 0), LAST);
  to.engine.published.length = 0;
  to.engine.behaviour = { late: 20 };

  for (let n = 1; n <= 50; n++) to.publisher.send([kept('a', n)]);
  await isDone(to.publisher);

  expect(to.engine.published.length).toBeLessThan(6);
  expect(to.engine.mostAtOnce).toBe(1);
  expect(await stateAt(to.engine)).toEqual([{ a: 50 }, { ping: {} }]);
});

test('a change that arrives while a later event is being published keeps the order', async () => {
  const to = await opened();
  await publish(to, kept('a', 1), kept('b', 1), LAST);
  to.engine.behaviour = { late: 20 };
  const { requests } = to.engine;
  to.publisher.send([kept('b', 2)]);
  await to.engine.until(() => to.engine.requests > requests);

  to.publisher.send([kept('a', 2)]);
  await isDone(to.publisher);

  expect(await stateAt(to.engine)).toEqual([{ a: 2 }, { b: 2 }, { ping: {} }]);
});

test('the publisher asks the engine for its number of streams', async () => {
  const to = await opened();
  await publish(to, kept('a', 1), LAST);
  const clients = await Promise.all([1, 2, 3].map(() => openStream(to.engine.origin, STREAM)));

  await expect.poll(() => to.publisher.state.streams, { interval: 5, timeout: 10_000 }).toBe(3);
  for (const client of clients) client.close();
  await expect.poll(() => to.publisher.state.streams, { interval: 5, timeout: 10_000 }).toBe(0);
});

test('closing aborts a request that is never answered', async () => {
  const to = await opened(undefined, { ...QUICK, answer: 60_000 });
  to.engine.behaviour = 'hang';
  to.publisher.send([kept('a', 1)]);
  await to.engine.until(() => to.engine.requests > 0);

  await to.publisher.close();

  expect(to.publisher.state.failed).toBe(0);
});
