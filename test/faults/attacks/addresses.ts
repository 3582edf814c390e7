// Clients with forged addresses: to evade a rate limit, to lock somebody out, or to be recorded under another address.
import http from 'node:http';
import { type Attack, count, type Outcome, statuses, unless } from './attack.ts';
import { each, freshAddress } from './request.ts';
import { BY_KEY } from './seed.ts';
import type { Target } from './target.ts';

/** Headers by which a proxy or an edge would name the client. */
const claim = (address: string) => ({
  'edge-connecting-ip': address,
  'x-forwarded-for': address,
  'x-real-ip': address,
  forwarded: `for=${address}`,
});

const vote = (target: Target, token: string, from: string, headers: Record<string, string> = {}) =>
  target.ask(`/e/${target.seed.election}/vote`, {
    method: 'POST',
    body: { token, choice: 'yes' },
    from,
    headers,
  });

/** Makes a code with the officers' key, and returns the client that the audit log names for it. Votes have none. */
async function recordedClient(target: Target, from: string, headers: Record<string, string> = {}) {
  const path = `/admin/elections/${target.seed.election}/tokens`;
  await target.ask(path, { method: 'POST', body: { count: 1 }, from, headers: { ...headers, ...BY_KEY } });
  const [newest] = target.query<{ ip_address: string }>(
    "SELECT client ->> 'ip' AS ip_address FROM audit_log WHERE action LIKE 'token%' ORDER BY seq DESC LIMIT 1",
  );
  return newest?.ip_address;
}

async function guessCodes(target: Target): Promise<Outcome> {
  const from = freshAddress();
  const guesses = Array.from({ length: 40 }, (_, at) => `a-wrong-code-${at}`);
  const answers = await each(guesses, (code) => vote(target, code, from, claim(freshAddress())), 1);
  return {
    saw: `40 wrong codes from one address, each under another name: ${statuses(answers)}`,
    // The limit is five a minute, and a new minute may begin meanwhile.
    wrong: unless(count(answers, 429) >= 30, 'guessing is not limited'),
  };
}

async function lockOut(target: Target): Promise<Outcome> {
  const [victim, attacker] = [freshAddress(), freshAddress()];
  const garbage = await each(
    Array.from({ length: 30 }),
    () => vote(target, 'garbage', attacker, claim(victim)),
    1,
  );
  const answer = await vote(target, target.seed.codes.pop()!, victim);
  const recorded = await recordedClient(target, victim);
  return {
    saw: `garbage ${statuses(garbage)}; the voter it named: ${answer.status}, recorded as ${recorded}`,
    wrong: [
      ...unless(answer.status === 200, 'a good code is locked out by somebody else'),
      ...unless(recorded === victim, `the audit log names ${recorded} in place of ${victim}`),
    ],
  };
}

async function shareAddress(target: Target): Promise<Outcome> {
  const from = freshAddress();
  const garbage = await each(Array.from({ length: 20 }), () => vote(target, 'garbage', from), 1);
  const votes = await each(target.seed.codes.splice(0, 20), (code) => vote(target, code, from), 4);
  return {
    saw: `garbage ${statuses(garbage)}; then 20 good codes from the same address: ${statuses(votes)}`,
    wrong: unless(count(votes, 200) === 20, 'good codes are refused on a shared address'),
  };
}

async function forgeRecord(target: Target): Promise<Outcome> {
  const from = freshAddress();
  const recorded = await recordedClient(target, from, claim('6.6.6.6'));
  return {
    saw: `an act that claims 6.6.6.6 is recorded as ${recorded}`,
    wrong: unless(recorded === from, `the audit log names ${recorded} in place of ${from}`),
  };
}

/** The limit of streams per client in these deployments. */
export const STREAMS_PER_CLIENT = 20;

async function multiplyStreams(target: Target): Promise<Outcome> {
  const from = freshAddress();
  const streams = await each(
    Array.from({ length: 3 * STREAMS_PER_CLIENT }),
    () => openStream(target, from),
    8,
  );
  const open = streams.filter(({ status }) => status === 200).length;
  const other = await openStream(target, freshAddress());
  for (const { close } of [...streams, other]) close();
  return {
    saw: `${streams.length} streams from one address, each under another name: ${open} open; from elsewhere ${other.status}`,
    wrong: [
      ...unless(open <= STREAMS_PER_CLIENT, `${open} streams are open, allowed are ${STREAMS_PER_CLIENT}`),
      ...unless(other.status === 200, 'others get no stream any more'),
    ],
  };
}

function openStream({ url }: Target, localAddress: string): Promise<{ status: number; close: () => void }> {
  const { hostname, port } = new URL(url);
  const headers = { host: 'club.example', ...claim(freshAddress()) };
  return new Promise((resolve) => {
    const request = http.get({
      hostname,
      port,
      path: '/api/now-playing/current',
      headers,
      localAddress,
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

/** Checks that forged cookies and addresses do not raise the limit of one sender. */
async function floodFeedback(target: Target): Promise<Outcome> {
  const from = freshAddress();
  const cookie = () => ({ cookie: `house_browser=${crypto.randomUUID().replaceAll('-', '')}` });
  const send = (headers: Record<string, string>) =>
    target.ask('/api/feedback', { method: 'POST', body: { message: 'Buy my watches' }, headers, from });
  const addresses = await each(Array.from({ length: 150 }), () => send(claim(freshAddress())));
  const cookies = await each(Array.from({ length: 150 }), () => send(cookie()));
  const taken = count(addresses, 200) + count(cookies, 200);
  return {
    saw: `forged addresses ${statuses(addresses)}; made-up cookies ${statuses(cookies)}`,
    wrong: unless(taken <= 100, `${taken} messages of one sender were stored`),
  };
}

export const forgedAddresses: Attack[] = [
  ['wrong codes under forged addresses', guessCodes],
  ['garbage that names a voter’s address', lockOut],
  ['garbage on a shared address', shareAddress],
  ['an act under a forged address', forgeRecord],
  ['streams under forged addresses', multiplyStreams],
  ['a flood of feedback', floodFeedback],
];
