import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { listPeopleOf } from '#kernel/access/person-roles.ts';
import { MINUTE } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import { build } from '#kernel/db/queries.ts';
import { createPerson } from '#people/persons.ts';
import { type MailServer, startMailServer } from '#test/stand-ins/mail-server.ts';
import { type OpenIdServer, startOpenIdProvider, visitProvider } from '#test/stand-ins/openid-provider.ts';
import { BASE, type TestApp } from '#test/support/app.ts';
import { recordedOf } from '#test/support/audit.ts';
import { message as messageOf } from '#test/support/messages.ts';
import { CALLBACK, leaveFor, oidcApp, pathOf } from '#test/support/people/oidc.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { browserOf, codeMailTo } from '#test/support/people/people.ts';
import { afterLast } from '#test/support/shared-app.ts';

const ANN = 'ann@club.example';

const atEnd = afterLast();
let mails: MailServer;
let provider: OpenIdServer;
let service: TestApp;

async function start(env: Record<string, string> = {}): Promise<void> {
  service = await oidcApp(provider.issuer, mails, env);
  onTestFinished(() => service[Symbol.asyncDispose]());
}

beforeAll(async () => {
  provider = await startOpenIdProvider(CALLBACK, `${BASE}/`, atEnd);
});
beforeEach(async () => {
  mails = await startMailServer();
  provider.accounts.clear();
});

const addPerson = (name: string, email: string) =>
  service.ctx.write((tx) => createPerson(tx, { name, email }, { ip: 'test', at: service.clock.now }));
const links = () =>
  service.ctx.db.all(build.selectFrom('oidc_links').select(['issuer', 'subject', 'person_id']));
const sessions = () => service.ctx.db.all(build.selectFrom('sessions').selectAll());

/** Signs in at the provider as this account, and follows its redirect back. */
async function signInAs(subject: string, browser = browserOf(service), query = '') {
  provider.signInAs(subject);
  const back = await visitProvider((await leaveFor(browser, query)).href);
  return { browser, back, answer: await browser.get(pathOf(back)) };
}

/** Links an account to an address by a mailed code. */
async function linkByCode(subject: string, email: string, query = '') {
  const { browser, answer } = await signInAs(subject, undefined, query);
  expect([answer.statusCode, answer.headers.location]).toEqual([303, '/sign-in/oidc/link']);
  const asked = await browser.post('/sign-in/oidc/link', { email });
  expect([asked.statusCode, asked.headers.location]).toEqual([303, '/sign-in/code']);
  const { code, mail, link } = await codeMailTo(mails, email, 1);
  return { browser, code, mail, link };
}

describe('an account that is not linked yet', () => {
  it('is linked by a code to an address on the roll, and then signs in without a code', async () => {
    await start();
    const ann = await addPerson('Ann Doe', ANN);
    provider.accounts.set('ann-1', { email: 'ann@elsewhere.example', email_verified: true });
    const page = await signInAs('ann-1');
    const form = await page.browser.get('/sign-in/oidc/link');
    expect(form.body).toContain('ann@elsewhere.example');
    expect(await page.browser.isSignedIn()).toBe(false);

    const { browser, code, mail, link } = await linkByCode('ann-1', ANN, '?next=/events&stay=1');
    expect([mail.text.includes('The Club Account'), link]).toEqual([true, '']);
    const done = await browser.post('/sign-in/code', { code });

    expect([done.statusCode, done.headers.location]).toEqual([303, '/events']);
    expect(links()).toEqual([{ issuer: provider.issuer, subject: 'ann-1', person_id: ann }]);
    expect(sessions()).toMatchObject([{ method: 'oidc', credential_at: service.clock.now, stay: 1 }]);
    await expect.poll(() => mails.mails.at(-1)?.headers.subject).toContain('An account signs you in');

    service.clock.now += 60 * MINUTE;
    const again = await signInAs('ann-1', undefined, '?next=/events');
    expect([again.answer.statusCode, again.answer.headers.location]).toEqual([303, '/events']);
    expect((await again.browser.get('/me')).body).toContain('Ann Doe');
    expect(sessions().map(({ credential_at }) => credential_at)).toEqual(
      Array(2).fill(service.clock.now - 60 * MINUTE),
    );
    expect(recordedOf(service.ctx, 'oidc.linked')).toEqual([{ person: ann, by: `person:${ann}` }]);
  });

  it('gets the same response for every address, and mail only for those on the roll', async () => {
    await start();
    await addPerson('Ann Doe', ANN);
    const { browser } = await signInAs('ann-1');
    const asked = async (email: string) => {
      const { statusCode, headers, body } = await browser.post('/sign-in/oidc/link', { email });
      return [statusCode, headers.location, Object.keys(headers), body];
    };
    expect(await asked('eve@club.example')).toEqual(await asked(ANN));
    await codeMailTo(mails, ANN, 1);
    expect(mails.mails).toHaveLength(1);
    expect((await browser.post('/sign-in/oidc/link', { email: 'no address' })).statusCode).toBe(400);
  });

  it('asks which person it is for a shared address', async () => {
    await start();
    await addPerson('Ann Doe', ANN);
    const bob = await addPerson('Bob Doe', ANN);
    const { browser, code } = await linkByCode('bob-1', ANN);

    const proved = await browser.post('/sign-in/code', { code });
    expect([proved.headers.location, links()]).toEqual(['/sign-in/who', []]);
    await browser.post('/sign-in/who', { person_id: bob });

    expect(links()).toEqual([{ issuer: provider.issuer, subject: 'bob-1', person_id: bob }]);
    expect((await browser.get('/me')).body).toContain('Bob Doe');
  });

  it('is linked only in the browser that came from the provider', async () => {
    await start();
    await addPerson('Ann Doe', ANN);
    const { code } = await linkByCode('mallory-1', ANN);
    const ann = browserOf(service);
    await ann.post('/sign-in', { email: 'eve@club.example' });
    expect((await ann.post('/sign-in/code', { code })).statusCode).toBe(401);
    expect((await ann.post('/sign-in/oidc/link', { email: ANN })).headers.location).toBe('/sign-in');
    expect(links()).toEqual([]);
  });
});

