// Strangers with many addresses: all of one IPv6 /64 behind a trusted proxy, and tables that they fill.
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { STREAMS_PER_CLIENT } from './addresses.ts';
import { type Attack, count, type Outcome, statuses, unless } from './attack.ts';
import { type Answer, ask, each } from './request.ts';
import { BY_TOKEN } from './seed.ts';
import type { Target } from './target.ts';

const hex = (bytes: number) => randomBytes(bytes).toString('hex');

/** A network of its own for each attack: 2001:db8:x:y::/64. */
const newNetwork = () => `2001:db8:${hex(2)}:${hex(2)}`;

/** A random address of it, in one of the spellings of a proxy. */
function addressIn(network: string, at: number): string {
  const address = `${network}:${hex(2)}:${hex(2)}:${hex(2)}:${hex(2)}`;
  return [address, address.toUpperCase(), `[${address}]:${1_024 + at}`, `[${address}]`][at % 4]!;
}

/** Asks the service as its trusted proxy does, which names the client. */
const askAs = (target: Target, client: string, path: string, sent: { method?: string; body?: object } = {}) =>
  ask(target.service.url, path, { ...sent, from: '127.0.0.1', headers: { 'x-forwarded-for': client } });

/** Each kind of request with a limit per client, and how many of 150 a minute it allows, if the minute changes once. */
const KINDS: [what: string, atMost: number, send: (target: Target, client: string) => Promise<Answer>][] = [
  [
    'sign-in requests',
    60,
    (target, client) =>
      askAs(target, client, '/sign-in', { method: 'POST', body: { email: 'nobody@mailbox.example' } }),
  ],
  [
    'passkey options',
    60,
    (target, client) => askAs(target, client, '/sign-in/passkey/options', { method: 'POST', body: {} }),
  ],
  [
    'wrong keys',
    10,
    (target, client) =>
      ask(target.service.url, '/admin/elections', {
        from: '127.0.0.1',
        headers: { 'x-forwarded-for': client, authorization: `Bearer guess-${client}` },
      }),
  ],
  [
    'heartbeats',
    240,
    (target, client) =>
      askAs(target, client, '/api/screens/heartbeat', { method: 'POST', body: beat(client) }),
  ],
];
const SENT = 300;

const beat = (screen: string) => ({
  screen: screen.slice(-38),
  page: 'tv',
  version: 'x',
  uptime_s: 1,
  viewport: '1x1',
});

async function useOneNetwork(target: Target): Promise<Outcome> {
  const results = await each(
    KINDS,
    async ([what, atMost, send]) => {
      const network = newNetwork();
      const answers = await each(
        Array.from({ length: SENT }),
        (_, at) => send(target, addressIn(network, at)),
        8,
      );
      const other = await send(target, `${newNetwork()}::1`);
      const passed = SENT - count(answers, 429);
      return {
        saw: `${what} ${statuses(answers)}`,
        wrong: [
          ...unless(passed <= atMost, `${passed} ${what} of one network passed`),
          ...unless(other.status !== 429, `another network is refused ${what}`),
        ],
      };
    },
    1,
  );
  return { saw: results.map(({ saw }) => saw).join('; '), wrong: results.flatMap(({ wrong }) => wrong) };
}

/** Opens a stream of the current track, of a named screen if `query` says so. */
function openStream(
  { service }: Target,
  client: string,
  query = '',
): Promise<{ status: number; close(): void }> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve) => {
    const request = http.get({
      hostname,
      port,
      path: `/api/now-playing/current${query}`,
      headers: { host: 'club.example', 'x-forwarded-for': client },
      agent: false,
    });
    const close = () => void request.destroy();
    request.on('response', (response) => {
      response.on('error', () => undefined).resume();
      resolve({ status: response.statusCode ?? 0, close });
    });
    request.on('error', () => resolve({ status: 0, close }));
  });
}

/**
 * Takes all streams of a network that a named screen shares; its own places stay. Its row outlives strangers'
 * screens.
 */
