import { describe, expect, it } from 'vitest';
import { type TestApp, TRUST_UNSET, testApp } from '#test/support/app.ts';
import { addElection } from '#test/support/factories.ts';
import { errorJson } from '#test/support/messages.ts';
import { sharedApp } from '#test/support/shared-app.ts';

const KEY = 'a long key for officers';
const guarded = sharedApp({ ADMIN_API_KEY: KEY });
const known = sharedApp({ BASE_URL: 'https://vote.club.example/', ADMIN_API_KEY: KEY });
const MAIL = { 'edge-access-authenticated-user-email': 'ann@club.example' };
const JWT = { 'edge-access-jwt-assertion': 'anything' };
const UNAUTHENTICATED = {
  ...errorJson('officer_key_required'),
  message: expect.stringMatching(/edge.*ADMIN_API_KEY.*Authorization header/),
};

/** An external request for an officer route: not a local host name, a public address. */
async function knock(service: TestApp, headers: Record<string, string> = {}, remoteAddress = '203.0.113.9') {
  const { statusCode } = await service.request({
    url: '/admin/elections',
    headers: { host: 'club.example', accept: 'application/json', ...headers },
    remoteAddress,
  });
  return statusCode;
}

/** The messages of the warnings in the log. */
const warnings = (service: TestApp) =>
  service.logged
    .map((line) => JSON.parse(line))
    .flatMap(({ level, msg }) => (level === 40 ? [msg as string] : []));

describe('a request without authentication', () => {
  it.each([
    ['GET', '/admin'],
    ['GET', '/admin/elections'],
    ['GET', '/admin/elections/nowhere'],
    ['GET', '/admin/audit-logs'],
    ['POST', '/admin/elections'],
    ['PATCH', '/admin/elections/nowhere/dates'],
    ['PUT', '/admin/elections/nowhere/manual-results'],
    ['DELETE', '/admin/elections/nowhere'],
    ['GET', '/admin/nowhere'],
    ['POST', '/admin/nowhere'],
  ] as const)(
    'gets a 401 in JSON; a browser that opens a page is redirected to the sign-in page: %s %s',
    async (method, url) => {
      const service = await guarded();

      const answers = [
        await service.request({ method, url, headers: { host: 'club.example' } }),
        await service.request({ method, url, headers: { host: 'club.example', accept: 'text/html' } }),
      ];

      for (const answer of answers) {
        expect(answer.headers['cache-control']).toBe('no-store');
        if (answer === answers[1] && method === 'GET') {
          const next = new URLSearchParams({ next: url });
          expect([answer.statusCode, answer.headers.location]).toEqual([303, `/sign-in?${next}`]);
          continue;
        }
        expect(answer.statusCode).toBe(401);
        expect(answer.headers).toMatchObject({
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'no-store',
        });
        expect(answer.json()).toEqual(UNAUTHENTICATED);
      }
    },
  );

  it('can reach public routes', async () => {
    await using service = await testApp();
    const id = await addElection(service);

    const statuses = [];
    for (const url of ['/', '/health', `/e/${id}`, `/e/${id}/vote`, `/e/${id}/results`]) {
      statuses.push((await service.request({ url, headers: { host: 'club.example' } })).statusCode);
    }

    expect(statuses).toEqual([200, 200, 200, 200, 303]);
  });
});

