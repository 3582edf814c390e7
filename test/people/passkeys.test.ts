import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listPeopleOf } from '#kernel/access/person-roles.ts';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { deleteExpiredSignIns } from '#people/sign-in.ts';
import { type MailServer, startMailServer } from '#test/stand-ins/mail-server.ts';
import { BASE, mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { recorded } from '#test/support/audit.ts';
import { errorJson, expectRefusal, fieldJson, message } from '#test/support/messages.ts';
import { type Answers, authenticator } from '#test/support/people/authenticator.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { addSession, browserOf, openSession } from '#test/support/people/people.ts';
import { buildApp } from '../../src/app.ts';

const OLGA = 'olga@club.example';
const REFUSED = errorJson('passkey_refused');
const JSON_ONLY = { accept: 'application/json' };

type Browser = ReturnType<typeof browserOf>;
type Device = ReturnType<typeof authenticator>;

let mails: MailServer;
let service: TestApp;
let olga: Browser;
let device: Device;
beforeEach(async () => {
  mails = await startMailServer();
  service = await testApp({ ...mailTo(mails.url), LOCAL_BYPASS: 'off', RATE_LIMIT_SIGN_IN: '1000' });
  await appoint(service, OLGA, 'owner');
  olga = browserOf(service);
  await openSession(olga, service, OLGA);
  device = authenticator(BASE);
});
afterEach(() => service[Symbol.asyncDispose]());

/** Creates a passkey with a device. @returns the service's response */
async function register(browser = olga, on: Device = device, answers: Answers = {}) {
  const options = (await browser.post('/me/passkeys/options', {}, JSON_ONLY)).json();
  const credential = JSON.stringify(on.register(options, answers));
  return browser.post('/me/passkeys', { credential, name: 'Phone' }, JSON_ONLY);
}

const optionsFor = async (browser: Browser) =>
  (await browser.post('/sign-in/passkey/options', {}, JSON_ONLY)).json();

/** Signs in with a device. @returns the service's response */
async function signIn(browser: Browser, answers: Answers = {}, on: Device = device, more = {}) {
  const credential = JSON.stringify(on.answer(await optionsFor(browser), answers));
  return browser.post('/sign-in/passkey', { credential, ...more }, JSON_ONLY);
}

const passkeysOf = async (browser: Browser) => (await browser.get('/me/passkeys', JSON_ONLY)).json().passkeys;
const audited = () => recorded(service.ctx).filter(({ action }) => action.startsWith('passkey.'));
const idOf = (email: string) => listPeopleOf(service.ctx.db, email)[0]!.id;
const mailsTo = (address: string) => mails.mails.filter(({ recipients }) => recipients.includes(address));

describe('creating a passkey', () => {
  it('stores a passkey that can sign in, and notifies its owner', async () => {
    expect((await register()).json()).toEqual({ ok: true });

    expect(await passkeysOf(olga)).toMatchObject([
      { id: device.id, name: 'Phone', host: 'votes.club.example', synced: false, used_at: null },
    ]);
    expect(audited()).toEqual([{ action: 'passkey.added', metadata: { by: `person:${idOf(OLGA)}` } }]);
    await expect.poll(() => mailsTo(OLGA).at(-1)?.headers.subject).toContain('A passkey was added');
    expect(mailsTo(OLGA).at(-1)?.text).toContain('“Phone”');
    expect((await signIn(browserOf(service))).statusCode).toBe(200);
    expect(await passkeysOf(olga)).toMatchObject([{ used_at: expect.any(String) }]);
  });

  it('succeeds if the notice cannot be mailed, and the log contains the cause', async () => {
    vi.spyOn(service.ctx.mailer, 'send').mockRejectedValue(new Error('the mailer is broken'));
    expect((await register()).json()).toEqual({ ok: true });
    await expect.poll(() => service.logged.join()).toContain('the mailer is broken');
  });

  it('asks for a discoverable key with user verification, and excludes known ones', async () => {
    await register();
    const options = (await olga.post('/me/passkeys/options', {}, JSON_ONLY)).json();
    expect(options).toMatchObject({
      rp: { id: 'votes.club.example', name: 'The Anchor' },
      user: { name: OLGA },
      attestation: 'none',
      excludeCredentials: [{ id: device.id, transports: ['internal'] }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(32);
  });

  it('needs fresh proof already for the options', async () => {
    service.clock.now += 11 * MINUTE;
    const refused = { ...errorJson('identity_unconfirmed'), sudo: true };
    for (const [url, fields] of [
      ['/me/passkeys/options', {}],
      ['/me/passkeys', { credential: '{}', name: 'x' }],
    ] as const) {
      const answer = await olga.post(url, fields, JSON_ONLY);
      expect([answer.statusCode, answer.json()]).toEqual([403, refused]);
    }
    const page = await olga.get('/me/passkeys/new');
    expect([page.statusCode, page.body.includes(message('identity_unconfirmed'))]).toEqual([403, true]);
  });

  it('refuses a key for another origin or host, unverified, with another challenge or in a frame', async () => {
    for (const answers of [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { verified: false },
      { challenge: 'AAAA' },
      { crossOrigin: true },
    ]) {
      const answer = await register(olga, device, answers);
      const refused = [answers, 400, message('passkey_not_made')];
      expect([answers, answer.statusCode, answer.json().error]).toEqual(refused);
      expect(await passkeysOf(olga)).toEqual([]);
    }
  });

  it('accepts a challenge once, from the person and browser that requested it, within five minutes', async () => {
    const options = (await olga.post('/me/passkeys/options', {}, JSON_ONLY)).json();
    const credential = JSON.stringify(device.register(options));
    await appoint(service, 'ann@club.example');
    const ann = browserOf(service);
    await openSession(ann, service, 'ann@club.example');
    const post = (browser: Browser, name = 'x') =>
      browser.post('/me/passkeys', { credential, name }, JSON_ONLY);
    expectRefusal(await post(ann), 400, 'passkey_not_made');
    expect((await post(olga, '')).json().errors).toEqual([fieldJson('name', 'empty')]);
    expect((await post(olga)).statusCode).toBe(200);
    expectRefusal(await post(olga), 400, 'passkey_not_made');

    const late = (await olga.post('/me/passkeys/options', {}, JSON_ONLY)).json();
    service.clock.now += 5 * MINUTE;
    const other = JSON.stringify(authenticator(BASE).register(late));
    const answer = await olga.post('/me/passkeys', { credential: other, name: 'x' }, JSON_ONLY);
    expect(answer.statusCode).toBe(400);
  });

  it('stores no passkey twice, and at most twenty', async () => {
    await register();
    expectRefusal(await register(), 409, 'passkey_known');
    for (let made = 1; made < 20; made++) await register(olga, authenticator(BASE));
    expect(await passkeysOf(olga)).toHaveLength(20);
    expectRefusal(await olga.post('/me/passkeys/options', {}, JSON_ONLY), 409, 'too_many_passkeys', {
      max: 20,
    });
  });

  it('shows the form again if it is invalid', async () => {
    const page = await olga.post('/me/passkeys', { credential: '', name: '<b>', next: '/admin/first-steps' });
    expect(page.statusCode).toBe(400);
    expect(page.body).toContain('value="&lt;b&gt;"');
    expect(page.body).toContain('name="next" value="/admin/first-steps"');
  });
});

describe('signing in with a passkey', () => {
  beforeEach(async () => {
    await register();
  });

  it('opens a session with the age of the passkey as its credential age, and redirects', async () => {
    service.clock.now += MINUTE;
    const phone = browserOf(service);
    const answer = await signIn(phone, {}, device, { next: '/admin', stay: '1' });
    expect(answer.json()).toEqual({ ok: true, next: '/admin' });
    expect(answer.headers['set-cookie']).toMatch(/^__Host-publichouse=.*Max-Age=/);
    expect((await phone.get('/me', JSON_ONLY)).json().session.method).toBe('passkey');
    const { db } = service.ctx;
    const session = db.first(build.selectFrom('sessions').selectAll().where('method', '=', 'passkey'));
    expect(session).toMatchObject({ credential_at: service.clock.now - MINUTE, passkey_id: device.id });
  });

  it('redirects a form to a local address, and shows it again with an invalid credential', async () => {
    const phone = browserOf(service);
    const credential = JSON.stringify(device.answer(await optionsFor(phone)));
    const refused = await phone.post('/sign-in/passkey', { credential: '{}', next: '/admin' });
    expect([refused.statusCode, refused.body.includes('This passkey does not fit')]).toEqual([401, true]);
    expect(refused.body).toContain('name="next" value="/admin"');
    const answer = await phone.post('/sign-in/passkey', { credential, next: '//evil.example' });
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/me']);
  });

  it('refuses what is forged, unverified, in a frame, or for another origin, host, challenge or person', async () => {
    for (const answers of [
      { forged: true },
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { verified: false },
      { challenge: 'AAAA' },
      { userHandle: 'AAAA' },
      { crossOrigin: true },
    ]) {
      const phone = browserOf(service);
      const answer = await signIn(phone, answers);
      expect([answers, answer.statusCode, answer.json()]).toEqual([answers, 401, REFUSED]);
      expect(await phone.isSignedIn()).toBe(false);
    }
  });

  it('refuses unknown passkeys and malformed credentials with the same message', async () => {
    const phone = browserOf(service);
    const unknown = authenticator(BASE);
    unknown.made.userHandle = device.made.userHandle;
    expect((await signIn(phone, {}, unknown)).json()).toEqual(REFUSED);
    for (const credential of ['', 'null', '[]', '{"id":1}', 'x'.repeat(5_000)])
      expect((await phone.post('/sign-in/passkey', { credential }, JSON_ONLY)).json()).toEqual(REFUSED);
    for (const payload of [{}, { credential: null }, { credential: 7 }, { credential: { id: [] } }]) {
      const answer = await service.post('/sign-in/passkey', payload);
      expect([answer.statusCode, answer.json()]).toEqual([401, REFUSED]);
    }
  });

  it('accepts a response once, in the browser that asked, within five minutes', async () => {
    const phone = browserOf(service);
    const credential = JSON.stringify(device.answer(await optionsFor(phone)));
    const other = browserOf(service);
    await optionsFor(other);
    const post = async (browser: Browser, answer = credential) =>
      (await browser.post('/sign-in/passkey', { credential: answer }, JSON_ONLY)).statusCode;
    expect([await post(other), await post(browserOf(service))]).toEqual([401, 401]);
    expect([await post(phone), await post(phone)]).toEqual([200, 401]);

    const late = JSON.stringify(device.answer(await optionsFor(other)));
    service.clock.now += 5 * MINUTE;
    expect(await post(other, late)).toBe(401);
  });

  it('works in several tabs of a browser', async () => {
    const phone = browserOf(service);
    const first = JSON.stringify(device.answer(await optionsFor(phone)));
    await optionsFor(phone);
    expect((await phone.post('/sign-in/passkey', { credential: first }, JSON_ONLY)).statusCode).toBe(200);
  });

  it('refuses a counter that goes back and warns the owner, but not for a forged response', async () => {
    expect((await signIn(browserOf(service), { counter: 5 })).statusCode).toBe(200);
    const forged = await signIn(browserOf(service), { counter: 3, forged: true });
    expect([forged.statusCode, audited().length]).toEqual([401, 1]);

    const copy = await signIn(browserOf(service), { counter: 5 });

    expect([copy.statusCode, copy.json()]).toEqual([401, REFUSED]);
    expect(audited().at(-1)).toEqual({
      action: 'passkey.counter_went_back',
      metadata: { by: `person:${idOf(OLGA)}` },
    });
    await expect.poll(() => mailsTo(OLGA).at(-1)?.headers.subject).toContain('A passkey was refused');
    expect((await signIn(browserOf(service), { counter: 6 })).statusCode).toBe(200);
  });

  it('refuses the passkey of an erased person', async () => {
    const erased = build.updateTable('persons').set({ erased_at: service.clock.now });
    await service.ctx.write((tx) => tx.run(erased.where('id', '=', idOf(OLGA))));
    const answer = await signIn(browserOf(service));
    expect([answer.statusCode, answer.json()]).toEqual([401, REFUSED]);
  });

  it('needs no mail', async () => {
    await mails[Symbol.asyncDispose]();
    expect((await signIn(browserOf(service))).statusCode).toBe(200);
  });

  it('limits requests per client, separately from codes by mail', async () => {
    await using narrow = await testApp({ BASE_URL: BASE, LOCAL_BYPASS: 'off', RATE_LIMIT_SIGN_IN: '2' });
    const phone = browserOf(narrow);
    const ask = async () => (await phone.post('/sign-in/passkey/options', {}, JSON_ONLY)).statusCode;
    expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429]);
    expect((await phone.post('/sign-in', { email: OLGA })).statusCode).toBe(303);
  });

  it('deletes expired challenges', async () => {
    await optionsFor(browserOf(service));
    const left = () => service.ctx.db.all(build.selectFrom('passkey_challenges').selectAll()).length;
    expect(left()).toBe(1);
    service.clock.now += 5 * MINUTE + SECOND;
    await deleteExpiredSignIns(service.ctx);
    expect(left()).toBe(0);
  });
});

describe('removing a passkey', () => {
  beforeEach(async () => {
    await register();
  });

  const remove = (browser: Browser, id = device.id) =>
    browser.post(`/me/passkeys/${id}?_method=DELETE`, {}, JSON_ONLY);

  it('ends the sessions that it opened, and notifies its owner', async () => {
    const phone = browserOf(service);
    await signIn(phone);
    expect(await phone.isSignedIn()).toBe(true);

    expect((await remove(olga)).json()).toEqual({ ok: true });

    expect([await phone.isSignedIn(), await olga.isSignedIn()]).toEqual([false, true]);
    expect(await passkeysOf(olga)).toEqual([]);
    expect(audited().at(-1)).toEqual({
      action: 'passkey.removed',
      metadata: { by: `person:${idOf(OLGA)}` },
    });
    await expect.poll(() => mailsTo(OLGA).at(-1)?.headers.subject).toContain('A passkey was removed');
    expect((await signIn(phone)).json()).toEqual(REFUSED);
  });

  it('signs out a session that was opened with it', async () => {
    const phone = browserOf(service);
    await signIn(phone);
    expect((await phone.post(`/me/passkeys/${device.id}?_method=DELETE`)).headers.location).toBe(
      '/me/passkeys',
    );
    expect(phone.cookies.has('__Host-publichouse')).toBe(false);
  });

  it('needs fresh proof, and works only for one’s own', async () => {
    await appoint(service, 'ann@club.example');
    const ann = browserOf(service);
    await openSession(ann, service, 'ann@club.example');
    expectRefusal(await remove(ann), 404, 'passkey_not_found');
    service.clock.now += 11 * MINUTE;
    expectRefusal(await remove(olga), 403, 'identity_unconfirmed');
    expect(await passkeysOf(olga)).toHaveLength(1);
  });
});

describe('fresh proof with a passkey', () => {
  const WISH = { email: 'ann@club.example', roles: 'dj' };
  beforeEach(async () => {
    await register();
    service.clock.now += 11 * MINUTE;
  });

  it('is offered before the code, and continues with the fields of the form', async () => {
    const asked = await olga.post('/admin/pub/roles', WISH);
    expect(asked.statusCode).toBe(403);
    const [button, code] = ['Confirm with a passkey', 'Send me a code'].map((label) =>
      asked.body.indexOf(label),
    );
    expect(button).toBeGreaterThan(0);
    expect(code).toBeGreaterThan(button!);
    const kept = { ...WISH, sudo_to: '/admin/pub/roles', sudo_method: 'POST' };
    const before = olga.cookies.get('__Host-publichouse');

    const forged = JSON.stringify(device.answer(await optionsFor(olga), { forged: true }));
    const wrong = await olga.post('/me/sudo', { ...kept, sudo_credential: forged });
    expect([wrong.statusCode, wrong.body.includes('This passkey does not fit')]).toEqual([401, true]);
    expect(wrong.body).toContain('name="roles" value="dj"');
    const sudo_credential = JSON.stringify(device.answer(await optionsFor(olga)));
    const right = await olga.post('/me/sudo', { ...kept, sudo_credential });

    expect([right.statusCode, right.headers.location]).toEqual([307, '/admin/pub/roles']);
    expect(olga.cookies.get('__Host-publichouse')).not.toBe(before);
    const done = await olga.post('/admin/pub/roles', { ...kept, sudo_credential });
    expect(done.headers.location).toBe('/admin/pub/roles?done');
  });

  it('is accepted as JSON, only with a passkey of the session’s user', async () => {
    await appoint(service, 'ann@club.example');
    const ann = browserOf(service);
    await openSession(ann, service, 'ann@club.example');
    service.clock.now += 11 * MINUTE;
    const confirm = async (browser: Browser) => {
      const credential = JSON.stringify(device.answer(await optionsFor(browser)));
      return browser.post('/me/sudo', { credential }, JSON_ONLY);
    };
    const refused = await confirm(ann);
    expect([refused.statusCode, refused.json()]).toEqual([401, REFUSED]);
    expect((await confirm(olga)).json()).toEqual({ ok: true });
    expect((await register(olga, authenticator(BASE))).statusCode).toBe(200);
  });

  it('offers no mailed code to somebody without an address', async () => {
    await service.ctx.write((tx) =>
      tx.run(build.updateTable('sessions').set({ address_id: null }).where('person_id', '=', idOf(OLGA))),
    );
    const id = idOf(OLGA);
    await service.ctx.write((tx) => tx.run(build.deleteFrom('addresses').where('person_id', '=', id)));
    const asked = await olga.post('/admin/pub/roles', WISH);
    expect(asked.body).toContain('action="/me/sudo"');
    expect(asked.body).not.toContain('/me/sudo/code');
    const page = await olga.post('/me/sudo/code', WISH);
    expect([page.statusCode, page.body.includes('on its way')]).toEqual([409, false]);
    expectRefusal(await olga.post('/me/sudo/code', {}, JSON_ONLY), 409, 'no_own_address_for_code');
  });
});

describe('passkeys are offered', () => {
  it.each([
    ['https://votes.club.example', true],
    ['http://localhost:3000', true],
    ['http://127.0.0.1:3000', false],
    ['https://192.0.2.7', false],
    ['http://votes.club.example', false],
  ])('at %s: %s', async (url, offered) => {
    await using here = await testApp({ BASE_URL: url, LOCAL_BYPASS: 'off' });
    const { host } = new URL(url);
    const options = await here.post('/sign-in/passkey/options', {}, { host });
    expect(options.statusCode).toBe(offered ? 200 : 404);
    const page = await here.get('/sign-in', { accept: 'text/html', host });
    expect(page.body.includes('Sign in with a passkey')).toBe(offered);
  });

  it('or the user’s own page says why not', async () => {
    expect((await olga.get('/me')).body).toContain('You have none.');
    await using here = await testApp({
      ...mailTo(mails.url),
      LOCAL_BYPASS: 'off',
      BASE_URL: 'http://votes.club.example',
    });
    await appoint(here, 'ann@club.example');
    const ann = browserOf(here);
    const [person] = listPeopleOf(here.ctx.db, 'ann@club.example');
    ann.cookies.set('publichouse', await addSession(here, person!.id));
    expect((await ann.get('/me')).body).toContain('This service offers no passkeys: they need an address');
    expect((await ann.get('/me/passkeys/new')).statusCode).toBe(404);
  });

  it('with a warning at the start about passkeys for another host', async () => {
    await register();
    const { ctx } = service;
    const moved = { ...ctx, config: { ...ctx.config, BASE_URL: 'https://new.club.example' } };
    await (await buildApp(moved)).close();
    const warnings = service.logged.filter((line) => line.includes('do not work'));
    expect(warnings.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, passkeys: 1, host: 'votes.club.example' },
    ]);
  });
});
