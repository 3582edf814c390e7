import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { changeSettings } from '#content/club-settings.ts';
import { HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { storeState } from '#pub/plays/scrobble-queue.ts';
import { scrobbleSender } from '#pub/plays/scrobble-sender.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { listen, playing, type Song, single, submit, TOKEN } from './players.ts';

const STAFF = { 'x-admin-token': 'a token for the staff' };
const DROP: Song = { artist: 'Toots', title: 'Pressure Drop', album: 'Funky Kingston', length: 200 };
const SUN: Song = { artist: 'Nina Simone', title: 'Here Comes the Sun', length: 215 };

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** The account that songs are forwarded to. */
async function startAccount() {
  const server = http.createServer(async (request, response) => {
    let body = '';
    for await (const bytes of request) body += bytes;
    const document = JSON.parse(body);
    account.requests.push({ url: request.url, headers: request.headers, ...document });
    const { status, headers, body: answer = '{"status":"ok"}' } = account.answer(document.listen_type);
    response.writeHead(status, headers).end(answer);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const account = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`,
    requests: [] as Sent[],
    answer: (_type: string): Answer => ({ status: 200 }),
    songs: () => account.of('single').map(({ track_metadata }) => track_metadata.track_name),
    of: (type: string) =>
      account.requests.filter(({ listen_type }) => listen_type === type).map(({ payload }) => payload[0]!),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return account;
}

interface Sent {
  url: string | undefined;
  headers: http.IncomingHttpHeaders;
  listen_type: string;
  payload: { listened_at?: number; track_metadata: { track_name: string } }[];
}

type Account = Awaited<ReturnType<typeof startAccount>>;

const open = (account: Account, env: Record<string, string> = {}) =>
  testApp({
    NOW_PLAYING_INGEST_TOKEN: TOKEN,
    PUB_ADMIN_TOKEN: STAFF['x-admin-token'],
    SCROBBLE_URL: account.url,
    SCROBBLE_TOKEN: 'the-token-of-the-account',
    ...env,
  });
const heard = ({ post }: TestApp, body: object) =>
  post('/api/now-playing/ingest', body, { authorization: `Bearer ${TOKEN}` });
const room = async (service: TestApp) => (await service.get('/api/admin/pub', STAFF)).json();

/** Moves the clock in steps, and runs the job after each. */
async function pass(service: TestApp, job: () => Promise<void>, ms: number, step = 10 * SECOND) {
  for (const end = service.clock.now + ms; service.clock.now < end; ) {
    service.clock.now = Math.min(end, service.clock.now + step);
    await job();
  }
}

test('a song is forwarded once after half of its length, and as now playing at once', async () => {
  await using account = await startAccount();
  await using service = await open(account);
  const job = scrobbleSender(service.ctx);
  const began = service.clock.now;
  await submit(service, playing(DROP));
  await job();
  expect(account.of('playing_now')).toMatchObject([{ track_metadata: { track_name: 'Pressure Drop' } }]);
  expect(account.of('playing_now')[0]).not.toHaveProperty('listened_at');

  await pass(service, job, 90 * SECOND);
  expect(account.songs()).toEqual([]);
  await pass(service, job, 10 * SECOND);
  await submit(service, single(DROP, began));
  await pass(service, job, HOUR, MINUTE);
  await submit(service, single(DROP, began));
  await pass(service, scrobbleSender(service.ctx), MINUTE);

  expect(account.of('single')).toEqual([
    {
      listened_at: Math.floor(began / 1000),
      track_metadata: {
        artist_name: 'Toots',
        track_name: 'Pressure Drop',
        release_name: 'Funky Kingston',
        additional_info: {
          submission_client: 'Public House',
          submission_client_version: service.ctx.version,
          duration_ms: 200_000,
        },
      },
    },
  ]);
  expect(account.of('playing_now')).toHaveLength(1);
  const [{ url, headers } = {} as Sent] = account.requests;
  expect(url).toBe('/base/1/submit-listens');
  expect(headers).toMatchObject({
    authorization: 'Token the-token-of-the-account',
    'content-type': 'application/json',
    'user-agent': expect.stringContaining('PublicHouse/'),
  });
});

test('a song without a length is forwarded after 4 minutes, or if the next one shows it was long enough', async () => {
  await using account = await startAccount();
  await using service = await open(account);
  const job = scrobbleSender(service.ctx);
  const title = (title: string) => heard(service, { artist: 'The Band', title, isrc: 'USRC17607839' });
  await title('Four minutes');
  await pass(service, job, 4 * MINUTE);
  expect(account.songs()).toEqual(['Four minutes']);
  await title('Skipped');
  await pass(service, job, MINUTE);
  await title('Three minutes');
  await pass(service, job, 3 * MINUTE);
  await heard(service, { silent: true });
  await pass(service, job, HOUR, MINUTE);

  expect(account.songs()).toEqual(['Four minutes', 'Three minutes']);
  expect(account.of('single')[0]).toMatchObject({
    track_metadata: { additional_info: { isrc: 'USRC17607839' } },
  });
});

test('imports, hidden songs and the sound of films are not forwarded', async () => {
  await using account = await startAccount();
  await using service = await open(account, { NOW_SHOWING_ENABLED: 'on', SCREENINGS_ENABLED: 'on' });
  const job = scrobbleSender(service.ctx);
  await submit(service, { listen_type: 'import', payload: [listen(DROP, service.clock.now - HOUR)] });
  const { id } = (await heard(service, { artist: 'A', title: 'Hidden later' })).json();
  await pass(service, job, MINUTE);
  await service.post(`/api/admin/plays/${id}`, { hidden: true }, STAFF);
  await pass(service, job, 5 * MINUTE);
  await service.post('/api/admin/now-showing', { mode: 'movie', label: 'Heat' }, STAFF);
  await heard(service, { artist: 'A', title: 'In the film' });
  await pass(service, job, 20 * MINUTE, MINUTE);
  await service.post('/api/admin/now-showing', { mode: 'off' }, STAFF);
  await submit(service, single(SUN, service.clock.now - HOUR));
  await job();

  expect(account.songs()).toEqual(['Here Comes the Sun']);
  expect(account.of('playing_now')).toHaveLength(1);
  expect((await room(service)).scrobbling).toEqual({ waiting: 0, error: null, stopped: false, nextAt: null });
});

test('a song that cannot be sent is retried with growing delays, also after a restart', async () => {
  await using account = await startAccount();
  await using service = await open(account);
  let job = scrobbleSender(service.ctx);
  account.answer = () => ({ status: 502 });
  await submit(service, single(DROP, service.clock.now - HOUR));
  const tries: number[] = [];
  for (let second = 0; second < 80; second += 1) {
    const before = account.of('single').length;
    await job();
    if (account.of('single').length > before) tries.push(second);
    service.clock.now += SECOND;
    if (second === 40) job = scrobbleSender(service.ctx);
  }
  expect(tries).toEqual([0, 5, 15, 35, 75]);
  expect((await room(service)).scrobbling).toMatchObject({
    waiting: 1,
    error: expect.stringContaining('status 502'),
    stopped: false,
  });

  account.answer = () => ({ status: 429, headers: { 'x-ratelimit-reset-in': '300' } });
  await pass(service, job, 2 * MINUTE);
  account.answer = () => ({ status: 200 });
  await pass(service, job, 4 * MINUTE);
  expect((await room(service)).scrobbling.waiting).toBe(1);
  await pass(service, job, 2 * MINUTE);
  expect((await room(service)).scrobbling).toEqual({ waiting: 0, error: null, stopped: false, nextAt: null });
});

test('a refused token stops forwarding until the service restarts, and staff are told', async () => {
  await using account = await startAccount();
  await using service = await open(account);
  const job = scrobbleSender(service.ctx);
  account.answer = () => ({ status: 401, body: '{"code":401,"error":"Invalid authorization token."}' });
  await submit(service, single(DROP, service.clock.now - HOUR));
  await pass(service, job, 3 * HOUR, MINUTE);
  await submit(service, playing(SUN));
  await job();

  expect(account.requests).toHaveLength(1);
  const page = (await service.get('/admin/pub/room', { accept: 'text/html', ...STAFF })).body;
  expect(page).toContain('Songs are not sent on any more: the token was refused.');
  expect(page).toContain('Stopped, 2 songs wait: status 401: Invalid authorization token.');
  expect(page).not.toContain('the-token-of-the-account');
  account.answer = () => ({ status: 200 });
  await scrobbleSender(service.ctx)();
  expect(account.songs()).toContain('Pressure Drop');
  expect((await room(service)).scrobbling.stopped).toBe(false);
});

test('a song that the account refuses does not block the next one', async () => {
  await using account = await startAccount();
  await using service = await open(account);
  account.answer = () => ({ status: account.of('single').length === 1 ? 400 : 200 });
  await submit(service, single(DROP, service.clock.now - HOUR));
  await submit(service, single(SUN, service.clock.now - HOUR / 2));
  await scrobbleSender(service.ctx)();
  await scrobbleSender(service.ctx)();

  expect(account.songs()).toEqual(['Pressure Drop', 'Here Comes the Sun']);
});

test.each<[name: string, answer: Answer]>([
  ['204 without a body', { status: 204, body: '' }],
  ['201', { status: 201 }],
  ['a text', { status: 200, body: 'OK' }],
  ['an empty body', { status: 200, body: '' }],
])('a song is sent once where the answer is %s', async (_name, answer) => {
  await using account = await startAccount();
  await using service = await open(account);
  const job = scrobbleSender(service.ctx);
  account.answer = () => answer;
  await submit(service, single(DROP, service.clock.now - HOUR));
  await submit(service, single(SUN, service.clock.now - HOUR / 2));
  await pass(service, job, 10 * MINUTE);

  expect(account.songs()).toEqual(['Pressure Drop', 'Here Comes the Sun']);
  expect((await room(service)).scrobbling).toMatchObject({ waiting: 0, error: null });
});

test('a song without a clear answer holds up no other, and is given up after three tries', async () => {
  await using account = await startAccount();
  await using service = await open(account);
  const job = scrobbleSender(service.ctx);
  account.answer = () => ({ status: account.songs().at(-1) === 'Pressure Drop' ? 500 : 200 });
  await submit(service, single(DROP, service.clock.now - HOUR));
  for (let song = 0; song < 4; song += 1) {
    const others = { ...SUN, title: `Song ${song}` };
    await submit(service, single(others, service.clock.now - HOUR / 2 + song * 5 * MINUTE));
    await pass(service, job, 5 * MINUTE, SECOND * 10);
  }

  const sent = account.songs();
  expect(sent.filter((title) => title === 'Pressure Drop')).toHaveLength(3);
  for (let song = 0; song < 4; song += 1)
    expect(sent.filter((title) => title === `Song ${song}`)).toHaveLength(1);
  expect((await room(service)).scrobbling).toMatchObject({ waiting: 0 });
});

test('the login page of a network is no success', async () => {
  await using account = await startAccount();
  await using service = await open(account);
  account.answer = () => ({ status: 200, body: '<html>Welcome to the wifi</html>' });
  await submit(service, single(DROP, service.clock.now - HOUR));
  await scrobbleSender(service.ctx)();

  expect((await room(service)).scrobbling.waiting).toBe(1);
});

test('after a crash between sending and marking, the same song is sent again with the same time', async () => {
  await using account = await startAccount();
  await using service = await open(account);
  await submit(service, single(DROP, service.clock.now - HOUR));
  await scrobbleSender(service.ctx)();
  // The state after a kill before the commit.
  await service.ctx.write((tx) => tx.run(build.updateTable('scrobbles').set({ sent_at: null })));
  await scrobbleSender(service.ctx)();

  const [first, second] = account.of('single');
  expect(second).toEqual(first);
});

test('after a restart the playing song is reported again only while it still plays', async () => {
  await using account = await startAccount();
  await using service = await open(account);
  await submit(service, playing(DROP));
  await scrobbleSender(service.ctx)();
  service.clock.now += 199 * SECOND;
  await scrobbleSender(service.ctx)();
  expect(account.of('playing_now')).toHaveLength(2);
  service.clock.now += SECOND;
  await scrobbleSender(service.ctx)();

  expect(account.of('playing_now')).toHaveLength(2);
});

test('one house can forward to another', async () => {
  await using other = await testApp({ NOW_PLAYING_INGEST_TOKEN: 'token-of-the-other' });
  await other.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = other.app.server.address() as AddressInfo;
  await using account = await startAccount();
  await using service = await open(account, {
    SCROBBLE_URL: `http://127.0.0.1:${port}/api/listenbrainz`,
    SCROBBLE_TOKEN: 'token-of-the-other',
  });
  const job = scrobbleSender(service.ctx);
  const isrc = 'USRC17607839';
  await heard(service, { artist: 'Toots', title: 'Pressure Drop', isrc, duration_ms: 200_000 });
  await job();
  const current = async () => (await other.get('/api/now-playing/snapshot')).json().track;
  expect(await current()).toMatchObject({ title: 'Pressure Drop', isrc, durationMs: 200_000 });
  service.clock.now += 100 * SECOND;
  other.clock.now += 103 * SECOND;
  await job();

  expect((await room(service)).scrobbling.waiting).toBe(0);
  expect(other.ctx.db.all(build.selectFrom('plays').select('title'))).toEqual([{ title: 'Pressure Drop' }]);
});