describe('the access edge', () => {
  it('authenticates by either header in development while no key set is configured', async () => {
    await using service = await testApp({ ...TRUST_UNSET, NODE_ENV: 'development' });

    const statuses = [
      await knock(service),
      await knock(service, JWT),
      await knock(service, MAIL),
      await knock(service, { 'edge-access-authenticated-user-email': ' ' }),
    ];

    expect(statuses).toEqual([401, 200, 200, 401]);
    expect(warnings(service)).toContainEqual(
      expect.stringMatching(/are accepted without verification from any/),
    );
  });

  it.each<[string, Record<string, string>]>([
    ['nothing else is set', {}],
    ['proxies are named', { TRUSTED_PROXIES: '203.0.113.9' }],
    ['every proxy is trusted', { TRUSTED_PROXIES: 'any' }],
    ['headers are accepted, but from nobody', { EDGE_ACCESS_TRUST_HEADERS: 'on' }],
    ['headers are accepted, but from everybody', { EDGE_ACCESS_TRUST_HEADERS: 'on', TRUSTED_PROXIES: 'any' }],
  ])('is ignored in production when %s, and one line at the start says so', async (_what, env) => {
    await using service = await testApp({ ...TRUST_UNSET, NODE_ENV: 'production', ...env });

    const statuses = [
      await knock(service, JWT),
      await knock(service, MAIL),
      await knock(service, { ...JWT, ...MAIL }),
    ];

    expect(statuses).toEqual([401, 401, 401]);
    const ignored = warnings(service).filter((line) => line.includes('are ignored'));
    expect(ignored).toEqual([
      expect.stringMatching(/Edge-Access-JWT-Assertion and Edge-Access-Authenticated-User-Email/),
    ]);
  });

  it('authenticates in production through a listed proxy with EDGE_ACCESS_TRUST_HEADERS=on', async () => {
    const env = { NODE_ENV: 'production', EDGE_ACCESS_TRUST_HEADERS: 'on', TRUSTED_PROXIES: '198.51.100.7' };
    await using service = await testApp(env);

    const statuses = [];
    for (const peer of ['198.51.100.7', '203.0.113.9', '127.0.0.1'])
      statuses.push(await knock(service, JWT, peer), await knock(service, MAIL, peer));

    expect(statuses).toEqual([200, 200, 401, 401, 401, 401]);
    expect(warnings(service).filter((line) => line.includes('are ignored'))).toEqual([]);
  });

  it('authenticates in development only through a trusted proxy if those are named', async () => {
    await using service = await testApp({ TRUSTED_PROXIES: '198.51.100.7, 10.1.0.0/16, 2001:db8::/32' });

    const peers = [
      '198.51.100.7',
      '::ffff:198.51.100.7',
      '10.1.2.3',
      '2001:db8::5',
      '198.51.100.8',
      '10.2.0.1',
    ];
    const statuses = [];
    for (const peer of peers) statuses.push(await knock(service, MAIL, peer));

    expect(statuses).toEqual([200, 200, 200, 200, 401, 401]);
  });
});

describe('the API key', () => {
  it.each<[string, Record<string, string>, number]>([
    ['with Bearer', { authorization: `Bearer ${KEY}` }, 200],
    ['with bearer', { authorization: `bearer ${KEY}` }, 200],
    ['with BEARER and spaces', { authorization: `BEARER   ${KEY} ` }, 200],
    ['alone', { authorization: KEY }, 200],
    ['in capitals', { authorization: `Bearer ${KEY.toUpperCase()}` }, 401],
    ['cut short', { authorization: `Bearer ${KEY.slice(0, -1)}` }, 401],
    ['with more behind it', { authorization: `Bearer ${KEY}x` }, 401],
    ['under another scheme', { authorization: `Basic ${KEY}` }, 401],
    ['empty', { authorization: '' }, 401],
    ['empty with Bearer', { authorization: 'Bearer ' }, 401],
    ['in another header', { 'x-api-key': KEY }, 401],
  ])('%s', async (_how, headers, status) => {
    await using service = await testApp({ ADMIN_API_KEY: KEY, NODE_ENV: 'production' });

    expect(await knock(service, headers)).toBe(status);
  });

  it.each([
    ['unset', {}],
    ['empty', { ADMIN_API_KEY: '' }],
    ['blank', { ADMIN_API_KEY: '  ' }],
  ])('that is %s authenticates nobody', async (_what, env) => {
    await using service = await testApp({ ...env, NODE_ENV: 'production' });

    const statuses = [];
    for (const authorization of ['', ' ', 'Bearer', 'Bearer ', 'undefined', 'Bearer undefined', 'null']) {
      statuses.push(await knock(service, { authorization }));
    }

    expect(statuses).toEqual(statuses.map(() => 401));
  });

  it('is given to a page’s script only if it authenticated the page', async () => {
    await using service = await testApp({ ADMIN_API_KEY: KEY });
    const id = await addElection(service);
    const pages = ['/admin', '/admin/elections/new', `/admin/elections/${id}`, '/admin/audit-logs'];
    const open = (url: string, headers: Record<string, string>) =>
      service.request({ url, headers: { accept: 'text/html', ...headers } });

    const byKey = await Promise.all(
      pages.map((url) => open(url, { host: 'club.example', authorization: `Bearer ${KEY}` })),
    );
    const byEdge = await Promise.all(
      pages.map((url) => open(url, { host: 'club.example', authorization: `Bearer ${KEY}`, ...MAIL })),
    );
    const locally = await Promise.all(pages.map((url) => open(url, {})));
    const publicly = await open(`/e/${id}`, { authorization: `Bearer ${KEY}` });

    for (const { statusCode, body, headers } of byKey) {
      expect(statusCode).toBe(200);
      expect(body).toContain(`<meta name="admin-api-key" content="${KEY}">`);
      expect(headers['cache-control']).toBe('no-store');
    }
    for (const { statusCode, body } of [...byEdge, ...locally, publicly]) {
      expect(statusCode).toBe(200);
      expect(body).not.toContain(KEY);
    }
    expect(service.logged.join()).not.toContain(KEY);
  });
});

