import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type RequestListener } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import tlsOptions from 'smtp-server/lib/tls-options.js';
import { Agent } from 'undici';
import { expect, test } from 'vitest';
import { ENGLISH } from '#kernel/language/words.ts';
import {
  fetchUpstream,
  hasContent,
  isPublicAddress,
  retryAfter,
  statusInWords,
  userAgent,
} from '#kernel/upstream.ts';

test.each([
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['172.16.0.1', false],
  ['172.31.255.255', false],
  ['172.32.0.1', true],
  ['192.168.1.1', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['0.0.0.0', false],
  ['198.18.0.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['8.8.8.8', true],
  ['::1', false],
  ['::', false],
  ['fd00::1', false],
  ['fe80::1', false],
  ['fec0::1', false],
  ['ff02::1', false],
  ['2001:db8::1', false],
  ['2001::1', false],
  ['2002:7f00:1::', false],
  ['64:ff9b::7f00:1', false],
  ['64:ff9b:1::7f00:1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:7f00:1', false],
  ['::ffff:0:7f00:1', false],
  ['::7f00:1', false],
  ['2606:4700:4700::1111', true],
  ['club.example', false],
  ['8.8.8.8%eth0', false],
])('%s is a public address: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});

test.each([
  ['http://club.example/', 'only https is fetched'],
  ['file:///etc/passwd', 'only https is fetched'],
  ['data:text/plain,hello', 'only https is fetched'],
  ['https://key:secret@club.example/', 'it carries a user name'],
  ['https://127.0.0.1/', 'it is not a public address'],
  ['https://2130706433/', 'it is not a public address'],
  ['https://0x7f.1/', 'it is not a public address'],
  ['https://0177.0.0.1/', 'it is not a public address'],
  ['https://①②⑦.0.0.1/', 'it is not a public address'],
  ['https://[::1]/', 'it is not a public address'],
  ['https://[::ffff:127.0.0.1]/', 'it is not a public address'],
  ['https://[::ffff:a9fe:a9fe]/', 'it is not a public address'],
  ['https://[fd00::1]/', 'it is not a public address'],
  ['no address', 'its address cannot be read'],
])('with publicOnly, %s is refused', async (address, reason) => {
  expect(await asked(address, { publicOnly: true })).toEqual({ ok: false, reason });
});

test('a host name is checked by its resolved address at the moment of connecting', async () => {
  await using home = await startHost((_request, response) => response.end('secret'), true);
  const { port } = new URL(home.url);

  const answer = await asked(`https://localhost:${port}/`, { publicOnly: true });

  expect(answer).toEqual({ ok: false, reason: 'it is not a public address' });
  expect(home.connections).toBe(0);
});

test.each([
  ['an address of this machine', (port: string) => `https://127.0.0.1:${port}/`],
  ['it in IPv6 clothes', (port: string) => `https://[::ffff:7f00:1]:${port}/`],
  ['plain http', (port: string) => `http://club.example:${port}/`],
  ['a file', () => 'file:///etc/passwd'],
])('a public host cannot redirect to %s', async (_what, target) => {
  await using host = await startHost((request, response) => {
    if (request.url !== '/start') return response.end('secret');
    return response.writeHead(302, { location: target(new URL(host.url).port) }).end();
  }, true);

  const answer = await fetchUpstream(`${host.url}/start`, { publicOnly: true }, anyNameLeadsHome);

  expect(answer.ok).toBe(false);
  expect(host.requests).toEqual(['GET /start']);
});

test('up to three redirects of a GET are followed, and none of a POST', async () => {
  await using host = await startHost((request, response) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) return response.end('there');
    return response.writeHead(307, { location: `/${left - 1}` }).end();
  });

  expect(textOf(await fetchUpstream(`${host.url}/3`))).toBe('there');
  expect(await asked(`${host.url}/4`)).toEqual({ ok: false, reason: 'it redirects too often' });
  expect(await asked(`${host.url}/3`, { redirects: 0 })).toMatchObject({ status: 307 });
  expect(await asked(`${host.url}/1`, { method: 'POST', body: '{}' })).toMatchObject({ status: 307 });
});

test('a redirect may use the scheme of calendar programs', async () => {
  await using host = await startHost((request, response) =>
    request.url === '/ok.ics'
      ? response.end('here')
      : response.writeHead(302, { location: `webcal://${request.headers.host}/ok.ics` }).end(),
  );

  expect(textOf(await fetchUpstream(host.url))).toBe('here');
});

test('a key is sent only to its own host, also after a redirect within it', async () => {
  const seen: (string | undefined)[] = [];
  await using other = await startHost((request, response) => {
    seen.push(`other ${request.headers.authorization} ${request.headers['user-agent']}`);
    response.end('ok');
  });
  await using host = await startHost((request, response) => {
    seen.push(`host ${request.headers.authorization} ${request.headers['user-agent']}`);
    response.writeHead(302, { location: request.url === '/a' ? '/b' : `${other.url}/` }).end();
  });

  await fetchUpstream(`${host.url}/a`, { headers: { authorization: 'Bearer k', 'user-agent': 'House' } });

  expect(seen).toEqual(['host Bearer k House', 'host Bearer k House', 'other undefined House']);
});

test('a response that is too long fails, also when compressed or endless', async () => {
  const bomb = gzipSync(Buffer.alloc(1024 * 1024));
  await using host = await startHost((request, response) => {
    if (request.url === '/packed') return response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    if (request.url === '/long') return response.end(Buffer.alloc(10_001));
    const pour = () => {
      while (!response.destroyed && response.write(Buffer.alloc(4096)));
    };
    response.on('drain', pour);
    return pour();
  });

  for (const path of ['packed', 'long', 'endless']) {
    expect(await asked(`${host.url}/${path}`, { maxBytes: 10_000 })).toEqual({
      ok: false,
      reason: 'its answer has more than 10000 bytes',
    });
  }
});

test('a host that hangs, before its response or in the middle, times out', async () => {
  await using host = await startHost((request, response) => {
    if (request.url === '/middle') response.writeHead(200).write('half');
  });

  for (const path of ['before', 'middle']) {
    expect(await asked(`${host.url}/${path}`, { timeoutMs: 100 })).toEqual({
      ok: false,
      reason: 'it did not answer in time',
    });
  }
});

test('failures of a host are returned as values with a reason', async () => {
  await using host = await startHost((request, response) => {
    if (request.url === '/drop') response.destroy();
    else if (request.url === '/nowhere') response.writeHead(302, { location: 'http://[' }).end();
    else response.writeHead(500).end('broken');
  });
  const { url } = host;

  expect(await asked(`${url}/drop`)).toEqual({
    ok: false,
    reason: expect.stringMatching(/^the connection failed/),
  });
  expect(await asked(`${url}/nowhere`)).toEqual({ ok: false, reason: 'its address cannot be read' });
  expect(await asked(`${url}/`)).toMatchObject({ ok: true, status: 500 });
  expect(await asked('http://calendar.invalid/')).toMatchObject({
    ok: false,
    reason: 'its host was not found',
  });
  // No system assigns such a low port to a server that asks for a free one.
  expect(await asked('http://127.0.0.1:2')).toEqual({
    ok: false,
    isUnsent: true,
    reason: 'nobody answers at this address',
  });
});

test.each([
  [200, 'text', true, undefined],
  [203, 'text', true, undefined],
  [200, '', false, 'it answered 200 and sent nothing'],
  [203, '', false, 'it answered 203 and sent nothing'],
  [204, '', false, 'it answered 204 and sent nothing'],
  [206, 'te', false, 'it answered 206'],
  [500, 'broken', false, 'it answered 500'],
])('an answer %i with the body “%s” has its content: %s', (status, text, expected, words) => {
  const answer = { status, body: Buffer.from(text) };
  expect(hasContent(answer)).toBe(expected);
  if (words) expect(statusInWords(answer).for(ENGLISH)).toBe(words);
});

test.each([
  ['120', 120_000],
  ['Sat, 21 Nov 2026 17:01:00 GMT', 60_000],
  ['Sat, 21 Nov 2026 16:00:00 GMT', 0],
  ['soon', undefined],
  ['', undefined],
])('Retry-After %s is read as %s ms', (value, expected) => {
  const now = Temporal.Instant.from('2026-11-21T17:00:00Z').epochMilliseconds;

  expect(retryAfter(new Headers({ 'retry-after': value }), now)).toBe(expected);
});

test('validators of a cached response are sent also to the target of a redirect; a key is not', async () => {
  const seen: IncomingHttpHeaders[] = [];
  await using second = await startHost((request, response) => {
    seen.push(request.headers);
    response.end();
  });
  await using first = await startHost((_request, response) =>
    response.writeHead(302, { location: second.url }).end(),
  );

  await fetchUpstream(first.url, {
    headers: { 'if-none-match': '"a"', 'If-Modified-Since': 'then', authorization: 'a key' },
  });

  expect(seen).toMatchObject([{ 'if-none-match': '"a"', 'if-modified-since': 'then' }]);
  expect(seen[0]).not.toHaveProperty('authorization');
});

test('a private host is allowed if listed, and cannot redirect to another one', async () => {
  await using home = await startHost((request, response) =>
    request.url === '/on'
      ? response.writeHead(302, { location: 'https://[::1]/' }).end()
      : response.end('secret'),
  );
  const ask = (path: string, privateHosts: string[]) =>
    fetchUpstream(home.url + path, { publicOnly: true, privateHosts });

  expect(textOf(await ask('/', ['127.0.0.1']))).toBe('secret');
  expect(textOf(await ask('/', ['127.0.0.2']))).toBe('only https is fetched');
  expect(textOf(await ask('/on', ['127.0.0.1']))).toBe('it is not a public address');
});

test('the User-Agent names the service and its address', () => {
  expect(userAgent('1.2.3', 'https://club.example')).toBe('PublicHouse/1.2.3 (+https://club.example)');
  expect(userAgent('1.2.3', undefined)).toBe("PublicHouse/1.2.3 (a club's own server)");
});

/** An agent that resolves every name to this machine, so that a local host can stand in for a public one. */
const anyNameLeadsHome = new Agent({
  connect: {
    rejectUnauthorized: false,
    lookup: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  },
});

/** The answer, with its reason in English. */
async function asked(...request: Parameters<typeof fetchUpstream>) {
  const answer = await fetchUpstream(...request);
  return answer.ok ? answer : { ...answer, reason: answer.reason.for(ENGLISH) };
}

function textOf(answer: Awaited<ReturnType<typeof fetchUpstream>>): string {
  return answer.ok ? answer.body.toString() : answer.reason.for(ENGLISH);
}

async function startHost(listener: RequestListener, secure = false) {
  const server = secure ? https.createServer(tlsOptions()) : http.createServer();
  const host = {
    url: '',
    requests: [] as string[],
    connections: 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
  server.on('connection', () => {
    host.connections += 1;
  });
  server.on('request', (request, response) => {
    host.requests.push(`${request.method} ${request.url}`);
    listener(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  host.url = secure ? `https://club.example:${port}` : `http://127.0.0.1:${port}`;
  return host;
}
