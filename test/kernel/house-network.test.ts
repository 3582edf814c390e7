// The service in the house network. 127.0.0.2 stands for an address of this machine there.
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '#kernel/config.ts';
import { listHouseAddresses, waysInWords } from '#kernel/house-network.ts';
import { setClubReader } from '#kernel/locale.ts';
import { type Message, say } from '#kernel/messages/messages.ts';
import { tempFolder } from '#test/support/process/process.ts';
import { openService } from '../../src/service.ts';

const HOUSE = '127.0.0.2';
const NOBODY = {
  LYRICS_API_URL: '',
  GENRE_API_URL: '',
  WEATHER_API_URL: '',
  SPORTS_API_URL: 'http://127.0.0.1:9',
};

type Interfaces = Parameters<typeof listHouseAddresses>[0];
const at = (address: string, internal = false) =>
  ({ address, internal, family: net.isIPv6(address) ? 'IPv6' : 'IPv4' }) as NonNullable<
    Interfaces[string]
  >[number];

/** A machine whose network a test changes. */
const machine = (...addresses: string[]) => ({
  network: { lo: [at('127.0.0.1', true)], wlan0: addresses.map((address) => at(address)) } as Interfaces,
});

async function start(folder: string, { network } = machine(HOUSE), env: Record<string, string> = {}) {
  const variables = {
    DATABASE_URL: `file:${path.join(folder, 'house.db')}`,
    LOG_LEVEL: 'silent',
    ...NOBODY,
    ...env,
  };
  const config = readConfig(variables, '', () => {});
  const here = { network };
  const service = await openService(config, { host: config.HOST, port: 0 }, new AbortController().signal, {
    interfaces: () => here.network,
  });
  if (!service) throw new Error('It did not start');
  const all = service;
  let isOpen = true;
  const stop = async () => {
    if (isOpen) await all[Symbol.asyncDispose]();
    isOpen = false;
    setClubReader({ language: 'en', locale: 'en-US' });
  };
  onTestFinished(stop);
  const { port } = new URL(all.address);
  return {
    ...all,
    here,
    stop,
    own: `http://127.0.0.1:${port}`,
    house: `http://${HOUSE}:${port}`,
    port: Number(port),
  };
}
type Running = Awaited<ReturnType<typeof start>>;

const isReached = (url: string) =>
  fetch(`${url}/health`).then(
    (answer) => answer.ok,
    () => false,
  );

