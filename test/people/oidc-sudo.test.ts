import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { createPerson } from '#people/persons.ts';
import { type Lies, startLyingProvider } from '#test/stand-ins/lying-provider.ts';
import { type MailServer, startMailServer } from '#test/stand-ins/mail-server.ts';
import { startOpenIdProvider, visitProvider } from '#test/stand-ins/openid-provider.ts';
import { BASE, type TestApp } from '#test/support/app.ts';
import { CALLBACK, leaveFor, oidcApp, pathOf } from '#test/support/people/oidc.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { browserOf } from '#test/support/people/people.ts';

const OLGA = 'olga@club.example';
const WISH = { email: 'ann@club.example', roles: ['dj', 'viewer'] };
const JSON_ONLY = { accept: 'application/json' };

let mails: MailServer;
let service: TestApp;
beforeEach(async () => {
  mails = await startMailServer();
});

/** Starts the service with an owner whose account at the provider is `olga-1`. */
async function start(issuer: string): Promise<void> {
  service = await oidcApp(issuer, mails);
  onTestFinished(() => service[Symbol.asyncDispose]());
  const at = service.clock.now;
  const person_id = await service.ctx.write((tx) =>
    createPerson(tx, { name: 'Olga', email: OLGA }, { ip: 'test', at }),
  );
  await appoint(service, OLGA, 'owner');
  const link = { id: 'link', issuer, subject: 'olga-1', person_id, created_at: at };
  await service.ctx.write((tx) => tx.run(build.insertInto('oidc_links').values(link)));
}

const roles = () =>
  service.ctx.db.all(build.selectFrom('person_roles').select('role').orderBy('role')).map(({ role }) => role);

it('an interrupted form continues with its fields after fresh proof at the provider', async () => {
  const provider = await startOpenIdProvider(CALLBACK, `${BASE}/`);
  await start(provider.issuer);
  provider.signInAs('olga-1');
  const olga = browserOf(service);
  const cookies = new Map<string, string>();
  await olga.get(pathOf(await visitProvider((await leaveFor(olga)).href, cookies)));
  service.clock.now += 11 * MINUTE;
  const fields = [['email', WISH.email], ...WISH.roles.map((role) => ['roles', role])];
  const asked = await olga.post('/admin/pub/roles', fields);
  expect(asked.body).toContain('formaction="/me/sudo/oidc"');

  const kept = [...fields, ['sudo_to', '/admin/pub/roles'], ['sudo_method', 'POST']];
  const away = await olga.post('/me/sudo/oidc', kept);
  const [, href = ''] = /href="(http:\/\/127[^"]*)"/.exec(away.body) ?? [];
  const address = href.replaceAll('&amp;', '&');
  expect(Object.fromEntries(new URL(address).searchParams)).toMatchObject({ prompt: 'login', max_age: '0' });
  const before = olga.cookies.get('__Host-publichouse');
  const back = await olga.get(pathOf(await visitProvider(address, cookies)));
  expect([back.statusCode, back.headers.location]).toEqual([303, '/me/sudo/oidc']);
  expect(olga.cookies.get('__Host-publichouse')).not.toBe(before);
  expect(roles()).toEqual(['owner']);

  const page = (await olga.get('/me/sudo/oidc')).body;
  expect(page).toContain('action="/admin/pub/roles"');
  for (const role of WISH.roles) expect(page).toContain(`name="roles" value="${role}"`);
  expect((await olga.post('/admin/pub/roles', fields)).headers.location).toBe('/admin/pub/roles?done');
  expect(roles()).toEqual(['dj', 'owner', 'viewer']);
});

it.each([
  ['no time of its proof', {}, 401],
  ['a proof of an hour ago', { ago: 3_600 }, 401],
  ['the account of somebody else', { ago: 0, claims: { sub: 'bob-1' }, userinfo: { sub: 'bob-1' } }, 401],
  ['a proof of this moment', { ago: 0 }, 303],
] as [string, Lies & { ago?: number }, number][])('sudo by %s', async (_, { ago, ...lies }, status) => {
  const provider = await startLyingProvider();
  await start(provider.issuer);
  provider.expects.subject = 'olga-1';
  const olga = browserOf(service);
  const comeBack = (address: URL) => {
    provider.expects.nonce = address.searchParams.get('nonce') ?? '';
    const back = new URLSearchParams({ code: 'x', state: address.searchParams.get('state') ?? '' });
    return olga.get(`/sign-in/oidc/callback?${back}`);
  };
  await comeBack(await leaveFor(olga));
  service.clock.now += 11 * MINUTE;
  const { address } = (await olga.post('/me/sudo/oidc', {}, JSON_ONLY)).json();
  const at = Math.floor(Temporal.Now.instant().epochMilliseconds / 1000) - (ago ?? 0);
  provider.lies = { ...lies, claims: { ...lies.claims, ...(ago !== undefined && { auth_time: at }) } };
  expect((await comeBack(new URL(address))).statusCode).toBe(status);
  const granted = () =>
    service.ctx.db.all(build.selectFrom('person_roles').select('role').where('role', '=', 'dj'));
  const given = await olga.post('/admin/pub/roles', [
    ['email', WISH.email],
    ['roles', 'dj'],
  ]);
  expect([given.statusCode, granted().length]).toEqual(status === 303 ? [303, 1] : [403, 0]);
});
