import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { appoint } from '#test/support/people/patrons.ts';
import { named, parseNginx, playNginx } from '#test/support/process/nginx.ts';
import { type TestApp, testApp } from './support/app.ts';
import { shared } from './support/shared-app.ts';

const ROOT = path.join(import.meta.dirname, '..');
const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8');
const NGINX = parseNginx(read('deploy/nginx.conf'));

const OWNER = 'ann@club.example';
const HOSTS = ['club.example', 'localhost:3000', '127.0.0.1', '[::1]', 'evil.dev'];
const FORGED = {
  'Edge-Access-JWT-Assertion': 'x',
  'Edge-Access-Authenticated-User-Email': OWNER,
  'Edge-Connecting-IP': '127.0.0.1',
  'X-Forwarded-For': '127.0.0.1',
  'X-Real-IP': '127.0.0.1',
  Forwarded: 'for=127.0.0.1',
  Via: '1.1 nowhere',
};

/** The settings of the image, except where it listens and where it stores data. */
const { HOST: _host, PORT: _port, DATABASE_URL: _file, ...CONTAINER } = settingsOf(read('Dockerfile'));
const BEHIND = { TRUSTED_PROXIES: '127.0.0.1' };

/** Starts the service with an owner behind the proxy; `ask` sends one request through it. */
async function deployed(env: Record<string, string>) {
  const service = await testApp({ LOCAL_BYPASS: '', ...env });
  await appoint(service, OWNER, 'owner');
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  const proxy = await playNginx(NGINX, (service.app.server.address() as AddressInfo).port);
  return {
    service,
    proxy,
    ask: (method: string, url: string, headers: Record<string, string>) =>
      new Promise<http.IncomingMessage>((resolve, reject) => {
        const options = { port: proxy.port, host: '127.0.0.1', method, path: url, headers, agent: false };
        const asking = http.request(options, (answer) => resolve(answer.resume()));
        asking.on('error', reject).end();
      }),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

describe.each<[string, Record<string, string>]>([
  ['the container as it is', CONTAINER],
  ['the container with the settings of the README', { ...CONTAINER, ...BEHIND }],
  ['a development service', { NODE_ENV: 'development' }],
  ['a development service that trusts the proxy', { NODE_ENV: 'development', ...BEHIND }],
])('behind deploy/nginx.conf, %s', (_what, env) => {
  const opened = shared(() => deployed(env));

  // The first, as it counts all requests to the service.
  it('counts requests by the address that the proxy sees', async () => {
    const deployment = await opened();

    const remaining: number[] = [];
    for (const forged of ['198.51.100.1', '198.51.100.2', '198.51.100.3']) {
      const headers = { 'Edge-Connecting-IP': forged, 'X-Forwarded-For': forged, Forwarded: `for=${forged}` };
      const answer = await deployment.ask('GET', '/e/nowhere', { Host: 'club.example', ...headers });
      remaining.push(Number(answer.headers['x-ratelimit-remaining']));
    }

    expect(remaining).toEqual([99, 98, 97]);
  });

  it('refuses forged headers at every admin route and every route of the device', async () => {
    const deployment = await opened();
    const routes = guardedRoutes(deployment.service);
    expect(routes.length).toBeGreaterThan(80);

    const open: string[] = [];
    for (const { method, url } of routes) {
      const { statusCode } = await deployment.ask(method, url, { ...FORGED, Host: 'localhost' });
      if (statusCode !== 401) open.push(`${method} ${url} ${statusCode}`);
    }

    expect(open).toEqual([]);
  });

  it('refuses each forged header under each name, alone', async () => {
    const deployment = await opened();

    const open: string[] = [];
    for (const [name, value] of [...Object.entries(FORGED), ['Accept', '*/*'] as const])
      for (const Host of HOSTS)
        for (const url of ['/admin/elections', '/api/admin/roles', '/api/dmx/desired']) {
          const { statusCode } = await deployment.ask('GET', url, { Host, [name]: value });
          if (statusCode !== 401) open.push(`${name} ${Host} ${url} ${statusCode}`);
        }

    expect(open).toEqual([]);
  });
});

it('behind deploy/nginx.conf the set-up proposes the address that the browser opened', async () => {
  await using service = await testApp({ LOCAL_BYPASS: '', ...CONTAINER, ...BEHIND });
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  await using proxy = await playNginx(NGINX, (service.app.server.address() as AddressInfo).port);
  const body = await new Promise<string>((resolve, reject) => {
    const options = {
      port: proxy.port,
      host: '127.0.0.1',
      path: '/set-up',
      headers: { Host: 'club.example' },
    };
    const asking = http.get({ ...options, agent: false }, (answer) => resolve(text(answer)));
    asking.on('error', reject);
  });
  expect(body).toMatch(/name="base_url"[^>]* value="https:\/\/club\.example"/);
});

it('deploy/nginx.conf logs no query and no referrer, in no server', async () => {
  await using deployment = await deployed({ ...CONTAINER, ...BEHIND });
  const headers = { Host: 'club.example', Referer: 'https://club.example/e/x/vote?t=voting-code' };

  const spellings = ['?t=', '%3Ft=', '%253Ft=', ';t=', '&amp;token=', '%23t='];
  for (const spelling of spellings) await deployment.ask('GET', `/e/x/vote${spelling}voting-code`, headers);
  await expect.poll(() => deployment.proxy.logged).toHaveLength(spellings.length);

  for (const line of deployment.proxy.logged) {
    expect(line).toContain('GET /e/x/vote 404');
    expect(line).not.toContain('voting-code');
  }
  for (const { block } of named(NGINX, 'server')) {
    expect(named(block, 'access_log').map(({ args }) => args[1])).toEqual(['publichouse']);
    expect(named(block, 'error_log').map(({ args }) => args[1])).toEqual(['emerg']);
  }
});

it('no proxy configuration logs how much was sent or received', () => {
  const files = fs.globSync('{deploy/*,deploy/nginx-nchan/*}', { cwd: ROOT });
  const sizes =
    /\$(body_)?bytes_(sent|received)|\$request_length|\$content_length|\$upstream_bytes|\$gzip_ratio|log-format.*%[BU]\b|LogFormat.*%[>a-z{}_^]*[BbIOS]\b/;
  const logging = files.filter(
    (file) => fs.statSync(path.join(ROOT, file)).isFile() && sizes.test(read(file)),
  );

  expect(logging).toEqual([]);
  expect(sizes.test("log-format '%ci %ST %B'") && sizes.test('LogFormat "%a %>s %B"')).toBe(true);
  expect(read('deploy/Caddyfile')).toMatch(/fields \{[^}]*\bsize delete\n[^}]*\}/);
  expect(read('deploy/Caddyfile')).toMatch(/fields \{[^}]*\bbytes_read delete\n[^}]*\}/);
  for (const field of ['DownstreamContentSize', 'OriginContentSize', 'RequestContentSize'])
    expect(read('deploy/traefik.yml')).toContain(field);
});