test('by default nothing is sent or stored for sending', async () => {
  await using account = await startAccount();
  await using service = await open(account, { SCROBBLE_URL: '' });
  await submit(service, single(DROP, service.clock.now - HOUR));
  await scrobbleSender(service.ctx)();

  expect(account.requests).toEqual([]);
  expect(service.ctx.db.all(build.selectFrom('scrobbles').selectAll())).toEqual([]);
  expect((await room(service)).scrobbling).toBeNull();
});

test('an account of the settings is sent to at once, and another token continues after a refused one', async () => {
  await using account = await startAccount();
  await using service = await open(account, { SCROBBLE_URL: '', SCROBBLE_TOKEN: '' });
  const job = scrobbleSender(service.ctx);
  const actor = { ip: 'service', at: service.clock.now };
  await submit(service, playing(DROP));
  await pass(service, job, MINUTE);
  expect(account.requests).toEqual([]);

  const token = 'the-first-token-of-settings';
  await changeSettings(service.ctx, { 'scrobble.url': account.url, 'scrobble.token': token }, actor);
  await submit(service, playing({ ...DROP, title: 'Sweet and Dandy' }));
  await job();
  expect(account.requests.at(-1)?.headers.authorization).toBe(`Token ${token}`);

  await service.ctx.write((tx) => storeState(tx, { failures: 1, next_at: 0, error: 'refused', stopped: 1 }));
  const before = account.requests.length;
  await pass(service, job, 10 * MINUTE, MINUTE);
  expect(account.requests).toHaveLength(before);
  await changeSettings(service.ctx, { 'scrobble.token': 'the-second-token-of-settings' }, actor);
  await pass(service, job, MINUTE);
  expect(account.requests.at(-1)?.headers.authorization).toBe('Token the-second-token-of-settings');
});