async function displaceScreen(target: Target): Promise<Outcome> {
  const pub = newNetwork();
  const name = `bar left ${hex(3)}`;
  const heartbeat = (screen: string, client: string) =>
    askAs(target, client, '/api/screens/heartbeat', { method: 'POST', body: { ...beat(''), screen } });
  const listed = async () => {
    const { body } = await target.ask('/api/admin/screens', { headers: BY_TOKEN });
    return (JSON.parse(body) as { screens: { id: string; screen: string; name: string; revision: number }[] })
      .screens;
  };
  await heartbeat(name, `${pub}::1`);
  const own = (await listed()).find(({ screen }) => screen === name);
  const renamed = await target.ask(`/api/admin/screens/${own?.id}`, {
    method: 'PATCH',
    headers: BY_TOKEN,
    body: { revision: own?.revision, name: 'Bar, left' },
  });

  const strangers = await each(Array.from({ length: 500 }), (_, at) =>
    heartbeat(`stranger ${at} ${hex(4)}`, `${newNetwork()}::1`),
  );
  const streams = await each(
    Array.from({ length: 3 * STREAMS_PER_CLIENT }),
    (_, at) => openStream(target, addressIn(pub, at)),
    8,
  );
  const query = `?screen=${encodeURIComponent(name)}&page=tv`;
  const kept = await openStream(target, `${pub}::1`, query);
  for (const { close } of [...streams, kept]) close();
  const open = streams.filter(({ status }) => status === 200).length;
  const screens = await listed();
  const unnamed = screens.length - screens.filter(({ name, screen }) => name !== screen).length;
  return {
    saw: `heartbeats of 500 strangers (${statuses(strangers)}) left ${unnamed} unnamed screens; ${open} of ${streams.length} streams of a network; the named screen ${kept.status}`,
    wrong: [
      ...unless(renamed.status === 200, `the screen was not named: ${renamed.status}`),
      ...unless(unnamed <= 200, `${unnamed} screens of strangers are stored`),
      ...unless(
        screens.some(({ name }) => name === 'Bar, left'),
        'the named screen was displaced',
      ),
      ...unless(open <= STREAMS_PER_CLIENT, `${open} streams of one network are open`),
      ...unless(kept.status === 200, 'the named screen gets no stream'),
    ],
  };
}

/** One browser asks for codes and passkeys again and again: what is stored of it stays small. */
async function fillFromOneBrowser(target: Target): Promise<Outcome> {
  const stored = () => {
    const [row] = target.query<{ asks: number; challenges: number }>(
      'SELECT (SELECT count(*) FROM sign_ins) AS asks, (SELECT count(*) FROM passkey_challenges) AS challenges',
    );
    return row!;
  };
  const before = stored();
  const cookie = `__Host-publichouse-ask=${randomBytes(32).toString('base64url')}`;
  const post = (path: string, body: object) =>
    ask(target.service.url, path, {
      method: 'POST',
      body,
      from: '127.0.0.1',
      headers: { cookie, 'x-forwarded-for': `${newNetwork()}::1` },
    });
  const asks = await each(Array.from({ length: 100 }), (_, at) =>
    post('/sign-in', { email: `nobody${at}@mailbox.example` }),
  );
  const options = await each(Array.from({ length: 100 }), () => post('/sign-in/passkey/options', {}));
  const after = stored();
  const grown = [after.asks - before.asks, after.challenges - before.challenges] as const;
  return {
    saw: `100 requests for a code ${statuses(asks)}: ${grown[0]} stored; 100 passkey options ${statuses(options)}: ${grown[1]} stored`,
    wrong: [
      ...unless(count(asks, 200) === 100 && count(options, 200) === 100, 'not all were answered'),
      ...unless(grown[0] <= 5, `${grown[0]} requests of one browser are stored`),
      ...unless(grown[1] <= 8, `${grown[1]} challenges of one browser are stored`),
    ],
  };
}

export const networks: Attack[] = [
  ['random addresses of one IPv6 network', useOneNetwork],
  ['a named screen among strangers', displaceScreen],
  ['a browser that asks without end', fillFromOneBrowser],
];