it('deploy/nginx.conf lets forms with a picture through, which have up to 12 MB', () => {
  const sizes = named(NGINX, 'server').flatMap(({ block }) => named(block, 'client_max_body_size'));

  expect(sizes.map(({ args }) => args)).toEqual([['13m']]);
});

it('each proxy configuration sets or removes every header that the service reads about a client', () => {
  const names = headersRead();
  const rules = named(NGINX, 'server').flatMap(({ block }) =>
    named(block, 'location').flatMap((location) => named(location.block, 'proxy_set_header')),
  );
  const own = ['X-Forwarded-For', 'X-Forwarded-Proto'];
  const ruled = (file: string, rule: RegExp) => [...read(file).matchAll(rule)].map(([, name = '']) => name);
  const dealtWith: Record<string, string[]> = {
    nginx: rules.map(({ args }) => args[0] ?? ''),
    // Caddy and Traefik replace these two by default.
    caddy: [...own, ...ruled('deploy/Caddyfile', /^\s*header_up -(\S+)$/gm)],
    traefik: [...own, ...ruled('deploy/traefik.yml', /^\s*(\S+): ''$/gm)],
    haproxy: ruled('deploy/haproxy.cfg', /^\s*http-request (?:set|del)-header (\S+)/gm),
    apache: ruled('deploy/apache.conf', /^\s*RequestHeader (?:set|unset) (\S+)/gm),
  };
  const missing = Object.entries(dealtWith).flatMap(([proxy, dealt]) => {
    const covered = dealt.map((rule) => rule.toLowerCase());
    const covers = (name: string) =>
      covered.some((rule) => (rule.endsWith('*') ? name.startsWith(rule.slice(0, -1)) : rule === name));
    return names.filter((name) => !covers(name)).map((name) => `${proxy}: ${name}`);
  });

  expect(names).toContain('edge-access-jwt-assertion');
  expect(missing).toEqual([]);
});

