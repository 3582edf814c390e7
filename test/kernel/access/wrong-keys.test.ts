import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { errorJson } from '#test/support/messages.ts';

const KEYS = {
  ADMIN_API_KEY: 'the key of the officers',
  PUB_ADMIN_TOKEN: 'the token of the pub',
  NOW_PLAYING_INGEST_TOKEN: 'the token of the device',
};
const ROUTES = {
  ADMIN_API_KEY: '/admin/elections',
  PUB_ADMIN_TOKEN: '/api/admin/roles',
  NOW_PLAYING_INGEST_TOKEN: '/api/dmx/desired',
};
const OPENS = {
  ADMIN_API_KEY: 'elections, ballot papers and meetings',
  PUB_ADMIN_TOKEN: 'the pub and the calendar, but no people, content or settings',
  NOW_PLAYING_INGEST_TOKEN: 'the routes of music players and of the capture device',
};
type Name = keyof typeof KEYS;
const NAMES = Object.keys(KEYS) as Name[];

const production = (env: Record<string, string> = {}) =>
  testApp({ NODE_ENV: 'production', TRUSTED_PROXIES: '127.0.0.1', ...KEYS, ...env });

function send(service: TestApp, name: Name, key: string | undefined, client = '198.51.100.1') {
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return service.get(ROUTES[name], { host: 'club.example', 'x-forwarded-for': client, ...authorization });
}

async function statuses(count: number, ask: () => ReturnType<typeof send>): Promise<number[]> {
  const met: number[] = [];
  for (let time = 0; time < count; time++) met.push((await ask()).statusCode);
  return met;
}

/** Returns the audit entries about refused keys, oldest first. */
async function refusals(service: TestApp) {
  const headers = { host: 'club.example', authorization: `Bearer ${KEYS.ADMIN_API_KEY}` };
  const { logs } = (await service.get('/admin/audit-logs?limit=200&action=access.refused', headers)).json();
  return (logs as { ip_address: string; metadata: string }[]).toReversed();
}

describe.each(NAMES)('a wrong %s', (name) => {
  it('gets 429 after five attempts a minute by one client, until the minute is over', async () => {
    await using service = await production();
    const guess = () => send(service, name, 'a wrong guess');

    const first = await statuses(5, guess);
    service.clock.now += 20 * SECOND;
    const limited = await guess();
    const other = await send(service, name, 'a wrong guess', '198.51.100.2');
    const right = await send(service, name, KEYS[name]);
    const without = await send(service, name, undefined);
    service.clock.now += 40 * SECOND;
    const later = await guess();

    expect(first).toEqual([401, 401, 401, 401, 401]);
    expect(limited.statusCode).toBe(429);
    expect(limited.json()).toEqual({ ...errorJson('rate_limit_exceeded'), retryAfter: 40 });
    expect(limited.headers['retry-after']).toBe('40');
    const others = [other, right, without, later].map(({ statusCode }) => statusCode);
    expect(others).toEqual([401, 200, 401, 401]);
  });

  it('is audited once per client and minute, without the key', async () => {
    await using service = await production();

    await statuses(7, () => send(service, name, 'a wrong guess'));
    await send(service, name, 'another guess', '198.51.100.2');
    service.clock.now += MINUTE;
    await send(service, name, 'a wrong guess');
    const entries = await refusals(service);

    expect(entries.map(({ ip_address }) => ip_address)).toEqual([
      '198.51.100.1',
      '198.51.100.2',
      '198.51.100.1',
    ]);
    for (const { metadata } of entries)
      expect(JSON.parse(metadata)).toEqual({ key: name, route: `GET ${ROUTES[name]}` });
    expect(service.logged.join()).not.toContain('wrong guess');
  });
});

it('a wrong key is counted together with all other wrong keys of the client', async () => {
  await using service = await production();

  const met = [];
  for (const name of [...NAMES, ...NAMES]) met.push((await send(service, name, 'x')).statusCode);

  expect(met).toEqual([401, 401, 401, 401, 401, 429]);
});

it('a wrong key is counted in the header X-Admin-Token, and with an identity without a role', async () => {
  await using service = await testApp(KEYS);
  const eve = { 'x-admin-token': 'x', 'edge-access-authenticated-user-email': 'eve@club.example' };

  const met = await statuses(6, () => service.get('/api/admin/roles', eve));

  expect(met).toEqual([403, 403, 403, 403, 403, 429]);
});

it('a wrong key is not counted where the local bypass applies, and neither is a request without a key', async () => {
  await using service = await testApp(KEYS);

  const locally = await statuses(8, () => service.get('/admin/elections', { authorization: 'Bearer x' }));
  const keyless = await statuses(8, () => service.get('/admin/elections', { host: 'club.example' }));

  expect([...locally, ...keyless]).toEqual([...locally.map(() => 200), ...keyless.map(() => 401)]);
  expect(await refusals(service)).toEqual([]);
});

it('wrong keys from many addresses cannot fill the audit log', async () => {
  await using service = await production();

  for (let client = 0; client < 50; client++)
    await send(service, 'ADMIN_API_KEY', 'x', `198.51.100.${client}`);

  expect(await refusals(service)).toHaveLength(20);
});

describe.each(NAMES)('a right %s', (name) => {
  it.each(['authorization', 'x-admin-token', 'token'] as const)(
    'by %s at routes that it does not open is told what it opens, and is never a wrong one',
    async (by) => {
      await using service = await production();
      const sent = {
        authorization: { authorization: `Bearer ${KEYS[name]}` },
        'x-admin-token': { 'x-admin-token': KEYS[name] },
        token: { authorization: `Token ${KEYS[name]}` },
      }[by];
      const others = NAMES.filter((other) => other !== name).map((other) => ROUTES[other]);
      const urls = name === 'PUB_ADMIN_TOKEN' ? ['/admin/elections'] : [...others, '/api/admin/settings'];
      for (const url of urls)
        for (let times = 0; times < 4; times++) {
          const answer = await service.get(url, { host: 'club.example', ...sent });
          expect([url, answer.statusCode]).toEqual([url, 403]);
          expect(answer.json().message).toContain(OPENS[name]);
        }
      expect((await send(service, name, KEYS[name])).statusCode).toBe(200);
      expect(await refusals(service)).toEqual([]);
    },
  );
});

it('a right PUB_ADMIN_TOKEN on a route of the staff that it does not open is no wrong key', async () => {
  await using service = await production();
  const headers = { host: 'club.example', 'x-admin-token': KEYS.PUB_ADMIN_TOKEN };
  for (const url of ['/api/admin/people', '/api/admin/settings'])
    for (let times = 0; times < 4; times++)
      expect([403, 404]).toContain((await service.get(url, headers)).statusCode);

  expect((await service.get(ROUTES.PUB_ADMIN_TOKEN, headers)).statusCode).toBe(200);
  expect(await refusals(service)).toEqual([]);
});

it.each([
  ['production', 'short', 1],
  ['production', 'nineteen characters', 1],
  ['production', 'a token of twenty ch', 0],
  ['development', 'short', 0],
])(
  'in %s the NOW_PLAYING_INGEST_TOKEN “%s” is told %i times at the start',
  async (NODE_ENV, token, lines) => {
    await using service = await testApp({ NODE_ENV, NOW_PLAYING_INGEST_TOKEN: token });

    expect(service.logged.filter((line) => line.includes('NOW_PLAYING_INGEST_TOKEN has fewer'))).toHaveLength(
      lines,
    );
    expect(service.logged.join()).not.toContain(`"${token}"`);
  },
);
