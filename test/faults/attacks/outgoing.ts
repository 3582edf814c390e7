// Addresses chosen by strangers that the service fetches: in production none may be in a private network.
import net, { type AddressInfo } from 'node:net';
import { ENGLISH } from '#kernel/language/words.ts';
import { fetchUpstream } from '#kernel/upstream.ts';
import { type Attack, count, type Outcome, statuses, unless } from './attack.ts';
import { each } from './request.ts';
import { DEVICE_TOKEN } from './seed.ts';
import type { Target } from './target.ts';

const PRIVATE = `
  10.0.0.1 127.0.0.1 127.1 2130706433 0x7f000001 017700000001 0 0.0.0.0 169.254.169.254 172.16.0.1 172.31.255.255
  192.168.0.1 100.64.0.1 192.0.0.1 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255
  [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1] [fe80::1] [fc00::1] [fd00::1]
  [ff02::1] [2001:db8::1] [2002:7f00:1::] [2001::1] localhost`
  .trim()
  .split(/\s+/);

async function namePrivateHosts(): Promise<Outcome> {
  const addresses = [
    ...PRIVATE.map((host) => `https://${host}/`),
    'http://1.1.1.1/',
    'ftp://1.1.1.1/',
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    'https://user@1.1.1.1/',
    'https://user:p@[::1]/',
  ];
  const answers = await each(addresses, (address) =>
    fetchUpstream(address, { publicOnly: true, timeoutMs: 5_000 }),
  );
  const refused = /public address|https|user name|cannot be read|leads elsewhere/;
  return {
    saw: `${addresses.length} addresses`,
    wrong: addresses.flatMap((address, at) => {
      const answer = answers[at]!;
      const why = answer.ok ? 'fetched' : answer.reason.for(ENGLISH);
      return unless(!answer.ok && refused.test(why), `${address}: ${why}`);
    }),
  };
}

/** Reports album covers at every spelling of this machine's address: the service must not connect. */
async function fetchCovers(target: Target): Promise<Outcome> {
  let connections = 0;
  const server = net.createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((listening) => server.listen(0, listening));
  const { port } = server.address() as AddressInfo;
  const hosts = [
    '127.0.0.1',
    'localhost',
    '127.1',
    '0',
    '0x7f000001',
    '2130706433',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'user@127.0.0.1',
  ];
  const urls = hosts.flatMap((host) => [`http://${host}:${port}/a.png`, `https://${host}:${port}/a.png`]);
  const headers = { authorization: `Bearer ${DEVICE_TOKEN}` };
  const answers = await each(
    urls,
    async (album_art_url, at) => {
      const body = { artist: 'Anchor', title: `Cover ${at}`, album_art_url };
      const taken = await target.ask('/api/now-playing/ingest', { method: 'POST', headers, body });
      return target.ask(`/api/art/${(JSON.parse(taken.body) as { id: number }).id}`);
    },
    4,
  );
  await new Promise((closed) => server.close(closed));
  return {
    saw: `${urls.length} covers: ${statuses(answers)}; ${connections} connections`,
    wrong: [
      ...unless(connections === 0, `${connections} connections to this machine`),
      ...unless(count(answers, 404) === urls.length, 'a cover was answered'),
    ],
  };
}

export const outgoing: Attack[] = [
  ['covers on this machine', fetchCovers],
  ['hosts in private networks', namePrivateHosts],
];