describe('the local bypass', () => {
  const UNSET: [host: string, peer: string, status: number][] = [
    ['localhost', '127.0.0.1', 200],
    ['localhost:3000', '127.0.0.1', 200],
    ['LOCALHOST:8080', '::1', 200],
    ['127.0.0.1:3000', '::ffff:127.0.0.1', 200],
    ['[::1]', '::1', 200],
    ['[::1]:3000', '::1', 200],
    ['localhost', '10.3.2.1', 401],
    ['localhost', '172.17.0.1', 401],
    ['localhost', '192.168.1.20', 401],
    ['localhost', 'fd00::1', 401],
    ['localhost', '203.0.113.9', 401],
    ['localhost', '2001:db8::1', 401],
    ['localhost.example', '127.0.0.1', 401],
    ['notlocalhost', '127.0.0.1', 401],
    ['127.0.0.1.example', '127.0.0.1', 401],
    ['127.0.0.2', '127.0.0.1', 401],
    ['club.example', '127.0.0.1', 401],
    ['house.dev', '127.0.0.1', 401],
    ['house.dev', '203.0.113.9', 401],
  ];
  const ON: typeof UNSET = [
    ['localhost:3000', '127.0.0.1', 200],
    ['house.dev', '127.0.0.1', 200],
    ['house.dev:3000', '::1', 200],
    ['house.dev', '203.0.113.9', 401],
    ['house.dev', '10.3.2.1', 401],
    ['house.dev.example', '127.0.0.1', 401],
    ['housedev', '127.0.0.1', 401],
    ['localhost', '192.168.1.20', 401],
  ];

  it.each<[string, Record<string, string>, typeof UNSET]>([
    ['three names, without LOCAL_BYPASS and BASE_URL', { NODE_ENV: 'development', LOCAL_BYPASS: '' }, UNSET],
    ['`.dev` names too, with LOCAL_BYPASS=on', { LOCAL_BYPASS: 'on', BASE_URL: 'https://club.example' }, ON],
  ])('applies to loopback peers and %s', async (_what, env, cases) => {
    await using service = await testApp(env);

    const met: typeof cases = [];
    for (const [host, peer] of cases) met.push([host, peer, await knock(service, { host }, peer)]);

    expect(met).toEqual(cases);
  });

  it.each<[string, Record<string, string>]>([
    ['once BASE_URL is set', { LOCAL_BYPASS: '', BASE_URL: 'http://localhost:3000' }],
    ['with LOCAL_BYPASS=off', { LOCAL_BYPASS: 'off' }],
    ['in production', { LOCAL_BYPASS: '', NODE_ENV: 'production' }],
    ['in production, also with LOCAL_BYPASS=on', { LOCAL_BYPASS: 'on', NODE_ENV: 'production' }],
  ])('is off %s', async (_when, env) => {
    await using service = await testApp(env);

    const statuses = [];
    for (const host of ['localhost', '127.0.0.1', '[::1]', 'house.dev'])
      statuses.push(await knock(service, { host }, '127.0.0.1'));

    expect(statuses).toEqual([401, 401, 401, 401]);
    expect(warnings(service).filter((line) => line.includes('local bypass'))).toEqual([]);
  });

  it('does not apply to a request forwarded by a proxy', async () => {
    await using service = await testApp({ LOCAL_BYPASS: 'on' });

    const statuses = [];
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'X-Forwarded-For'])
      for (const value of ['127.0.0.1', ''])
        statuses.push(await knock(service, { host: 'localhost', [name]: value }, '127.0.0.1'));

    expect(statuses).toEqual(statuses.map(() => 401));
  });

  it('ignores headers about the peer', async () => {
    await using service = await testApp();

    const statuses = [
      await knock(service, { host: 'localhost', 'x-forwarded-for': '127.0.0.1' }),
      await knock(service, { host: 'localhost', 'edge-connecting-ip': '127.0.0.1' }),
      await knock(service, { 'x-forwarded-host': 'localhost' }, '127.0.0.1'),
    ];

    expect(statuses).toEqual([401, 401, 401]);
  });

  it.each<[string, Record<string, string>]>([
    ['by itself', { LOCAL_BYPASS: '' }],
    ['with LOCAL_BYPASS=on', { LOCAL_BYPASS: 'on', BASE_URL: 'https://vote.club.example' }],
  ])('is announced in one line at the start when it is on %s', async (_how, env) => {
    await using service = await testApp(env);

    const said = warnings(service).filter((line) => line.includes('local bypass is in force'));

    expect(said).toEqual([expect.stringContaining('LOCAL_BYPASS=off')]);
  });
});

