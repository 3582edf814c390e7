import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import { type Lies, type LyingProvider, startLyingProvider } from '#test/stand-ins/lying-provider.ts';
import { type MailServer, startMailServer } from '#test/stand-ins/mail-server.ts';
import { BASE, type TestApp } from '#test/support/app.ts';
import { message } from '#test/support/messages.ts';
import { leaveFor, oidcApp } from '#test/support/people/oidc.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { browserOf } from '#test/support/people/people.ts';
import { holdTimeouts } from '#test/support/request-timeouts.ts';
import { afterLast } from '#test/support/shared-app.ts';

const LINK = '/sign-in/oidc/link';

const atEnd = afterLast();
let mails: MailServer;
let service: TestApp;
let provider: LyingProvider;
let owner: Record<string, string>;
beforeAll(async () => {
  mails = await startMailServer({}, atEnd);
});

async function start(lies: Lies, env: Record<string, string> = {}): Promise<void> {
  provider = await startLyingProvider();
  provider.lies = lies;
  service = await oidcApp(provider.issuer, mails, env);
  onTestFinished(() => service[Symbol.asyncDispose]());
  owner = await appoint(service, 'olga@club.example', 'owner');
}

/** Goes to the provider and comes back. An account that is not linked yet arrives at LINK. */
async function signIn() {
  const browser = browserOf(service);
  const query = (await leaveFor(browser)).searchParams;
  provider.expects.nonce = query.get('nonce') ?? '';
  const back = new URLSearchParams({ code: 'x', state: query.get('state') ?? '' });
  return { browser, answer: await browser.get(`/sign-in/oidc/callback?${back}`) };
}

const health = async () => (await service.get('/admin/health', { accept: 'text/html', ...owner })).body;
const seconds = () => Math.floor(Temporal.Now.instant().epochMilliseconds / 1000);
const supports = (...methods: string[]) => ({
  metadata: { token_endpoint_auth_methods_supported: methods },
});

describe('the client authentication', () => {
  it.each([
    ['client_secret_basic', {}, ''],
    ['client_secret_basic', supports('client_secret_post', 'client_secret_basic'), ''],
    ['client_secret_post', supports('client_secret_post'), ''],
    ['client_secret_post', supports('private_key_jwt', 'client_secret_post', 'none'), ''],
    ['none', supports('none'), ''],
    ['client_secret_post', supports('client_secret_basic'), 'client_secret_post'],
    ['client_secret_basic', supports('client_secret_post'), 'client_secret_basic'],
    ['none', {}, 'none'],
  ] as const)('is %s with %o and OIDC_CLIENT_AUTH_METHOD=%s', async (takes, lies, forced) => {
    await start({ ...lies, takes }, { OIDC_CLIENT_AUTH_METHOD: forced });

    expect((await signIn()).answer.headers.location).toBe(LINK);
  });

  it('none needs no secret, and other methods are refused at the start', () => {
    const env = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'x', BASE_URL: BASE };
    expect(readConfig({ ...env, OIDC_CLIENT_AUTH_METHOD: 'none' }, '').OIDC_CLIENT_SECRET).toBeUndefined();
    expect(() => readConfig({ ...env, OIDC_CLIENT_AUTH_METHOD: 'client_secret_post' }, '')).toThrow(
      'OIDC_CLIENT_SECRET: is needed',
    );
    expect(() => readConfig({ ...env, OIDC_CLIENT_AUTH_METHOD: 'private_key_jwt' }, '')).toThrow(
      /^OIDC_CLIENT_AUTH_METHOD: /,
    );
  });
});

describe('clocks', () => {
  it.each([
    ['60 s ahead with nbf', () => ({ iat: seconds() + 60, nbf: seconds() + 60 }), 303],
    ['60 s behind', () => ({ iat: seconds() - 660, exp: seconds() - 60 }), 303],
    ['ten minutes ahead with nbf', () => ({ nbf: seconds() + 600 }), 401],
    ['ten minutes behind', () => ({ exp: seconds() - 600 }), 401],
  ])('%s', async (_, claims, status) => {
    await start({ claims: claims() });
    const { answer } = await signIn();

    expect(answer.statusCode).toBe(status);
    if (status === 303) return;
    expect(answer.body).toContain('The clocks of The Club Account and of this service differ');
    expect(service.logged.join()).toContain('OpenID: the clocks differ: the token has ');
    expect(await health()).toContain('the clocks differ');
  });
});