/** Makes the first owner. @returns the headers of their requests from this computer */
async function setUp({ own, setUpCode = '' }: Running, more: object = {}) {
  const answer = await fetch(`${own}/set-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      code: setUpCode,
      name: 'Rosa',
      email: 'rosa@club.example',
      base_url: own,
      ...more,
    }),
  });
  expect(answer.status).toBe(200);
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
  return {
    cookie,
    accept: 'application/json',
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/json',
  };
}
type Owner = Record<string, string>;

const put = async ({ own }: Running, owner: Owner, settings: object) => {
  const answer = await fetch(`${own}/api/admin/settings`, {
    method: 'PUT',
    headers: owner,
    body: JSON.stringify(settings),
  });
  return { status: answer.status, json: await answer.json() };
};
const page = async (url: string, owner: Owner = {}) =>
  (await fetch(url, { headers: { ...owner, accept: 'text/html' } })).text();
const ingest = async (url: string) =>
  (
    await fetch(`${url}/api/now-playing/ingest`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"heartbeat":true}',
    })
  ).status;

test('nothing listens in the house before an owner lets it in, then everything does, and it can be shut out again', async () => {
  const service = await start(tempFolder());
  const { own, house } = service;
  const owner = await setUp(service);
  expect([await isReached(own), await isReached(house)]).toEqual([true, false]);
  const steps = await page(`${own}/admin/first-steps`, owner);
  expect(steps).toContain('action="/admin/settings/house-network"');
  expect(steps).toContain(`${own}/s`);

  expect((await put(service, owner, { house_network: true })).status).toBe(200);
  expect([await isReached(own), await isReached(house)]).toEqual([true, true]);
  const after = await page(`${own}/admin/first-steps`, owner);
  expect(after).not.toContain('action="/admin/settings/house-network"');
  expect(after).toContain(`${house}/s`);
  expect(await page(`${own}/admin/pub/screens?code=`, owner)).toContain(`${house.slice('http://'.length)}/s`);
  expect(await page(`${own}/admin/settings/music`, owner)).toContain(`${house}/api/listenbrainz`);
  expect(await page(`${own}/s`)).toContain(`${house.slice('http://'.length)}/admin/pub/screens`);

  const stream = await fetch(`${house}/api/now-playing/stream`);
  const reader = stream.body!.getReader();
  expect((await reader.read()).done).toBe(false);
  const socket = new WebSocket(`${house.replace('http', 'ws')}/api/now-playing/controls`);
  const [first] = await Promise.race([once(socket, 'message'), once(socket, 'error')]);
  expect(first.type).toBe('message');

  expect((await put(service, owner, { house_network: false })).status).toBe(200);
  // Streams of the house end, too.
  const ended = async () => {
    while (!(await reader.read()).done);
  };
  await Promise.all([
    ended().catch(() => {}),
    socket.readyState === WebSocket.CLOSED || once(socket, 'close'),
  ]);
  expect([await isReached(own), await isReached(house)]).toEqual([true, false]);
  expect(await page(`${own}/admin/first-steps`, owner)).toContain(`${own}/s`);
});

test('once the house is let in, what was open to this computer alone is closed, and stays so after a restart', async () => {
  const folder = tempFolder();
  const env = { LOCAL_BYPASS: 'on' };
  const before = await start(folder, machine(HOUSE), env);
  const owner = await setUp(before);
  const edge = { 'edge-access-authenticated-user-email': 'eve@club.example', accept: 'application/json' };
  const status = async (url: string, headers: Record<string, string> = {}) =>
    (await fetch(url, { headers: { accept: 'application/json', ...headers } })).status;
  expect(await ingest(before.own)).toBe(200);
  expect(await status(`${before.own}/admin`)).toBe(200);

  await put(before, owner, { house_network: true });
  for (const service of [before, undefined]) {
    if (service === undefined) await before.stop();
    const running = service ?? (await start(folder, machine(HOUSE), env));
    const { own, house } = running;
    expect(await isReached(house)).toBe(true);
    for (const url of [own, house]) {
      expect(await ingest(url)).toBe(401);
      expect(await status(`${url}/admin`)).toBe(401);
      expect(await status(`${url}/admin`, edge)).toBe(401);
    }
    // Limits count the peer, whatever it says about others.
    const limits = await Promise.all(
      Array.from({ length: 6 }, async (_, at) =>
        fetch(`${house}/api/listenbrainz/1/validate-token`, {
          headers: { 'x-forwarded-for': `203.0.113.${at}` },
        }).then((answer) => answer.headers.get('x-ratelimit-remaining')),
      ),
    );
    expect(new Set(limits).size).toBe(6);
  }
});

test('an address that somebody set is kept, and one that the router changes is followed', async () => {
  const service = await start(tempFolder(), machine(HOUSE, '127.0.0.3'));
  const owner = await setUp(service);
  const { port } = service;
  await put(service, owner, { house_network: true });
  const steps = () => page(`${service.own}/admin/first-steps`, owner);
  expect(await steps()).toContain(`${service.house}/s`);
  expect(await isReached(`http://127.0.0.3:${port}`)).toBe(true);

  service.here.network = machine('127.0.0.4').network;
  // What the job does every 15 seconds, any change of settings does as well.
  await put(service, owner, { about: 'A pub' });
  expect(await steps()).toContain(`http://127.0.0.4:${port}/s`);
  expect(await isReached(`http://127.0.0.4:${port}`)).toBe(true);

  await put(service, owner, { base_url: 'http://pub.example' });
  expect(await steps()).toContain('http://pub.example/s');
});

