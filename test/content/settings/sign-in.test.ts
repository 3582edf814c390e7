import { beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { dateOf, HOUR, systemClock } from '#kernel/clock.ts';
import { type Lies, type LyingProvider, startLyingProvider } from '#test/stand-ins/lying-provider.ts';
import {
  CLIENT,
  type OpenIdServer,
  startOpenIdProvider,
  visitProvider,
} from '#test/stand-ins/openid-provider.ts';
import { BASE, type TestApp, testApp } from '#test/support/app.ts';
import { CALLBACK, pathOf } from '#test/support/people/oidc.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { browserOf } from '#test/support/people/people.ts';
import { afterLast } from '#test/support/shared-app.ts';

const OLGA = 'olga@club.example';
const atEnd = afterLast();
let honest: OpenIdServer;
let lying: LyingProvider;
let service: TestApp;
let owner: Record<string, string>;

beforeAll(async () => {
  honest = await startOpenIdProvider(CALLBACK, `${BASE}/`, atEnd);
  lying = await startLyingProvider(atEnd);
});
beforeEach(() => start());

async function start(env: Record<string, string> = {}): Promise<void> {
  service = await testApp({ BASE_URL: BASE, RATE_LIMIT_SIGN_IN: '1000', ...env });
  onTestFinished(() => service[Symbol.asyncDispose]());
  owner = await appoint(service, OLGA, 'owner');
}

const send = async (method: 'PUT' | 'POST', url: string, payload: object) => {
  const headers = { ...owner, accept: 'application/json' };
  const answer = await service.request({ method, url, payload, headers });
  return { status: answer.statusCode, ...answer.json() };
};
const put = (oidc: Record<string, unknown>) => send('PUT', '/api/admin/settings', { oidc });
const test = () => send('POST', '/api/admin/settings/oidc/test', {});
const at = ({ issuer }: { issuer: string }) => ({
  issuer,
  client_id: CLIENT.id,
  client_secret: CLIENT.secret,
  name: 'The Club Account',
});
const signInPage = async () => (await service.get('/sign-in', { accept: 'text/html' })).body;
const door = async (url: string) => (await browserOf(service).get(url)).statusCode;

it('an OpenID provider works from the moment it is set, changed and removed, without a restart', async () => {
  expect([await door('/sign-in/oidc'), await door('/sign-in/oidc/callback')]).toEqual([404, 404]);
  expect(await signInPage()).not.toContain('The Club Account');

  expect(await put({ ...at(honest), trust_email: true })).toMatchObject({
    status: 200,
    settings: { oidc: { issuer: honest.issuer, client_secret_set: true, trust_email: true } },
  });
  expect(await signInPage()).toContain('The Club Account');
  honest.accounts.set('olga-1', { email: OLGA, email_verified: true });
  honest.signInAs('olga-1');
  const browser = browserOf(service);
  const left = await browser.get('/sign-in/oidc?next=/events');
  const back = await visitProvider(String(left.headers.location));
  expect((await browser.get(pathOf(back))).headers.location).toBe('/events');
  expect(await browser.isSignedIn()).toBe(true);

  // The secret was entered for the provider before, and is sent to no other.
  expect((await put({ issuer: lying.issuer })).settings.oidc).toMatchObject({ client_secret_set: false });
  expect(await door('/sign-in/oidc')).toBe(404);
  await put({ client_secret: CLIENT.secret });
  const moved = await browserOf(service).get('/sign-in/oidc');
  expect(String(moved.headers.location)).toContain(lying.issuer);
  await put({ issuer: null, client_secret: null });
  expect(await door('/sign-in/oidc')).toBe(404);
  expect(await signInPage()).not.toContain('The Club Account');
});

it('the test finds nothing at a provider that fits, and says first what is missing', async () => {
  expect(await test()).toEqual({
    status: 200,
    ok: false,
    findings: ['Enter the issuer, the client id and the client secret first.'],
  });
  await put(at(honest));
  expect(await test()).toEqual({ status: 200, ok: true, findings: [] });
  lying.lies = {};
  await put(at(lying));
  expect(await test()).toMatchObject({ ok: true });
});

const hours = (number: number) => Math.floor((systemClock() + number * HOUR) / 1000);

it.each<[string, () => Lies, object, RegExp]>([
  [
    'another issuer',
    () => ({ metadata: { issuer: 'https://id.example' } }),
    {},
    /issuer is http.*calls itself https:\/\/id\.example/,
  ],
  [
    'another issuer in the token',
    () => ({ claims: { iss: 'https://id.example' } }),
    {},
    /issuer https:\/\/id\.example, expected was http/,
  ],
  [
    'no provider there',
    () => ({ fails: { at: 'discovery', status: 404 } }),
    {},
    /no metadata of an OpenID provider.*404/,
  ],
  [
    'an algorithm',
    () => ({ metadata: { id_token_signing_alg_values_supported: ['HS256'] } }),
    {},
    /HS256, expected was RS256/,
  ],
  ['the algorithm of the token', () => ({ alg: 'HS256' }), {}, /HS256, expected was RS256/],
  [
    'a method',
    () => ({ metadata: { token_endpoint_auth_methods_supported: ['private_key_jwt'] } }),
    {},
    /private_key_jwt, expected was one of client_secret_basic/,
  ],
  [
    'another method than announced',
    () => ({ takes: 'client_secret_post' }),
    {},
    /method client_secret_basic/,
  ],
  [
    'a wrong secret',
    () => ({ takes: 'client_secret_basic' }),
    { client_secret: 'wrong' },
    /compare the client id and the client secret/,
  ],
  ['a clock ahead', () => ({ date: dateOf(systemClock() + HOUR).toUTCString() }), {}, /clocks differ/],
  ['the clock of the token', () => ({ claims: { iat: hours(-2), exp: hours(-1) } }), {}, /clocks differ/],
  [
    'a provider that fails',
    () => ({ fails: { at: 'discovery', status: 503 } }),
    {},
    /cannot be reached: it answers with an error \(status 503\)/,
  ],
  // Not port 9: fetch refuses it by itself.
  [
    'nobody there',
    () => ({}),
    { issuer: 'http://127.0.0.1:3' },
    /nothing answers at the address of the issuer/,
  ],
  [
    'a name that no server has',
    () => ({}),
    { issuer: 'https://id.club.invalid' },
    /no server has the name in the address of the issuer/,
  ],
])('the test names what does not fit: %s', async (_, lies, more, words) => {
  lying.lies = lies();
  await put({ ...at(lying), ...more });

  const { ok, findings } = await test();

  expect([ok, findings.length]).toEqual([false, 1]);
  expect(findings[0]).toMatch(words);
  expect(findings[0]).not.toContain('OIDC_');
  expect(service.logged.join()).not.toContain(CLIENT.secret);
});

it('the page has a button for the test, and shows what does not fit', async () => {
  lying.lies = { metadata: { issuer: 'https://id.example' } };
  const html = { ...owner, accept: 'text/html' };
  const fields = {
    'oidc.issuer': lying.issuer,
    'oidc.client_id': CLIENT.id,
    'oidc.client_secret': CLIENT.secret,
  };
  await service.submit('/admin/settings', fields, html);
  const page = (await service.get('/admin/settings/sign-in', html)).body;
  expect(page).toContain(CALLBACK);
  expect(page).toContain('Test the provider');
  expect(page).not.toContain(CLIENT.secret);

  const { body } = await service.submit('/admin/settings/oidc/test', {}, html);

  expect(body).toContain('calls itself https://id.example');
});

it('the environment overrules the settings of the provider, and the page shows it without the secret', async () => {
  await service[Symbol.asyncDispose]();
  await start({
    OIDC_ISSUER: honest.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_NAME: 'Fixed',
  });
  await put({ issuer: lying.issuer, client_id: 'other', client_secret: 'other', name: 'Other' });

  expect(await test()).toMatchObject({ ok: true });
  const { settings, overruled } = (await service.get('/api/admin/settings', owner)).json();
  expect(settings.oidc).toEqual({
    issuer: honest.issuer,
    client_id: CLIENT.id,
    client_secret_set: true,
    name: 'Fixed',
    trust_email: false,
  });
  expect(overruled).toEqual(
    expect.arrayContaining(['oidc.issuer', 'oidc.client_id', 'oidc.client_secret', 'oidc.name']),
  );
  const { body } = await service.get('/admin/settings/sign-in', { ...owner, accept: 'text/html' });
  expect(body).toContain('Set by the server’s administrator: OIDC_CLIENT_SECRET.');
  expect(body).not.toContain(CLIENT.secret);
});

it.each([
  ['issuer', 'http://id.example'],
  ['issuer', 'the provider'],
  ['name', 'x'.repeat(61)],
  ['trust_email', 'perhaps'],
])('oidc.%s cannot be %j', async (name, value) => {
  const answer = await put({ client_id: 'x', [name]: value });

  expect(answer).toMatchObject({ status: 400, errors: [{ path: `oidc.${name}` }] });
  expect((await service.get('/api/admin/settings', owner)).json().settings.oidc.client_id).toBeNull();
});
