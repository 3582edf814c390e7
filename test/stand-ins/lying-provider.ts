import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { onTestFinished } from 'vitest';
import { CLIENT } from './openid-provider.ts';

type Answer = 'discovery' | 'token' | 'keys' | 'userinfo';

/** The false answers of the provider. */
export interface Lies {
  /** Claims of the ID token, in place of the correct ones; undefined removes one. */
  claims?: Record<string, unknown>;
  /** Signs with a key that is not published. */
  forged?: boolean;
  /** An ID token without a signature. */
  unsigned?: boolean;
  /** No ID token at all. */
  withoutToken?: boolean;
  userinfo?: Record<string, unknown>;
  /** Fields of its metadata, in place of the correct ones. */
  metadata?: Record<string, unknown>;
  /** The algorithm of the ID token, in place of RS256. */
  alg?: string;
  /** The only client authentication that its token endpoint takes. */
  takes?: 'client_secret_basic' | 'client_secret_post' | 'none';
  /** The Date of its answers. */
  date?: string;
  /** The request that is answered with this status and an empty page. */
  fails?: { at: Answer; status: number };
  /** The request that is never answered. */
  hangs?: Answer;
  /** Called when that request arrives. */
  onHang?: () => void;
}

export interface LyingProvider {
  issuer: string;
  lies: Lies;
  /** The nonce of the current sign-in, and the subject of the account. */
  expects: { nonce: string; subject: string };
  /** What the service has sent to the token endpoint. */
  posted: URLSearchParams[];
}

/** Made once in a process: a pair takes longer than most tests. */
let pairs: ReturnType<typeof makePairs> | undefined;
const makePairs = () => {
  const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { own: pair(), foreign: pair() };
};

/**
 * Starts an OpenID provider that gives false answers where `lies` says so.
 * @param atEnd is given the function that closes it; by default the test's end calls it
 */
export async function startLyingProvider(
  atEnd: (close: () => Promise<void>) => void = onTestFinished,
): Promise<LyingProvider> {
  pairs ??= makePairs();
  const { own, foreign } = pairs;
  const server = http.createServer();
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: LyingProvider = { issuer, lies: {}, expects: { nonce: '', subject: 'ann-1' }, posted: [] };
  const answers: Record<Answer, () => unknown> = {
    discovery: () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      userinfo_endpoint: `${issuer}/userinfo`,
      response_types_supported: ['code'],
      id_token_signing_alg_values_supported: ['RS256'],
      ...provider.lies.metadata,
    }),
    keys: () => ({
      keys: [{ ...own.publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'one' }],
    }),
    token: async () => ({
      access_token: 'an access token',
      token_type: 'Bearer',
      expires_in: 600,
      ...(!provider.lies.withoutToken && { id_token: await idToken(provider, own, foreign) }),
    }),
    userinfo: () => ({ sub: provider.expects.subject, ...provider.lies.userinfo }),
  };
  server.on('request', async (request, response) => {
    const url = new URL(request.url ?? '/', issuer);
    const name = (url.pathname.startsWith('/.well-known/') ? 'discovery' : url.pathname.slice(1)) as Answer;
    if (provider.lies.hangs === name) return provider.lies.onHang?.();
    const { fails, takes, date } = provider.lies;
    if (date !== undefined) response.setHeader('date', date);
    if (fails?.at === name)
      return response.writeHead(fails.status, { 'content-type': 'text/html' }).end('Not here');
    if (name === 'token') {
      const posted = new URLSearchParams(await request.setEncoding('utf8').toArray().then(String));
      provider.posted.push(posted);
      if (takes !== undefined && methodOf(request, posted) !== takes)
        return response
          .writeHead(401, { 'content-type': 'application/json' })
          .end(JSON.stringify({ error: 'invalid_client' }));
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(await answers[name]()));
  });
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  return provider;
}

/** How a request to the token endpoint proves the client; undefined if the secret is wrong. */
function methodOf({ headers }: http.IncomingMessage, posted: URLSearchParams): string | undefined {
  const { authorization } = headers;
  if (authorization !== undefined) {
    // RFC 6749, 2.3.1: both are encoded as in a form.
    const sent = Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
      .toString()
      .split(':');
    const right = sent.map(decodeURIComponent).join(' ') === `${CLIENT.id} ${CLIENT.secret}`;
    return right ? 'client_secret_basic' : undefined;
  }
  if (!posted.has('client_secret')) return 'none';
  return posted.get('client_secret') === CLIENT.secret ? 'client_secret_post' : undefined;
}

type Pair = { privateKey: KeyObject };

async function idToken({ issuer, lies, expects }: LyingProvider, own: Pair, foreign: Pair): Promise<string> {
  const now = Math.floor(Temporal.Now.instant().epochMilliseconds / 1000);
  const claims = {
    iss: issuer,
    aud: CLIENT.id,
    sub: expects.subject,
    nonce: expects.nonce,
    iat: now,
    exp: now + 600,
    ...lies.claims,
  };
  if (lies.unsigned) {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    return `${part({ alg: 'none' })}.${part(claims)}.`;
  }
  if (lies.alg?.startsWith('HS'))
    return new SignJWT(claims)
      .setProtectedHeader({ alg: lies.alg })
      .sign(Buffer.from(CLIENT.secret.repeat(8)));
  const key = lies.forged ? foreign.privateKey : own.privateKey;
  return new SignJWT(claims).setProtectedHeader({ alg: lies.alg ?? 'RS256', kid: 'one' }).sign(key);
}