test('a port that another program has at that address is said, and taken once it is free', async () => {
  const service = await start(tempFolder());
  const owner = await setUp(service);
  const other = net.createServer().listen(service.port, HOUSE);
  await once(other, 'listening');
  onTestFinished(() => void other.close());

  expect((await put(service, owner, { house_network: true })).status).toBe(200);
  const settings = await page(`${service.own}/admin/settings/address`, owner);
  expect(settings).toContain(`Another program uses port ${service.port} at ${HOUSE}`);
  other.close();
  await once(other, 'close');
  await put(service, owner, { about: 'A pub' });
  expect(await isReached(service.house)).toBe(true);
});

test('HOST decides over the switch', async () => {
  const service = await start(tempFolder(), machine(HOUSE), { HOST: '127.0.0.1' });
  const owner = await setUp(service);
  expect((await put(service, owner, { house_network: true })).status).toBe(409);
  expect(await isReached(service.house)).toBe(false);
  expect(await page(`${service.own}/admin/settings/address`, owner)).toContain('HOST is 127.0.0.1');
  expect(await page(`${service.own}/admin/first-steps`, owner)).not.toContain(
    'action="/admin/settings/house-network"',
  );
});

test('a key that others could guess keeps the house out', async () => {
  const service = await start(tempFolder(), machine(HOUSE), { ADMIN_API_KEY: 'short' });
  const owner = await setUp(service);
  const { status, json } = await put(service, owner, { house_network: true });
  expect([status, json.error]).toEqual([409, expect.stringContaining('ADMIN_API_KEY')]);
  expect(await isReached(service.house)).toBe(false);
});

test('other pages of the Internet get nothing by a name that leads to the house', async () => {
  const service = await start(tempFolder());
  const owner = await setUp(service);
  await put(service, owner, { house_network: true });
  const answer = await fetch(`${service.house}/api/admin/settings`, {
    headers: {
      ...owner,
      host: 'evil.example',
      origin: 'http://evil.example',
      'sec-fetch-site': 'cross-site',
    },
    method: 'PUT',
    body: '{"about":"Evil"}',
  });
  expect(answer.status).toBe(403);
});

test.each<[name: string, network: Record<string, string[]>, listed: string[]]>([
  [
    'private addresses come alone and IPv4 first',
    { eth0: ['2001:db8::1', 'fd00::5', '192.168.1.4', '198.51.100.7'] },
    ['192.168.1.4', 'fd00::5'],
  ],
  ['of one link alone is no address of the house', { eth0: ['fe80::1', '10.0.0.2'] }, ['10.0.0.2']],
  [
    'virtual machines come last',
    { docker0: ['172.17.0.1'], wlan0: ['192.168.178.20'] },
    ['192.168.178.20', '172.17.0.1'],
  ],
  [
    'without private ones the others count',
    { eth0: ['2001:db8::1', '198.51.100.7'] },
    ['198.51.100.7', '2001:db8::1'],
  ],
  ['without a network there are none', {}, []],
])('%s', (_, network, listed) => {
  const interfaces = Object.fromEntries(
    Object.entries(network).map(([name, all]) => [name, all.map((one) => at(one))]),
  );
  expect(
    listHouseAddresses({ lo: [at('127.0.0.1', true)], ...interfaces }).map(({ address }) => address),
  ).toEqual(listed);
});

test('a terminal is told which addresses other devices use, or could', () => {
  const way = (url: string, isOpen: boolean, failed?: Message) => ({ url, isOpen, failed });
  const unset = { HOST: '127.0.0.1', given: new Set<string>() };
  const [a, b] = ['http://192.168.1.4:3000', 'http://10.0.0.2:3000'];
  expect(waysInWords(unset, [way(a, true), way(b, true)])).toEqual([
    `Other devices in this house open ${a} or ${b}`,
  ]);
  expect(waysInWords(unset, [way(a, false)])[0]).toContain(`they then open ${a}`);
  expect(waysInWords(unset, [])).toEqual([]);
  expect(waysInWords({ HOST: '0.0.0.0', given: new Set(['HOST']) }, [way(a, false)])[0]).toContain(a);
  expect(waysInWords({ HOST: '127.0.0.1', given: new Set(['HOST']) }, [way(a, false)])).toEqual([]);
  expect(
    waysInWords(unset, [way(a, false, say('port_taken', { address: '10.0.0.2', port: '3000' }))])[0],
  ).toContain('Another program uses port 3000');
});