describe('a request that another site made a browser send', () => {
  const REFUSED = errorJson('cross_site_request');
  const OWN = 'https://vote.club.example';

  it.each<[string, Record<string, string>, number]>([
    ['from nowhere in particular (a script)', {}, 200],
    ['same-origin', { 'sec-fetch-site': 'same-origin' }, 200],
    ['typed by the user', { 'sec-fetch-site': 'none' }, 200],
    ['cross-site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['same-site', { 'sec-fetch-site': 'same-site' }, 403],
    ['cross-site with our origin', { 'sec-fetch-site': 'cross-site', origin: OWN }, 403],
    ['with BASE_URL’s origin', { origin: OWN }, 200],
    ['with its own host as origin', { origin: 'http://localhost:3000' }, 200],
    ['with another origin', { origin: 'https://evil.example' }, 403],
    ['with an origin that only begins like ours', { origin: `${OWN}.evil.example` }, 403],
    ['with a null origin', { origin: 'null' }, 403],
    [
      'with a null origin, same-origin by the browser’s word',
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
      200,
    ],
    ['with a null origin, cross-site', { origin: 'null', 'sec-fetch-site': 'cross-site' }, 403],
    ['with a garbled origin', { origin: '://' }, 403],
  ])('is distinguished from our own: %s', async (_what, headers, status) => {
    const service = await known();
    const id = await addElection(service);

    const answer = await service.post(`/admin/elections/${id}/clone`, undefined, headers);
    const looked = await service.get(`/admin/elections/${id}`, headers);

    expect(answer.statusCode).toBe(status);
    if (status === 403) expect(answer.json()).toEqual(REFUSED);
    expect(looked.statusCode).toBe(200);
  });

  it('cannot cast a ballot either, or use a form’s _method', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const evil = { origin: 'https://evil.example' };

    const vote = await service.post(`/e/${id}/vote`, { token: 'x', choice: 'yes' }, evil);
    const deletion = await service.submit(`/admin/elections/${id}?_method=DELETE`, { confirm: 'x' }, evil);

    expect(vote.json()).toEqual(REFUSED);
    expect(deletion.statusCode).toBe(403);
    expect((await service.get(`/e/${id}`)).statusCode).toBe(200);
  });
});

describe('in development, a page of another site whose name leads to this machine', () => {
  const device = { artist: 'The Anchors', title: 'Rebound' };
  it.each([
    ['localhost:3000', 200],
    ['127.0.0.1', 200],
    ['[::1]:3000', 200],
    ['evil.example', 401],
    ['localhost.evil.example:3000', 401],
    ['127.0.0.1.evil.example', 401],
  ])('under Host %s gets %i with edge headers and on device routes', async (host, status) => {
    await using service = await testApp({ ...TRUST_UNSET, NODE_ENV: 'development', LOCAL_BYPASS: 'off' });
    const played = await service.post('/api/now-playing/ingest', device, { host });

    expect(played.statusCode).toBe(status);
    for (const headers of [JWT, MAIL])
      expect(await knock(service, { host, ...headers }, '127.0.0.1')).toBe(status);
    // Other clients in development: the edge stands before them, under any name.
    expect(await knock(service, { host, ...MAIL })).toBe(200);
  });
});
