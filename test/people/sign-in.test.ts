import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { createPerson } from '#people/persons.ts';
import { makeSignInLink } from '#people/sign-in-links.ts';
import { type MailServer, startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { expectRefusal, onPage } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { addSession, browserOf, codeMailTo } from '#test/support/people/people.ts';

const ANN = 'ann@club.example';

let mails: MailServer;
let service: TestApp;
beforeEach(async () => {
  mails = await startMailServer();
  service = await testApp({ ...mailTo(mails.url), LOCAL_BYPASS: 'off', RATE_LIMIT_SIGN_IN: '1000' });
});
afterEach(() => service[Symbol.asyncDispose]());

const addPerson = (name: string, email: string) =>
  service.ctx.write((tx) => createPerson(tx, { name, email }, { ip: 'test', at: service.clock.now }));

const browser = () => browserOf(service);
const mailOf = (address: string, count = 1) => codeMailTo(mails, address, count);
const sessions = () => service.ctx.db.all(build.selectFrom('sessions').selectAll());

describe('a mailed code', () => {
  it('signs in the browser that requested it, in any spelling, and redirects to the requested page', async () => {
    await addPerson('Ann Doe', ANN);
    const ann = browser();
    const asked = await ann.post('/sign-in', { email: ' Ann@Club.example ', next: '/events?day=1' });
    const { mail, code } = await mailOf(ANN);
    const page = await ann.get('/sign-in/code');

    const done = await ann.post('/sign-in/code', { code: ` ${code.replace('-', ' ').toLowerCase()} ` });

    expect([asked.statusCode, asked.headers.location]).toEqual([303, '/sign-in/code']);
    expect(page.body).toContain('ann@club.example');
    expect(mail.headers.subject).toBe(`${code} is your code for The Anchor`);
    expect([done.statusCode, done.headers.location]).toEqual([303, '/events?day=1']);
    expect(done.headers['set-cookie']).toMatch(
      /^__Host-publichouse=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect((await ann.get('/me')).body).toContain('Ann Doe');
    expect(service.logged.join()).not.toContain(code);
    expect(JSON.stringify(sessions())).not.toContain(ann.cookies.get('__Host-publichouse'));
  });

  it.each([
    ['ida@müller.example', 'ida@xn--mller-kva.example'],
    ['ida@xn--mller-kva.example', 'IDA@MÜLLER.example'],
  ])('signs in %s, whose domain a browser writes as %s', async (stored, typed) => {
    const sam = await appoint(service, 'sam@club.example', 'secretary');
    const ofIda = { name: 'Ida Müller', addresses: [{ email: stored }] };
    const made = await service.request({
      method: 'POST',
      url: '/api/admin/people',
      payload: ofIda,
      headers: sam,
    });
    expect(made.statusCode).toBe(200);
    const ida = browser();
    await ida.post('/sign-in', { email: typed });
    // The server of the tests shows domains in Unicode.
    const { code } = await mailOf('ida@müller.example');

    const done = await ida.post('/sign-in/code', { code });

    expect([done.statusCode, (await ida.get('/me')).body.includes('ida@müller.example')]).toEqual([
      303,
      true,
    ]);
  });

  it.each([
    ['a wrong one', (code: string) => (code[0] === 'A' ? `B${code.slice(1)}` : `A${code.slice(1)}`)],
    ['none at all', () => 'no code'],
  ])('is refused when it is %s: always the same 401, and the right one still works', async (_, change) => {
    await addPerson('Ann Doe', ANN);
    const ann = browser();
    await ann.post('/sign-in', { email: ANN });
    const { code } = await mailOf(ANN);

    const wrong = await ann.post('/sign-in/code', { code: change(code) });
    const json = await ann.post('/sign-in/code', { code: change(code) }, { accept: 'application/json' });

    expect([wrong.statusCode, json.statusCode]).toEqual([401, 401]);
    expect(wrong.body).toContain(onPage('code_does_not_fit_mail'));
    expect((await ann.post('/sign-in/code', { code })).statusCode).toBe(303);
  });

  it('is refused after five wrong codes even if right; malformed codes do not count', async () => {
    await addPerson('Ann Doe', ANN);
    const ann = browser();
    await ann.post('/sign-in', { email: ANN });
    const { code } = await mailOf(ANN);
    await Promise.all(Array.from({ length: 20 }, () => ann.post('/sign-in/code', { code: '' })));
    await Promise.all(Array.from({ length: 50 }, () => ann.post('/sign-in/code', { code: 'AAAAAAAA' })));

    expect(service.ctx.db.all(build.selectFrom('sign_ins').select('tries'))).toEqual([{ tries: 5 }]);
    expect((await ann.post('/sign-in/code', { code })).statusCode).toBe(401);
    expect(await ann.isSignedIn()).toBe(false);
  });

  it('opens one session, however many requests send it at once', async () => {
    await addPerson('Ann Doe', ANN);
    const ann = browser();
    await ann.post('/sign-in', { email: ANN });
    const { code } = await mailOf(ANN);

    const answers = await Promise.all(Array.from({ length: 50 }, () => ann.post('/sign-in/code', { code })));

    expect(answers.filter(({ statusCode }) => statusCode === 303)).toHaveLength(1);
    expect(sessions()).toHaveLength(1);
  });

  it('works for 15 minutes, also when the clock is set back', async () => {
    await addPerson('Ann Doe', ANN);
    const ann = browser();
    await ann.post('/sign-in', { email: ANN });
    const { code } = await mailOf(ANN);

    service.clock.now += 15 * MINUTE + SECOND;
    expect((await ann.post('/sign-in/code', { code })).statusCode).toBe(401);
    service.clock.now -= 2 * HOUR;
    expect((await ann.post('/sign-in/code', { code })).statusCode).toBe(401);
  });

  it('is refused in a browser that did not request it, and still works in the one that did', async () => {
    await addPerson('Ann Doe', ANN);
    const ann = browser();
    await ann.post('/sign-in', { email: ANN });
    const { code } = await mailOf(ANN);

    expect((await browser().post('/sign-in/code', { code })).statusCode).toBe(401);
    expect((await ann.post('/sign-in/code', { code })).statusCode).toBe(303);
  });
});

describe('the mailed link', () => {
  it('changes nothing when it is opened, and signs in with a button in the browser that requested it', async () => {
    await addPerson('Ann Doe', ANN);
    const ann = browser();
    await ann.post('/sign-in', { email: ANN });
    const { link } = await mailOf(ANN);

    const shown = await ann.open(link);
    expect([shown.statusCode, sessions().length]).toEqual([200, 0]);
    expect(shown.body).toContain('Sign in as ann@club.example');
    expect(shown.headers).toMatchObject({ 'referrer-policy': 'same-origin', 'cache-control': 'no-store' });
    const t = link.split('t=')[1] ?? '';
    expect((await ann.post('/sign-in/link', { t })).headers.location).toBe('/me');
    expect((await ann.post('/sign-in/link', { t })).statusCode).toBe(401);
  });

  it('needs the code in another browser, so that a mail scanner pressing buttons is not signed in', async () => {
    await addPerson('Ann Doe', ANN);
    const ann = browser();
    await ann.post('/sign-in', { email: ANN });
    const { link, code } = await mailOf(ANN);
    const t = link.split('t=')[1] ?? '';
    const scanner = browser();

    for (let times = 0; times < 10; times++) {
      const page = await scanner.open(link);
      expect(page.body).toContain('Type the code from the mail');
      expect(page.body).not.toContain(ANN);
      expect((await scanner.post('/sign-in/link', { t })).statusCode).toBe(401);
    }
    expect(await scanner.isSignedIn()).toBe(false);
    const phone = browser();
    expect((await phone.post('/sign-in/link', { t, code })).headers.location).toBe('/me');
    expect(await phone.isSignedIn()).toBe(true);
  });
});

describe('a request for a code', () => {
  it('reveals nothing: the response is the same for known and unknown addresses, and over the limits', async () => {
    await addPerson('Ann Doe', ANN);
    const ask = (email: string) => browser().post('/sign-in', { email });

    const answers = [await ask(ANN), await ask('nobody@club.example'), await ask(ANN)];

    const shape = ({ statusCode, headers, body }: (typeof answers)[0]) => [
      ...[statusCode, body.length, headers.location, Object.keys(headers).sort()],
      String(headers['set-cookie']).replace(/=[\w-]{43};/, '='),
    ];
    expect(shape(answers[1]!)).toEqual(shape(answers[0]!));
    expect(shape(answers[2]!)).toEqual(shape(answers[0]!));
    await mailOf(ANN, 1);
    expect(mails.mails).toHaveLength(1);
  });

  it('is sent again at once to whoever asks again after the mail server did not take it', async () => {
    let takes = false;
    const server = await startMailServer({
      answer: () => (takes ? 'take' : { code: 451, text: 'Greylisted' }),
    });
    await using slow = await testApp(
      { ...mailTo(server.url), LOCAL_BYPASS: 'off', RATE_LIMIT_SIGN_IN: '1000' },
      { delays: [] },
    );
    await slow.ctx.write((tx) =>
      createPerson(tx, { name: 'Ann', email: ANN }, { ip: 'test', at: slow.clock.now }),
    );
    const ask = () => slow.post('/sign-in', { email: ANN });
    await ask();
    await expect.poll(() => slow.ctx.mailer.outcomes().failed).toBe(1);
    takes = true;
    await ask();
    await expect.poll(() => server.mails.length).toBe(1);
    await ask();
    await ask();
    await slow.ctx.mailer.close();
    expect(server.mails).toHaveLength(1);
  });

  it('sends one mail a minute and five an hour to an address, and locks nobody out', async () => {
    await addPerson('Ann Doe', ANN);
    const ann = browser();
    await ann.post('/sign-in', { email: ANN });
    const { code } = await mailOf(ANN);
    for (let times = 0; times < 9; times++) {
      service.clock.now += MINUTE;
      await browser().post('/sign-in', { email: ANN });
    }
    await mailOf(ANN, 5);
    expect((await ann.post('/sign-in/code', { code })).statusCode).toBe(303);
  });

  it('is rate-limited by RATE_LIMIT_SIGN_IN', async () => {
    await using slow = await testApp({ RATE_LIMIT_SIGN_IN: '2' });
    const ask = () => slow.post('/sign-in', { email: ANN });
    expect([(await ask()).statusCode, (await ask()).statusCode, (await ask()).statusCode]).toEqual([
      200, 200, 429,
    ]);
  });

  it('shows the error in an address, and keeps the input', async () => {
    const refused = await browser().post('/sign-in', { email: 'ann at club', next: '/now' });
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain('value="ann at club"');
    expect(refused.body).toContain('>Not an e-mail address<');
    expect(refused.body).toContain('name="next" value="/now"');
  });

  it('redirects to /me instead of another site or to a long address', async () => {
    for (const [index, next] of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      '/\t/evil.example',
      `/${'x'.repeat(500)}`,
    ].entries()) {
      const email = `ann.${index}@club.example`;
      await addPerson('Ann Doe', email);
      const ann = browser();
      await ann.post('/sign-in', { email, next });
      const { code } = await mailOf(email);
      const { location } = (await ann.post('/sign-in/code', { code })).headers;
      expect([next, location]).toEqual([next, '/me']);
    }
  });
});

it('people with a shared address choose who they are', async () => {
  const ann = await addPerson('Ann Doe', 'doe@club.example');
  await addPerson('Bob Doe', 'doe@club.example');
  await addPerson('Cid', 'cid@club.example');
  const home = browser();
  await home.post('/sign-in', { email: 'doe@club.example' });
  const { code } = await mailOf('doe@club.example');

  const next = await home.post('/sign-in/code', { code });
  const page = await home.get('/sign-in/who');

  expect(next.headers.location).toBe('/sign-in/who');
  expect(page.body).toMatch(/Ann Doe.*Bob Doe/s);
  expect(page.body).not.toContain('Cid');
  expectRefusal(await browser().post('/sign-in/who', { person_id: ann }), 401, 'code_wrong');
  expect((await home.post('/sign-in/who', { person_id: ann })).headers.location).toBe('/me');
  expect((await home.get('/me')).body).toContain('Ann Doe');
});

describe('a session', () => {
  async function signedIn(email = ANN, stay?: '1') {
    const one = browser();
    const before = mails.mails.filter(({ recipients }) => recipients.includes(email)).length;
    await one.post('/sign-in', { email });
    const { code } = await mailOf(email, before + 1);
    await one.post('/sign-in/code', { code, ...(stay && { stay }) });
    return one;
  }

  it('opens what its roles permit, and stops as soon as they are revoked', async () => {
    await appoint(service, ANN, 'officer');
    const ann = await signedIn();

    expect((await ann.get('/admin')).statusCode).toBe(200);
    expect((await ann.get('/admin/pub')).statusCode).toBe(200);
    expect((await ann.get('/admin/calendar')).statusCode).toBe(403);
    await service.ctx.write((tx) => tx.run(build.deleteFrom('person_roles')));
    expect((await ann.get('/admin')).statusCode).toBe(403);
    expect((await ann.get('/me')).statusCode).toBe(200);
  });

  it('is needed for the pages of officers and staff: a browser is redirected to the sign-in page', async () => {
    const nobody = browser();
    const pages = ['/admin', '/admin/elections?x=1', '/admin/pub', '/admin/calendar', '/me'];
    for (const url of pages) {
      const answer = await nobody.get(url);
      expect([answer.statusCode, answer.headers.location]).toEqual([
        303,
        `/sign-in?${new URLSearchParams({ next: url })}`,
      ]);
    }
    expectRefusal(await nobody.get('/admin', { accept: 'application/json' }), 401, 'officer_key_required');
    expectRefusal(await nobody.get('/api/admin/roles'), 401, 'staff_key_required');
  });

  it('allows no writes from another site, a page without an origin, or with no word of their origin', async () => {
    await appoint(service, ANN, 'officer');
    const ann = await signedIn();
    for (const headers of [
      { 'sec-fetch-site': '' },
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      { 'sec-fetch-site': '', origin: 'null' },
    ]) {
      const made = await ann.post('/admin/elections', {}, headers);
      const out = await ann.post('/sign-out', {}, headers);
      expect([headers, made.statusCode, out.statusCode]).toEqual([headers, 403, 403]);
    }
    expect((await ann.post('/admin/elections', {})).statusCode).toBe(400);
  });

  it.each([
    ['that was not asked to stay, after 12 hours', undefined, 12 * HOUR],
    ['of staff, after seven days', '1', 7 * 24 * HOUR],
  ] as const)('%s without use, expires', async (_, stay, idle) => {
    await appoint(service, ANN, 'officer');
    const ann = await signedIn(ANN, stay);
    service.clock.now += idle;
    expect(await ann.isSignedIn()).toBe(true);
    service.clock.now += idle + HOUR;
    expect(await ann.isSignedIn()).toBe(false);
  });

  /** A browser with a session of its own, without the mail. */
  async function withSession(person: string, stay: boolean) {
    const one = browser();
    one.cookies.set('__Host-publichouse', await addSession(service, person, { stay }));
    return one;
  }

  // Each bound with a session of its own: a request that finds it alive notes that it was used.
  it.each([
    ['that was not asked to stay', false, 12 * HOUR],
    ['that stays', true, 30 * 24 * HOUR],
  ] as const)('%s ends right after its time without use', async (_, stay, idle) => {
    const ann = await addPerson('Ann Doe', ANN);
    const [early, late] = [await withSession(ann, stay), await withSession(ann, stay)];
    service.clock.now += idle;
    expect(await early.isSignedIn()).toBe(true);
    service.clock.now += 1;
    expect(await late.isSignedIn()).toBe(false);
  });

  it('is one of at most 20 of a person: the one that was used least lately ends', async () => {
    const ann = await addPerson('Ann Doe', ANN);
    const all = [];
    for (let count = 0; count < 21; count += 1) {
      all.push(await withSession(ann, false));
      service.clock.now += MINUTE;
    }
    const list = await all[20]!.get('/me/devices', { accept: 'application/json' });

    expect(list.json().devices).toHaveLength(20);
    expect([await all[0]!.isSignedIn(), await all[1]!.isSignedIn()]).toEqual([false, true]);
  });

  it('of another person can be opened by a code that the same browser requested before', async () => {
    await addPerson('Ann Doe', ANN);
    await addPerson('Bob', 'bob@club.example');
    const shared = browser();
    await shared.post('/sign-in', { email: ANN });
    await shared.post('/sign-in', { email: 'bob@club.example' });
    const [ofAnn, ofBob] = [await mailOf(ANN), await mailOf('bob@club.example')];

    expect((await shared.post('/sign-in/code', { code: ofAnn.code })).headers.location).toBe('/me');
    expect((await shared.post('/sign-in/code', { code: ofBob.code })).headers.location).toBe('/me');
    expect((await shared.get('/me')).body).toContain('Bob');
  });

  it('is listed with others, and each can be ended', async () => {
    await addPerson('Ann Doe', ANN);
    await addPerson('Bob', 'bob@club.example');
    const bob = await signedIn('bob@club.example');
    const phone = await signedIn();
    service.clock.now += 2 * MINUTE;
    const tablet = await signedIn();
    const list = async () => (await tablet.get('/me/devices', { accept: 'application/json' })).json().devices;

    const devices = await list();
    expect(devices.map(({ current }: { current: boolean }) => current).sort()).toEqual([false, true]);
    await tablet.post('/me/devices/end-others');
    expect([await phone.isSignedIn(), await tablet.isSignedIn(), await bob.isSignedIn()]).toEqual([
      false,
      true,
      true,
    ]);
    const signOut = await tablet.post('/sign-out');
    expect(signOut.headers.location).toBe('/');
    expect(await tablet.isSignedIn()).toBe(false);
  });
});

it('a link from the server’s shell is no mailed code at a shared address either', async () => {
  await addPerson('Ann Doe', ANN);
  const bob = await addPerson('Bob Doe', ANN);
  const link = await makeSignInLink(service.ctx, ANN, { ip: 'shell', at: service.clock.now, by: 'shell' });
  const browserOfBob = browser();

  const chosen = await browserOfBob.post('/sign-in/link', { t: link.split('t=')[1] ?? '' });
  expect(chosen.headers.location).toBe('/sign-in/who');
  await browserOfBob.post('/sign-in/who', { person_id: bob });
  const { now } = service.clock;
  expect(sessions()).toMatchObject([{ person_id: bob, method: 'shell', credential_at: now }]);
});

it('a link from the server’s shell signs in once, in any browser, for 15 minutes', async () => {
  await addPerson('Ann Doe', ANN);
  const actor = { ip: 'shell', at: service.clock.now, by: 'shell' };
  const link = await makeSignInLink(service.ctx, ANN, actor);
  const late = await makeSignInLink(service.ctx, ANN, actor);
  const t = (path: string) => path.split('t=')[1] ?? '';
  const ann = browser();

  const page = await ann.open(link);
  expect(page.body).toContain('Sign in as ann@club.example');
  expect(sessions()).toHaveLength(0);
  expect((await ann.post('/sign-in/link', { t: t(link) })).headers.location).toBe('/me');
  expect(await ann.isSignedIn()).toBe(true);
  expect((await browser().post('/sign-in/link', { t: t(link) })).statusCode).toBe(401);
  service.clock.now += 15 * MINUTE;
  expect((await browser().post('/sign-in/link', { t: t(late) })).statusCode).toBe(401);
  await expect(makeSignInLink(service.ctx, 'nobody@club.example', actor)).rejects.toThrow(
    'nobody has this address',
  );
});

it('a mailed link keeps its secret out of the address, and takes no form of another site', async () => {
  await addPerson('Ann Doe', ANN);
  const ann = browser();
  await ann.post('/sign-in', { email: ANN });
  const { link, code } = await mailOf(ANN);
  const moved = await ann.get(link);
  expect([moved.statusCode, moved.headers.location, moved.headers['referrer-policy']]).toEqual([
    ...[303, '/sign-in/link', 'no-referrer'],
  ]);
  expect(String(moved.headers['set-cookie'])).toMatch(
    /publichouse-link=[\w-]{43}; Path=\/; Max-Age=900; HttpOnly/,
  );
  const page = await ann.get('/sign-in/link');
  expect(page.headers['referrer-policy']).toBe('same-origin');
  expect(page.body).not.toContain(link.split('t=')[1]);

  const none = { 'sec-fetch-site': '' };
  const t = link.split('t=')[1] ?? '';
  for (const [url, body] of [
    ['/sign-in/link', { t, code }],
    ['/sign-in/recovery', { email: ANN, code }],
  ] as const)
    for (const origin of ['null', 'https://evil.example'])
      expect((await ann.post(url, body, { ...none, origin })).statusCode).toBe(403);
  expect((await browser().get('/sign-in/link?t=a%0d%0ab')).headers.location).toBe('/sign-in/link');
  expect((await browser().get('/sign-in/link')).statusCode).toBe(401);

  const own = { ...none, origin: 'https://votes.club.example' };
  expect((await ann.post('/sign-in/link', {}, own)).headers.location).toBe('/me');
});
