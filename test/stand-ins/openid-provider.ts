import { generateKeyPairSync } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';
import { onTestFinished } from 'vitest';

/** The credentials of the service at the provider. */
export const CLIENT = { id: 'publichouse', secret: 'a-secret-of-at-least-32-characters' };

export interface OpenIdServer {
  issuer: string;
  /** Claims by subject: email, email_verified, name. */
  accounts: Map<string, Record<string, unknown>>;
  /** Sets who signs in at the next visit; undefined: the person refuses. */
  signInAs(subject: string | undefined): void;
  close(): Promise<void>;
}

/**
 * Starts a real OpenID provider on a local port. It grants consent without asking.
 * @param atEnd is given the function that closes it; by default the test's end calls it
 */
export async function startOpenIdProvider(
  redirectUri: string,
  signedOutUri: string,
  atEnd: (close: () => Promise<void>) => void = onTestFinished,
): Promise<OpenIdServer> {
  const accounts = new Map<string, Record<string, unknown>>();
  let loginAs: string | undefined;
  const server = http.createServer();
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, configuration(accounts, redirectUri, signedOutUri));
  const callback = provider.callback();
  server.on('request', async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return callback(request, response);
    const { prompt, params, session, grantId } = await provider.interactionDetails(request, response);
    if (prompt.name === 'login') {
      const result = loginAs ? { login: { accountId: loginAs } } : { error: 'access_denied' };
      const options = { mergeWithLastSubmission: false };
      return provider.interactionFinished(request, response, result, options);
    }
    const known = grantId && (await provider.Grant.find(grantId));
    const grant =
      known || new provider.Grant({ accountId: session?.accountId, clientId: String(params.client_id) });
    const { missingOIDCScope, missingOIDCClaims } = prompt.details as {
      [name in 'missingOIDCScope' | 'missingOIDCClaims']?: string[];
    };
    grant.addOIDCScope(missingOIDCScope?.join(' ') ?? '');
    grant.addOIDCClaims(missingOIDCClaims ?? []);
    const result = { consent: { grantId: await grant.save() } };
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
  });
  const close = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  atEnd(close);
  const signInAs = (subject: string | undefined) => {
    loginAs = subject;
  };
  return { issuer, accounts, signInAs, close };
}

/** Made once in a process: a pair takes longer than most tests. */
let signingKey: object | undefined;
function privateJwk(): object {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'one' };
}

function configuration(
  accounts: Map<string, Record<string, unknown>>,
  redirectUri: string,
  signedOutUri: string,
): Configuration {
  signingKey ??= privateJwk();
  return {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [signedOutUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [signingKey] },
    cookies: { keys: ['a-cookie-key'] },
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    findAccount: async (_ctx: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...accounts.get(id) }),
    }),
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
    interactions: { url: (_ctx: unknown, one: { uid: string }) => `/interaction/${one.uid}` },
  };
}

/** Follows the provider's redirects as a browser does, until one leads back to the service. @returns that address */
export async function visitProvider(address: string, cookies = new Map<string, string>()): Promise<string> {
  let url = new URL(address);
  const { origin } = url;
  for (let hop = 0; hop < 10; hop += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (!location) throw new Error(`The provider stopped at ${url}: ${await answer.text()}`);
    url = new URL(location, url);
    if (url.origin !== origin) return url.href;
  }
  throw new Error('The provider leads in circles');
}