describe('OIDC_TRUST_EMAIL=on', () => {
  const VERIFIED = { email: ANN, email_verified: true };

  it('links by a verified address, and sends a notice by mail', async () => {
    await start({ OIDC_TRUST_EMAIL: 'on' });
    const ann = await addPerson('Ann Doe', ANN);
    provider.accounts.set('ann-1', VERIFIED);
    const { browser, answer } = await signInAs('ann-1');
    expect([answer.statusCode, answer.headers.location, await browser.isSignedIn()]).toEqual([
      303,
      '/me',
      true,
    ]);
    expect(links()).toMatchObject([{ person_id: ann }]);
    await expect.poll(() => mails.mails.map(({ recipients }) => recipients)).toEqual([[ANN]]);

    // She already has a linked account at this issuer.
    provider.accounts.set('ann-2', VERIFIED);
    expect((await signInAs('ann-2')).answer.headers.location).toBe('/sign-in/oidc/link');
  });

  it.each([
    ['ida@müller.example', 'IDA@XN--MLLER-KVA.example'],
    ['ida@xn--mller-kva.example', 'Ida@Müller.example'],
  ])('finds %s by the claim %s', async (onRoll, claimed) => {
    await start({ OIDC_TRUST_EMAIL: 'on' });
    const sam = await appoint(service, 'sam@club.example', 'secretary');
    const url = '/api/admin/people';
    const payload = { name: 'Ida', addresses: [{ email: onRoll }] };
    await service.request({ method: 'POST', url, payload, headers: sam });
    provider.accounts.set('ida-1', { email: claimed, email_verified: true });

    const { browser } = await signInAs('ida-1');

    expect((await browser.get('/me')).body).toContain('Ida');
  });

  it('links nothing without a verified address, for one that two people share, or while it is unset', async () => {
    await start({ OIDC_TRUST_EMAIL: 'on' });
    await addPerson('Ann Doe', ANN);
    const email = ANN;
    for (const [index, claims] of [
      { email, email_verified: false },
      { email, email_verified: 'true' },
      { email },
    ].entries()) {
      provider.accounts.set(`ann of ${index}`, claims);
      const { browser, answer } = await signInAs(`ann of ${index}`);
      expect([claims, answer.headers.location, await browser.isSignedIn(), links()]).toEqual([
        claims,
        '/sign-in/oidc/link',
        false,
        [],
      ]);
    }

    await addPerson('Bob Doe', ANN);
    provider.accounts.set('ann-1', VERIFIED);
    expect((await signInAs('ann-1')).answer.headers.location).toBe('/sign-in/oidc/link');
    await start();
    await addPerson('Ann Doe', ANN);
    expect((await signInAs('ann-1')).answer.headers.location).toBe('/sign-in/oidc/link');
  });
});

