import net, { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { domainToASCII } from 'node:url';
import type { RouteOptions } from 'fastify';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { demandPermission } from '#kernel/access/permissions.ts';
import { PERMISSIONS, ROLES, type Role } from '#kernel/access/roles.ts';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import { NOON, type TestApp, TRUST_UNSET, testApp } from '#test/support/app.ts';
import { errorJson, expectForbidden, expectRefusal } from '#test/support/messages.ts';
import {
  CLAIMS,
  EC,
  type Key,
  keySource,
  makeKeys,
  RSA,
  sign,
  verifyBy,
  without,
} from '#test/support/people/key-source.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { sharedApp } from '#test/support/shared-app.ts';

const TOKEN = 'a long token of the pub';
const MAIL = 'edge-access-authenticated-user-email';

let rsa: Key;
let ec: Key;
let foreign: Key;

beforeAll(async () => {
  ({ rsa, ec, foreign } = await makeKeys());
});

/** Returns the status of a request for the list of roles, which needs roles:read. */
async function knock(service: TestApp, headers: Record<string, string>): Promise<number> {
  return (await service.get('/api/admin/roles', { host: 'club.example', ...headers })).statusCode;
}

describe('the token of the pub', () => {
  const open = sharedApp({ PUB_ADMIN_TOKEN: TOKEN });
  it.each([
    ['as a bearer', { authorization: `Bearer ${TOKEN}` }],
    ['as a bearer in any letter case', { authorization: `bearer   ${TOKEN}` }],
    ['in its own header', { 'x-admin-token': TOKEN }],
    ['beside an identity without a role', { 'x-admin-token': TOKEN, [MAIL]: 'eve@club.example' }],
  ])('opens everything: %s', async (_how, headers) => {
    const service = await open();
    expect(await knock(service, headers)).toBe(200);
  });

  it.each([
    ['another one', { 'x-admin-token': 'another' }],
    ['a part of it', { 'x-admin-token': TOKEN.slice(0, -1) }],
    ['without Bearer', { authorization: TOKEN }],
    ['none', {}],
  ])('opens nothing: %s', async (_how, headers) => {
    const service = await open();
    const answer = await service.get('/api/admin/roles', { host: 'club.example', ...headers });
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({ ...errorJson('staff_key_required'), message: expect.any(String) });
  });

  it('opens nothing while none is configured', async () => {
    await using service = await testApp();
    for (const token of ['', 'undefined', 'null'])
      expect(await knock(service, { 'x-admin-token': token, authorization: `Bearer ${token}` })).toBe(401);
  });

  it('is not replaced by the officers’ API key or the local bypass, which do not work here', async () => {
    await using service = await testApp({ ADMIN_API_KEY: 'a key for officers' });
    const headers = { host: 'localhost:3000', authorization: 'Bearer a key for officers' };
    // The key is right and opens the elections: that is said in place of asking for one.
    expect(await knock(service, headers)).toBe(403);
  });
});

describe('an identity', () => {
  it('without the permission is told which one is missing, and the attempt is audited', async () => {
    await using service = await testApp({ PUB_ADMIN_TOKEN: TOKEN });
    await appoint(service, 'dan@club.example', 'dj');
    const answer = await service.get('/api/admin/roles', { [MAIL]: 'dan@club.example' });

    expect(answer.statusCode).toBe(403);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toMatchObject({
      error: 'Forbidden',
      message: expect.stringContaining('roles:read'),
      permission: 'roles:read',
    });
    const { logs } = (await service.get('/api/admin/audit', { 'x-admin-token': TOKEN })).json();
    expect(logs.map(({ action, metadata }: Record<string, string>) => [action, metadata])).toEqual([
      ['access.denied', expect.stringContaining('"by":"dan@club.example"')],
    ]);
    expect(logs[0].metadata).toContain('"permission":"roles:read"');
  });

  it('is recognised by its address in any letter case; invalid addresses are refused', async () => {
    await using service = await testApp();
    await appoint(service, 'ann@club.example', 'owner');
    expect(await knock(service, { [MAIL]: '  Ann@Club.Example ' })).toBe(200);
    for (const text of ['ann', 'ann@club.example, eve@club.example', '@', 'ann@club.example@evil.example'])
      expect(await knock(service, { [MAIL]: text })).toBe(401);
  });

  it('is recognised by an international address in UTF-8, as proxies send it, and in Latin-1', async () => {
    await using service = await testApp();
    for (const address of ['jörg@xn--bcher-kva.example', `ann@${domainToASCII('club.栠栠')}`])
      await appoint(service, address, 'owner');
    await service.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = service.app.server.address() as AddressInfo;
    const status = async (bytes: Buffer) => {
      const socket = net.connect(port, '127.0.0.1');
      const head = `GET /api/admin/roles HTTP/1.1\r\nHost: club.example\r\nConnection: close\r\n${MAIL}: `;
      socket.end(Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n\r\n')]));
      return (await text(socket)).slice(9, 12);
    };

    for (const bytes of [
      Buffer.from('jörg@bücher.example'),
      Buffer.from('JO\u0308RG@xn--bcher-kva.example'),
      Buffer.from('jörg@bücher.example', 'latin1'),
      Buffer.from(' ann@club.栠栠 '),
    ])
      expect([bytes.toString(), await status(bytes)]).toEqual([bytes.toString(), '200']);
    expect(await status(Buffer.from('jorg@bücher.example'))).not.toBe('200');
    expect(await status(Buffer.from('\u200björg@bücher.example'))).toBe('401');
  });

  it('has the permissions of all its roles, and none from unknown roles or names such as `constructor`', async () => {
    await using service = await testApp();
    await appoint(service, 'ann@club.example', 'dj', 'viewer');
    await appoint(service, 'eve@club.example', 'captain', 'constructor', 'toString', '__proto__');
    const ask = (url: string, email: string) => service.get(url, { [MAIL]: email });

    expect((await ask('/api/admin/roles', 'ann@club.example')).statusCode).toBe(200);
    expect((await ask('/api/admin/requests', 'ann@club.example')).statusCode).toBe(200);
    expectForbidden(await ask('/api/admin/roles', 'eve@club.example'), 'roles:read');
  });

  it.each<[string, Record<string, string>, number]>([
    ['nothing in production', { NODE_ENV: 'production' }, 401],
    ['nothing in development, once there is an owner', {}, 401],
    ['a list alone in development', { TRUSTED_PROXIES: '127.0.0.1' }, 401],
    ['a list of others in development', { TRUSTED_PROXIES: '198.51.100.7' }, 401],
    ['a list alone in production', { NODE_ENV: 'production', TRUSTED_PROXIES: '127.0.0.1' }, 401],
    [
      'everybody in production',
      { NODE_ENV: 'production', EDGE_ACCESS_TRUST_HEADERS: 'on', TRUSTED_PROXIES: 'any' },
      401,
    ],
    [
      'a list of others in production',
      { NODE_ENV: 'production', EDGE_ACCESS_TRUST_HEADERS: 'on', TRUSTED_PROXIES: '198.51.100.7' },
      401,
    ],
    [
      'a list that is accepted for it',
      { NODE_ENV: 'production', EDGE_ACCESS_TRUST_HEADERS: 'on', TRUSTED_PROXIES: '127.0.0.1' },
      200,
    ],
  ])('in a plain header depends on the configuration: it trusts %s', async (_what, env, status) => {
    await using service = await testApp({ ...TRUST_UNSET, ...env });
    await appoint(service, 'ann@club.example', 'owner');

    expect(await knock(service, { [MAIL]: 'ann@club.example' })).toBe(status);
  });
});

describe('the bundle of permissions of a role', () => {
  const pub = /^(menu|controls|lighting|sound|now_showing|screenings|requests|feedback|calendar):/;
  const wanted: Record<Role, (permission: string) => boolean> = {
    owner: () => true,
    officer: (permission) => /^(elections|meetings):|^(people|roles|audit):read$/.test(permission),
    chair: (permission) => /^meetings:|^elections:(read|run|certify)$/.test(permission),
    door: (permission) => permission === 'meetings:door',
    teller: (permission) => permission === 'meetings:count',
    secretary: (permission) =>
      /^(people|content):|^elections:(read|write)$|^(roles|audit):read$|^screens:takeover$/.test(permission),
    manager: (permission) =>
      pub.test(permission) || /^(content|screens):|^(roles|audit):read$/.test(permission),
    dj: (permission) => /^(controls|lighting|sound|requests):|^content:read$/.test(permission),
    tender: (permission) =>
      /^(menu|controls|now_showing|lighting|sound|requests|screens):|^(content|feedback):read$/.test(
        permission,
      ),
    events: (permission) => /^(calendar|screenings|now_showing|content):|^screens:takeover$/.test(permission),
    auditor: (permission) => permission.endsWith(':read') || permission === 'elections:export',
    viewer: (permission) => /^(now_showing|feedback|calendar|roles|content):read$/.test(permission),
  };
  it.each(Object.entries(wanted))('is correct for %s', (role, holds) => {
    expect([...ROLES[role as Role]].sort()).toEqual(Object.keys(PERMISSIONS).filter(holds).sort());
  });
});

describe('a token of the edge', () => {
  afterEach(() => void vi.useRealTimers());

  /** Starts a service that verifies edge tokens, with Ann as owner; `show` returns the status for a token. */
  async function guarded(source: { url: string }) {
    const service = await testApp(verifyBy(source));
    await appoint(service, 'ann@club.example', 'owner');
    const show = (token: string) => knock(service, { 'edge-access-jwt-assertion': token });
    return Object.assign(service, { show });
  }

  it('grants the roles of its address: RSA, elliptic curve, several audiences', async () => {
    await using source = await keySource({ rsa, ec });
    await using service = await guarded(source);
    const tokens = [
      sign(CLAIMS, rsa, RSA),
      sign(CLAIMS, ec, EC),
      sign({ ...CLAIMS, aud: ['others', CLAIMS.aud] }, rsa, RSA),
      sign({ ...CLAIMS, email: 'ANN@club.example' }, rsa, RSA),
    ];
    expect(await Promise.all(tokens.map(async (token) => service.show(await token)))).toEqual([
      200, 200, 200, 200,
    ]);
    expect(await service.show(await sign({ ...CLAIMS, email: 'bob@club.example' }, rsa, RSA))).toBe(403);
  });

  it('grants nothing when it is invalid', async () => {
    await using source = await keySource({ rsa, ec });
    await using service = await guarded(source);
    const secret = new TextEncoder().encode(JSON.stringify(rsa.publicKey));
    const tokens: Record<string, string> = {
      expired: await sign({ ...CLAIMS, exp: NOON / SECOND - 60 }, rsa, RSA),
      'another audience': await sign({ ...CLAIMS, aud: 'others' }, rsa, RSA),
      'no audience': await sign(without('aud'), rsa, RSA),
      'another issuer': await sign({ ...CLAIMS, iss: 'https://evil.example' }, rsa, RSA),
      'no expiry': await sign(without('exp'), rsa, RSA),
      'no e-mail': await sign(without('email'), rsa, RSA),
      'an e-mail that is a list': await sign({ ...CLAIMS, email: ['ann@club.example'] }, rsa, RSA),
      'alg none': new UnsecuredJWT(CLAIMS).encode(),
      'HS256 with what is public': await new SignJWT(CLAIMS)
        .setProtectedHeader({ alg: 'HS256', kid: 'rsa' })
        .sign(secret),
      'an unknown key': await sign(CLAIMS, foreign, { alg: 'RS256', kid: 'foreign' }),
      'another key under a known name': await sign(CLAIMS, foreign, RSA),
      garbage: 'a.b.c',
    };
    const met = await Promise.all(
      Object.entries(tokens).map(async ([name, token]) => [name, await service.show(token)]),
    );
    expect(Object.fromEntries(met)).toEqual(
      Object.fromEntries(Object.keys(tokens).map((name) => [name, 401])),
    );
  });

  it('is the only identity: the e-mail header is ignored', async () => {
    await using source = await keySource({ rsa, ec });
    await using service = await guarded(source);
    const bob = await sign({ ...CLAIMS, email: 'bob@club.example' }, rsa, RSA);

    expect(await knock(service, { [MAIL]: 'ann@club.example' })).toBe(401);
    expect(await knock(service, { [MAIL]: 'ann@club.example', 'edge-access-jwt-assertion': bob })).toBe(403);
  });

  it('is accepted with a new key after rotation, and refused with the old one', async () => {
    await using source = await keySource({ old: rsa });
    await using service = await guarded(source);
    const before = await sign(CLAIMS, rsa, { alg: 'RS256', kid: 'old' });
    const after = await sign(CLAIMS, foreign, { alg: 'RS256', kid: 'new' });
    expect([await service.show(before), await service.show(after)]).toEqual([200, 401]);

    await source.publish({ new: foreign });
    // The library waits half a minute between two fetches, by the clock of the machine.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + MINUTE });
    expect([await service.show(after), await service.show(before)]).toEqual([200, 401]);
  });

  it('gets 503 while the keys cannot be fetched, when the token of the pub still works', async () => {
    await using source = await keySource({ rsa });
    await using service = await testApp({ ...verifyBy(source), PUB_ADMIN_TOKEN: TOKEN });
    source.down = true;
    const token = await sign(CLAIMS, rsa, RSA);

    expect(await knock(service, { 'edge-access-jwt-assertion': token })).toBe(503);
    expect(await knock(service, { 'edge-access-jwt-assertion': token, 'x-admin-token': TOKEN })).toBe(200);
  });

  it('is accepted with a key that was fetched before while the source is down', async () => {
    await using source = await keySource({ rsa });
    await using service = await guarded(source);
    await service.show(await sign(CLAIMS, rsa, RSA));
    source.down = true;

    expect(await service.show(await sign({ ...CLAIMS, aud: [CLAIMS.aud] }, rsa, RSA))).toBe(200);
  });
});

describe('every admin route of the pub and the calendar', () => {
  it('requires an identity and declares the permission it needs', async () => {
    await using service = await testApp({ PUB_ADMIN_TOKEN: TOKEN });
    await service.app.ready();
    const ours = /^\/(api\/admin|admin\/(pub|feedback|calendar))(\/|$)/;
    const paths = Object.entries(service.app.swagger().paths ?? {}).filter(([url]) => ours.test(url));
    const routes = paths.flatMap(([url, methods]) =>
      Object.keys(methods ?? {}).map((method) => ({ url, method })),
    );
    expect(routes.length).toBeGreaterThan(3);

    for (const { url, method } of routes) {
      const call = (headers: Record<string, string>) =>
        service.request({
          method: method.toUpperCase() as 'GET',
          url: url.replace(/\{\w+\}/g, 'x'),
          headers,
        });
      const nobody = await call({ host: 'club.example', accept: 'application/json' });
      const stranger = await call({ [MAIL]: 'eve@club.example', accept: 'application/json' });
      expect(`${method} ${url} ${nobody.statusCode} ${stranger.statusCode}`).toBe(`${method} ${url} 401 403`);
      if (method === 'head') continue;
      expect(`${method} ${url} ${stranger.json().permission}`).toMatch(/ (any|[a-z_]+:[a-z_]+)$/);
    }
  });

  it('cannot be registered without declaring a permission', () => {
    const register = (config: RouteOptions['config']) => () =>
      demandPermission.call({} as never, { method: 'GET', url: '/api/admin/x', config } as never);
    expect(register({})).toThrow('GET /api/admin/x declares no permission');
    expect(register({ permission: 'audit:read' })).not.toThrow();
  });

  it('does not reveal to unauthenticated clients whether it exists', async () => {
    await using service = await testApp({ PUB_ADMIN_TOKEN: TOKEN });
    const nowhere = (headers: Record<string, string>) => service.get('/api/admin/cellar', headers);
    expectRefusal(await nowhere({ host: 'club.example' }), 401, 'staff_key_required');
    expectRefusal(await nowhere({ 'x-admin-token': TOKEN }), 404, 'not_found');
  });
});

it('the headers of the edge have the configured names, and the default names are then ignored', async () => {
  await using service = await testApp({
    EDGE_ACCESS_EMAIL_HEADER: 'X-Auth-Request-Email',
    EDGE_CLIENT_HEADER: 'CF-Connecting-IP',
  });
  await appoint(service, 'ann@club.example', 'owner');

  expect(await knock(service, { 'x-auth-request-email': 'ann@club.example' })).toBe(200);
  expect(await knock(service, { [MAIL]: 'ann@club.example' })).toBe(401);
});

it.each(['Authorization', 'cookie', 'HOST', 'no name', ''])('%j is not a valid edge header', (name) => {
  const read = () => readConfig({ EDGE_ACCESS_JWT_HEADER: name || ' : ' }, '');
  expect(read).toThrow('EDGE_ACCESS_JWT_HEADER');
});