it('deploy/publichouse.service starts existing files', () => {
  const unit = read('deploy/publichouse.service');
  const [, command = '', script = ''] = /^ExecStart=\/opt\/publichouse\/(\S+) (\S+)$/m.exec(unit) ?? [];

  // The runtime is another package on other platforms.
  expect(JSON.parse(read('package.json')).optionalDependencies).toHaveProperty(command.split('/')[1] ?? '');
  expect(fs.existsSync(path.join(ROOT, script))).toBe(true);
  expect(unit).toContain('DATABASE_URL=file:/var/lib/publichouse/');
});

it('the socket that systemd opens is the one to which the proxies connect', () => {
  const [, address = ''] = /^ListenStream=(\S+)$/m.exec(read('deploy/publichouse.socket')) ?? [];

  expect(read('deploy/nginx.conf')).toContain(`proxy_pass http://${address};`);
  expect(read('deploy/Caddyfile')).toContain(`reverse_proxy {$UPSTREAM:${address}} {`);
  expect(read('deploy/haproxy.cfg')).toContain(`server service ${address}`);
  expect(read('deploy/apache.conf')).toContain(`ProxyPass / http://${address}/ `);
  expect(read('deploy/traefik.yml')).toContain(`url: http://${address} `);
  expect(read('deploy/publichouse.service')).toContain('Requires=publichouse.socket');
});

/** Returns the proxy headers named in the source, except `via`, which is only used to detect a proxy. */
function headersRead(): string[] {
  const files = fs.globSync('src/**/*.ts', { cwd: ROOT });
  const found = files.flatMap((file) => [
    ...read(file).matchAll(/'((?:edge-|x-forwarded-|x-real-)[a-z-]+|forwarded)'/gi),
  ]);
  return [...new Set(found.map(([, name]) => name!.toLowerCase()))];
}

function guardedRoutes({ app }: TestApp): { method: string; url: string }[] {
  const ours = /^\/(api\/)?admin(\/|$)/;
  const routes = Object.entries(app.swagger().paths ?? {})
    .filter(([url]) => ours.test(url))
    .flatMap(([url, methods]) =>
      Object.keys(methods ?? {}).map((method) => ({ method: method.toUpperCase(), url })),
    );
  return [
    ...routes.map(({ method, url }) => ({ method, url: url.replace(/\{\w+\}/g, 'x') })),
    { method: 'GET', url: '/metrics' },
    { method: 'GET', url: '/admin/nowhere' },
    { method: 'GET', url: '/api/admin/nowhere' },
    { method: 'POST', url: '/api/now-playing/ingest' },
    { method: 'POST', url: '/api/now-playing/offset' },
    { method: 'GET', url: '/api/dmx/desired' },
    { method: 'GET', url: '/api/qsys/desired' },
  ];
}

/** The variables that a Dockerfile sets. */
function settingsOf(dockerfile: string): Record<string, string> {
  const lines = dockerfile.matchAll(/^ENV (.*)$/gm);
  return Object.fromEntries(
    [...lines].flatMap(([, pairs = '']) => pairs.split(' ').map((pair) => pair.split('='))),
  );
}

it('systemd starts the service again however often it fails', () => {
  const [unit = ''] = read('deploy/publichouse.service').split('[Service]');

  expect(unit).toMatch(/^StartLimitIntervalSec=0$/m);
  expect(read('deploy/publichouse.service')).toMatch(/^Restart=always$/m);
});