describe('a signed-in user', () => {
  async function signedIn() {
    const ann = await addPerson('Ann Doe', ANN);
    const browser = browserOf(service);
    await browser.post('/sign-in', { email: ANN });
    await browser.post('/sign-in/code', { code: (await codeMailTo(mails, ANN, 1)).code });
    return { ann, browser };
  }

  it('adds an account at /me/oidc, and removes it together with its sessions', async () => {
    await start();
    const { ann, browser } = await signedIn();
    provider.signInAs('ann-1');
    expect((await browser.get('/me')).body).toContain('href="/me/oidc"');
    const asked = await browser.post('/me/oidc');
    const [, address = ''] = /href="(http:\/\/127[^"]*)"/.exec(asked.body) ?? [];
    const done = await browser.get(pathOf(await visitProvider(address.replaceAll('&amp;', '&'))));
    expect([done.statusCode, done.headers.location]).toEqual([303, '/me/oidc?done=added']);
    expect((await browser.get('/me/oidc')).body).toContain(provider.issuer);
    expect(links()).toMatchObject([{ person_id: ann, subject: 'ann-1' }]);
    const other = (await signInAs('ann-1')).browser;
    expect(await other.isSignedIn()).toBe(true);

    const { links: listed } = (await browser.get('/me/oidc', { accept: 'application/json' })).json();
    const removed = await browser.post(`/me/oidc/${listed[0].id}?_method=DELETE`);
    expect([removed.headers.location, links()]).toEqual(['/me/oidc?done=removed', []]);
    expect([await other.isSignedIn(), await browser.isSignedIn()]).toEqual([false, true]);
    await expect.poll(() => mails.mails.length).toBe(3);
  });

  it('must give fresh proof first, after ten minutes', async () => {
    await start();
    const { browser } = await signedIn();
    service.clock.now += 11 * MINUTE;
    const asked = await browser.post('/me/oidc');
    expect([asked.statusCode, asked.body.includes(messageOf('identity_unconfirmed'))]).toEqual([403, true]);
  });

  it('cannot link an account after signing out, or one that is linked to another person', async () => {
    await start();
    const { browser } = await signedIn();
    provider.signInAs('ann-1');
    const json = { accept: 'application/json' };
    const { address } = (await browser.post('/me/oidc', {}, json)).json();
    const back = pathOf(await visitProvider(address));
    await browser.post('/sign-out', {}, json);
    expect((await browser.get(back)).statusCode).toBe(403);

    await addPerson('Bob Doe', 'bob@club.example');
    const { browser: bob, code } = await linkByCode('bob-1', 'bob@club.example');
    await bob.post('/sign-in/code', { code });
    await browser.post('/sign-in', { email: ANN });
    service.clock.now += 2 * MINUTE;
    await browser.post('/sign-in', { email: ANN });
    await browser.post('/sign-in/code', { code: (await codeMailTo(mails, ANN, 2)).code });
    const again = (await browser.post('/me/oidc', {}, json)).json();
    provider.signInAs('bob-1');
    expect((await browser.get(pathOf(await visitProvider(again.address)))).statusCode).toBe(409);
    expect(listPeopleOf(service.ctx.db, 'bob@club.example').map(({ id }) => id)).toEqual(
      links().map(({ person_id }) => person_id),
    );
  });

  it('is signed out here first, and offered to sign out at the provider', async () => {
    await start();
    await addPerson('Ann Doe', ANN);
    const { browser, code } = await linkByCode('ann-1', ANN);
    await browser.post('/sign-in/code', { code });
    const out = await browser.post('/sign-out');
    expect([out.headers.location, await browser.isSignedIn()]).toEqual(['/sign-out/oidc', false]);
    const page = (await browser.get('/sign-out/oidc')).body;
    expect(page).toContain(`href="${provider.issuer}/session/end?`);
    expect(page).toContain(encodeURIComponent(`${BASE}/`));
  });
});

it('the same subject at another issuer is a different account', async () => {
  await start();
  const ann = await addPerson('Ann Doe', ANN);
  await service.ctx.write((tx) =>
    tx.run(
      build.insertInto('oidc_links').values({
        id: 'elsewhere',
        issuer: `${provider.issuer}/`,
        subject: 'ann-1',
        person_id: ann,
        created_at: service.clock.now,
      }),
    ),
  );
  const { browser, answer } = await signInAs('ann-1');
  expect([answer.headers.location, await browser.isSignedIn()]).toEqual(['/sign-in/oidc/link', false]);
});

it.each([
  ['OIDC_CLIENT_SECRET: is needed', { OIDC_CLIENT_SECRET: '' }],
  ['BASE_URL: is needed', { BASE_URL: '' }],
  ['OIDC_ISSUER: must be https', { OIDC_ISSUER: 'http://id.example' }],
])('does not start without its settings: %s', (message, env) => {
  const all = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'x' };
  expect(() => readConfig({ BASE_URL: BASE, ...all, ...env }, '')).toThrow(message);
  expect(readConfig({ BASE_URL: BASE, ...all }, '').OIDC_TRUST_EMAIL).toBe(false);
});
