// Edge tokens that must be refused, and users who try to exceed their permissions.
import { createHmac } from 'node:crypto';
import { exportJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
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
import { type Attack, type Outcome, statuses, unless } from './attack.ts';
import { each } from './request.ts';
import { fill } from './routes.ts';
import { OWNER, VIEWER } from './seed.ts';
import type { Target } from './target.ts';

const HEADER = 'edge-access-jwt-assertion';
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Creates an edge: the settings that verify its tokens, and attacks on them. */
export async function verifiedEdge() {
  const { rsa, ec, foreign } = await makeKeys();
  const source = await keySource({ rsa, ec });
  const now = Math.floor(Temporal.Now.instant().epochMilliseconds / 1_000);
  const claims: JWTPayload = { ...CLAIMS, email: OWNER, exp: now + 3_600 };
  const signed = (changes: JWTPayload = {}, key: Key = rsa, header: { alg: string; kid?: string } = RSA) =>
    sign({ ...claims, ...changes }, key, header);
  const attacks: Attack[] = [
    [
      'edge tokens that are not good',
      async (target) => presentAll(target, await badTokens(), await signed()),
    ],
    ['a viewer at the routes of others', async (target) => escalate(target, await signed({ email: VIEWER }))],
  ];
  return { settings: verifyBy(source), attacks, [Symbol.asyncDispose]: () => source[Symbol.asyncDispose]() };

  async function badTokens(): Promise<Record<string, string | string[]>> {
    const good = await signed();
    const [head = '', body = '', signature = ''] = good.split('.');
    const publicKey = await exportJWK(rsa.publicKey);
    const embedded = { alg: 'RS256', jwk: await exportJWK(foreign.publicKey) };
    const foreignly = (header: { alg: string; kid?: string }) =>
      new SignJWT(claims).setProtectedHeader(header).sign(foreign.privateKey);
    const shared = (secret: string) => {
      const text = `${part({ alg: 'HS256', kid: 'rsa' })}.${body}`;
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    };
    return {
      expired: await signed({ exp: now - 3_600 }),
      'without expiry': await sign({ ...without('exp'), email: OWNER }, rsa, RSA),
      'not yet valid': await signed({ nbf: now + 3_600 }),
      'for another audience': await signed({ aud: 'others' }),
      'for no audience': await sign({ ...without('aud'), exp: now + 3_600 }, rsa, RSA),
      'of another issuer': await signed({ iss: 'https://evil.example' }),
      'of an issuer that begins alike': await signed({ iss: `${CLAIMS.iss}.evil.example` }),
      'of another key': await signed({}, foreign),
      'of an unknown key': await signed({}, foreign, { alg: 'RS256', kid: 'foreign' }),
      'of a key file': await foreignly({ alg: 'RS256', kid: '../../../dev/null' }),
      'with its own key': await foreignly(embedded as { alg: string }),
      'with the address of its key': await foreignly({
        alg: 'RS256',
        kid: 'rsa',
        jku: `${source.url}?evil`,
      } as { alg: string }),
      'with a rule nobody knows': `${part({ alg: 'RS256', kid: 'rsa', crit: ['x'], x: 1 })}.${body}.${signature}`,
      'without a signature': new UnsecuredJWT(claims).encode(),
      'with its signature cut off': `${head}.${body}.`,
      'signed with no algorithm, in capitals': `${part({ alg: 'NONE' })}.${body}.${signature}`,
      'signed with the public key as a secret': shared(JSON.stringify(publicKey)),
      'signed with an empty secret': shared(''),
      'with a signature of zeros': `${part(EC)}.${body}.${Buffer.alloc(64).toString('base64url')}`,
      'with an RSA signature for a curve': `${part(EC)}.${body}.${signature}`,
      'changed after signing': `${head}.${part({ ...claims, email: 'eve@club.example' })}.${signature}`,
      'twice, the good one second': ['x', good],
      garbage: 'a.b.c',
      'as a word': 'x',
    };
  }
}

async function presentAll(
  target: Target,
  bad: Record<string, string | string[]>,
  good: string,
): Promise<Outcome> {
  const names = Object.keys(bad);
  const present = (path: string) =>
    each(names, (name) =>
      target.ask(path, { headers: { [HEADER]: bad[name]!, 'edge-access-authenticated-user-email': OWNER } }),
    );
  const officers = await present('/admin/elections');
  const staff = await present('/api/admin/roles');
  const opened = [
    await target.ask('/admin/elections', { headers: { [HEADER]: good } }),
    await target.ask('/api/admin/roles', { headers: { [HEADER]: good } }),
  ];
  return {
    saw: `${names.length} bad tokens: ${statuses([...officers, ...staff])}; a good one: ${statuses(opened)}`,
    wrong: [
      ...names.flatMap((name, at) =>
        unless(officers[at]!.status === 401 && staff[at]!.status === 401, `a token ${name} was accepted`),
      ),
      ...unless(opened[1]!.status === 200, 'a good token opens nothing'),
    ],
  };
}

/** Tries changes as a viewer, who may read a little and change nothing. */
async function escalate(target: Target, token: string): Promise<Outcome> {
  const { routes, election } = target.seed;
  const changed = target.watch();
  const writes = routes.filter(({ method, path }) => method !== 'GET' && path.startsWith('/api/admin/'));
  const body = {
    email: VIEWER,
    roles: ['owner'],
    enabled: false,
    mode: 'off',
    action: 'blackout',
    barRightDisplay: false,
  };
  const answers = await each(writes, ({ method, path }) =>
    target.ask(fill(path, election), { method, body, headers: { [HEADER]: token } }),
  );
  const looked = await target.ask('/api/admin/feedback', { headers: { [HEADER]: token } });
  return {
    saw: `${writes.length} changes by a viewer: ${statuses(answers)}`,
    wrong: [
      ...writes.flatMap(({ method, path }, at) =>
        unless([403, 410].includes(answers[at]!.status), `${method} ${path} answered ${answers[at]!.status}`),
      ),
      ...unless(looked.status === 200, 'the viewer may not even look'),
      ...changed(),
    ],
  };
}
