import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { NOON, type TestApp, testApp } from '#test/support/app.ts';
import { message } from '#test/support/messages.ts';
import {
  CLAIMS,
  EC,
  type Key,
  keySource as keySourceOf,
  makeKeys,
  RSA,
  sign,
  verifyBy,
  without,
} from '#test/support/people/key-source.ts';
import { shared } from '#test/support/shared-app.ts';

let rsa: Key;
let ec: Key;
let foreign: Key;

beforeAll(async () => {
  ({ rsa, ec, foreign } = await makeKeys());
});

const keySource = () => keySourceOf({ rsa, ec });

const verifying = (source: { url: string }, env: Record<string, string> = {}) =>
  testApp({ ...verifyBy(source), ADMIN_API_KEY: 'a long key for officers', ...env });

const signed = (claims: JWTPayload = CLAIMS, key: Key = rsa, header: { alg: string; kid?: string } = RSA) =>
  sign(claims, key, header);

const knock = (service: TestApp, headers: Record<string, string>) =>
  service.request({ url: '/admin/elections', headers: { host: 'club.example', ...headers } });

async function present(service: TestApp, token: string): Promise<number> {
  return (await knock(service, { 'edge-access-jwt-assertion': token })).statusCode;
}

describe('once a key set is configured, an edge token', () => {
  const verified = shared(async () => {
    const source = await keySource();
    const service = await verifying(source);
    return {
      service,
      async [Symbol.asyncDispose]() {
        await service[Symbol.asyncDispose]();
        await source[Symbol.asyncDispose]();
      },
    };
  });

  it.each<[string, () => Promise<string>]>([
    ['signed with RSA', () => signed()],
    ['signed with an elliptic curve', () => signed(CLAIMS, ec, EC)],
    ['for several audiences', () => signed({ ...CLAIMS, aud: ['others', CLAIMS.aud] })],
    ['that ran out within the tolerance of clocks', () => signed({ ...CLAIMS, exp: NOON / SECOND - 20 })],
  ])('is accepted: %s', async (_what, make) => {
    expect(await present((await verified()).service, await make())).toBe(200);
  });

  it.each<[string, () => Promise<string> | string]>([
    ['expired', () => signed({ ...CLAIMS, exp: NOON / SECOND - 60 })],
    ['without expiry', () => signed(without('exp'))],
    ['not yet valid', () => signed({ ...CLAIMS, nbf: CLAIMS.exp })],
    ['for another audience', () => signed({ ...CLAIMS, aud: 'others' })],
    ['for no audience', () => signed(without('aud'))],
    ['of another issuer', () => signed({ ...CLAIMS, iss: 'https://evil.example' })],
    ['of no issuer', () => signed(without('iss'))],
    ['signed with another key', () => signed(CLAIMS, foreign)],
    ['naming a key nobody knows', () => signed(CLAIMS, foreign, { alg: 'RS256', kid: 'foreign' })],
    ['without a signature', () => new UnsecuredJWT(CLAIMS).encode()],
    [
      'signed with a shared secret',
      () => new SignJWT(CLAIMS).setProtectedHeader({ alg: 'HS256', kid: 'rsa' }).sign(new Uint8Array(32)),
    ],
    [
      'changed after signing',
      async () => {
        const [head, , signature] = (await signed()).split('.');
        const payload = Buffer.from(JSON.stringify({ ...CLAIMS, email: 'eve@club.example' })).toString(
          'base64url',
        );
        return `${head}.${payload}.${signature}`;
      },
    ],
    ['that is garbage', () => 'a.b.c'],
    ['that is one word', () => 'garbage'],
  ])('is refused: %s', async (_what, make) => {
    expect(await present((await verified()).service, await make())).toBe(401);
  });

  it('is required: an email header alone is refused, and so is one with a bad token', async () => {
    await using source = await keySource();
    await using service = await verifying(source);
    const mail = { 'edge-access-authenticated-user-email': 'ann@club.example' };

    const answers = [
      await knock(service, mail),
      await knock(service, { ...mail, 'edge-access-jwt-assertion': 'garbage' }),
      await knock(service, {}),
    ];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401]);
    expect(answers[0]?.json()).toEqual({
      error: message('authentication_required'),
      code: 'officer_key_required',
      message: expect.any(String),
      params: {},
    });
  });

  it('is accepted only from a trusted proxy', async () => {
    await using source = await keySource();
    await using service = await verifying(source, { TRUSTED_PROXIES: '198.51.100.7' });
    const headers = { host: 'club.example', 'edge-access-jwt-assertion': await signed() };

    const statuses = [];
    for (const remoteAddress of ['198.51.100.7', '203.0.113.9']) {
      statuses.push((await service.request({ url: '/admin/elections', headers, remoteAddress })).statusCode);
    }

    expect(statuses).toEqual([200, 401]);
  });

  it('identifies the officer in the audit log by its email address, in production', async () => {
    await using source = await keySource();
    await using service = await verifying(source);
    const bob = await signed({ ...CLAIMS, email: 'Bob@club.example' });
    const headers = { host: 'club.example', 'edge-access-jwt-assertion': bob };
    const forged = { ...headers, 'edge-access-authenticated-user-email': 'ann@club.example' };

    await service.post('/admin/distribution-lists', { name: 'Members' }, forged);
    const { logs } = (await service.get('/admin/audit-logs', headers)).json();

    expect(logs).toEqual([expect.objectContaining({ action: 'list.created' })]);
    expect(JSON.parse(logs[0].metadata).by).toBe('bob@club.example');
  });

  it('does not affect the API key', async () => {
    await using source = await keySource();
    await using service = await verifying(source);

    const answer = await knock(service, {
      authorization: 'Bearer a long key for officers',
      'edge-access-jwt-assertion': 'garbage',
    });

    expect(answer.statusCode).toBe(200);
  });
});

describe('while the key source is down', () => {
  it('tokens of keys fetched before are still accepted', async () => {
    await using source = await keySource();
    await using service = await verifying(source);
    await present(service, await signed());
    source.down = true;

    const statuses = [
      await present(service, await signed({ ...CLAIMS, email: 'bob@club.example' })),
      await present(service, await signed(CLAIMS, ec, EC)),
      await present(service, await signed(CLAIMS, foreign)),
    ];

    expect(statuses).toEqual([200, 200, 401]);
  });

  it('and no keys were fetched, tokens are a 503, and the source is asked again only later', async () => {
    await using source = await keySource();
    await using service = await verifying(source);
    source.down = true;
    const token = await signed();

    const closed = [];
    for (let times = 0; times < 5; times++) closed.push(await present(service, token));
    const asked = source.asked;
    source.down = false;
    service.clock.now += MINUTE / 2;
    const open = await present(service, token);

    expect(closed).toEqual([503, 503, 503, 503, 503]);
    expect(asked).toBe(1);
    expect(open).toBe(200);
  });

  it('the API key is still accepted, even in a request with a token', async () => {
    await using source = await keySource();
    await using service = await verifying(source);
    source.down = true;
    const authorization = 'Bearer a long key for officers';

    const answer = await knock(service, { authorization, 'edge-access-jwt-assertion': await signed() });

    expect(answer.statusCode).toBe(200);
  });
});