const WRONG_SETTINGS: [string, (issuer: string) => Lies, string[]][] = [
  [
    'another issuer in the metadata',
    (issuer) => ({ metadata: { issuer: `${issuer}/club/` } }),
    ['OIDC_ISSUER is', '/club/'],
  ],
  [
    'an issuer of another host',
    () => ({ metadata: { issuer: 'https://id.example' } }),
    ['calls itself https://id.example'],
  ],
  [
    'another issuer in the token',
    () => ({ claims: { iss: 'https://id.example' } }),
    ['issuer https://id.example', 'expected was'],
  ],
  ['no provider there', () => ({ fails: { at: 'discovery', status: 404 } }), ['no metadata', 'status 404']],
  ['no JSON there', () => ({ fails: { at: 'discovery', status: 200 } }), ['no metadata', 'status 200']],
  [
    'a method that is not known',
    () => supports('private_key_jwt'),
    ['private_key_jwt', 'expected was one of'],
  ],
  [
    'a wrong secret or method',
    () => ({ takes: 'client_secret_post' }),
    ['invalid_client, method client_secret_basic', 'OIDC_CLIENT_AUTH_METHOD'],
  ],
  ['a symmetric algorithm', () => ({ alg: 'HS256' }), ['signed with HS256', 'expected was RS256']],
  [
    'a symmetric algorithm that the metadata name',
    () => ({ alg: 'HS256', metadata: { id_token_signing_alg_values_supported: ['HS256'] } }),
    ['signed with HS256', 'expected was RS256, PS256, ES256 or EdDSA'],
  ],
  ['another algorithm than announced', () => ({ alg: 'PS256' }), ['signed with PS256', 'expected was RS256']],
];

it.each(WRONG_SETTINGS)('%s: the log and the health page say what is wrong', async (_, lies, words) => {
  await start({});
  provider.lies = lies(provider.issuer);
  const browser = browserOf(service);
  const left = await browser.get('/sign-in/oidc');
  const answer = left.statusCode === 303 ? (await signIn()).answer : left;

  expect([401, 503]).toContain(answer.statusCode);
  expect(answer.body).toContain('Signing in with The Club Account is not set up correctly');
  const logged = service.logged.filter((line) => line.includes('OpenID: ')).join();
  const page = await health();
  for (const word of words) expect([logged.includes(word), page.includes(word)]).toEqual([true, true]);
  expect(logged).not.toMatch(/secret of|an access token|eyJ/);
});

it('what strangers can cause is not on the health page, and a sign-in takes the problem off it', async () => {
  await start({ takes: 'client_secret_post' });
  await signIn();
  expect(await health()).toContain('Nobody can sign in with The Club Account');

  provider.lies = {};
  const { answer } = await signIn();
  expect(answer.headers.location).toBe(LINK);
  provider.lies = { claims: { nonce: 'another' } };
  expect((await signIn()).answer.statusCode).toBe(401);
  const page = await health();
  expect([page.includes('Nobody can sign in'), page.includes('Last sign-in with')]).toEqual([false, true]);
});

it('the health page asks for the metadata before anybody signs in', async () => {
  await start({ metadata: { issuer: 'https://id.example' } });

  await expect.poll(health).toContain('calls itself https://id.example');
  provider.lies = {};
  service.clock.now += MINUTE;
  await expect.poll(health).toContain('Nobody has signed in with The Club Account since the start');
});

it('a provider that fails is one that cannot be reached', async () => {
  await start({ fails: { at: 'token', status: 502 } });
  const { answer } = await signIn();

  expect([
    answer.statusCode,
    answer.body.includes(message('oidc_unreachable', { provider: 'The Club Account' })),
  ]).toEqual([503, true]);
});

describe('without the user info', () => {
  it.each([
    ['fails', { fails: { at: 'userinfo', status: 500 } }],
    ['is not JSON', { fails: { at: 'userinfo', status: 200 } }],
    ['refuses the token', { fails: { at: 'userinfo', status: 403 } }],
  ] as [string, Lies][])('that %s, the ID token names the address', async (_, lies) => {
    await start({ ...lies, claims: { email: 'ann@club.example' } });
    const { browser, answer } = await signIn();

    expect(answer.headers.location).toBe(LINK);
    expect((await browser.get(LINK)).body).toContain('ann@club.example');
    expect(service.logged.join()).toContain('the user info cannot be read');
  });

  it('that is never answered, the sign-in goes on', async () => {
    await start({});
    provider.lies = { hangs: 'userinfo', onHang: holdTimeouts() };

    expect((await signIn()).answer.headers.location).toBe(LINK);
  });
});
