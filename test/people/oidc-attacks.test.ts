import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { createPerson } from '#people/persons.ts';
import { type Lies, type LyingProvider, startLyingProvider } from '#test/stand-ins/lying-provider.ts';
import { type MailServer, startMailServer } from '#test/stand-ins/mail-server.ts';
import { type OpenIdServer, startOpenIdProvider, visitProvider } from '#test/stand-ins/openid-provider.ts';
import { BASE, type TestApp } from '#test/support/app.ts';
import { errorJson, message } from '#test/support/messages.ts';
import { CALLBACK, leaveFor, oidcApp, pathOf } from '#test/support/people/oidc.ts';
import { browserOf, codeMailTo } from '#test/support/people/people.ts';
import { holdTimeouts } from '#test/support/request-timeouts.ts';
import { afterLast } from '#test/support/shared-app.ts';

const ANN = 'ann@club.example';

const atEnd = afterLast();
let mails: MailServer;
let service: TestApp;
beforeAll(async () => {
  mails = await startMailServer({}, atEnd);
});

/** Starts the service with Ann's account. @param whenOver is given the function that ends it */
async function start(
  issuer: string,
  env: Record<string, string> = {},
  whenOver: (end: () => Promise<void>) => void = onTestFinished,
): Promise<string> {
  service = await oidcApp(issuer, mails, env);
  const begun = service;
  whenOver(() => begun[Symbol.asyncDispose]());
  const person_id = await service.ctx.write((tx) =>
    createPerson(tx, { name: 'Ann Doe', email: ANN }, { ip: 'test', at: service.clock.now }),
  );
  await service.ctx.write((tx) =>
    tx.run(
      build
        .insertInto('oidc_links')
        .values({ id: 'link', issuer, subject: 'ann-1', person_id, created_at: service.clock.now }),
    ),
  );
  return person_id;
}
/** Signs everybody out, for the next test with the same service. */
const endSessions = () => service.ctx.write((tx) => tx.run(build.deleteFrom('sessions')));
const sessions = () => service.ctx.db.all(build.selectFrom('sessions').select('method'));

async function expectNobody(answer: { statusCode: number; body: string }, status = 401): Promise<void> {
  expect([answer.statusCode, answer.body.includes('You can also sign in with a mailed code')]).toEqual([
    status,
    true,
  ]);
  expect(sessions()).toEqual([]);
}

describe('a real provider', () => {
  let provider: OpenIdServer;
  beforeAll(async () => {
    provider = await startOpenIdProvider(CALLBACK, `${BASE}/`, atEnd);
    await start(provider.issuer, {}, atEnd);
  });
  afterEach(endSessions);

  async function away() {
    provider.signInAs('ann-1');
    const ann = browserOf(service);
    const address = await leaveFor(ann);
    return { ann, address };
  }

  it('gets a request with PKCE, state and nonce, and with the address of BASE_URL whatever Host says', async () => {
    const { ann } = await away();
    const asked = await ann.get('/sign-in/oidc', { host: 'evil.example' });
    const query = new URL(String(asked.headers.location)).searchParams;
    expect(Object.fromEntries(query)).toMatchObject({
      redirect_uri: CALLBACK,
      scope: 'openid email profile',
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const stored = JSON.stringify(service.ctx.db.all(build.selectFrom('oidc_flows').selectAll()));
    expect(stored).not.toContain(query.get('state'));
  });

  it('signs in once: a replayed callback signs nobody in', async () => {
    const { ann, address } = await away();
    const back = pathOf(await visitProvider(address.href));
    const first = await ann.get(back);
    expect([first.statusCode, first.headers.location]).toEqual([303, '/me']);
    await ann.post('/sign-out');
    await expectNobody(await ann.get(back));
    expect(service.logged.join()).not.toContain(new URL(back, BASE).searchParams.get('code'));
  });

  it('signs in only the browser that began; others have no effect', async () => {
    const { ann, address } = await away();
    const back = pathOf(await visitProvider(address.href));
    const eve = browserOf(service);
    await leaveFor(eve);
    await expectNobody(await eve.get(back));
    await expectNobody(await browserOf(service).get(back));
    expect((await ann.get(back)).headers.location).toBe('/me');
  });

  it.each([
    ['a wrong state', (back: URL) => back.searchParams.set('state', 'x'.repeat(43))],
    ['no state', (back: URL) => back.searchParams.delete('state')],
    ['a doubled state', (back: URL) => back.searchParams.append('state', 'x')],
    ['a doubled code', (back: URL) => back.searchParams.append('code', 'x')],
    ['a wrong iss', (back: URL) => back.searchParams.set('iss', 'https://evil.example')],
    ['a wrong code', (back: URL) => back.searchParams.set('code', 'x')],
    ['no code', (back: URL) => back.searchParams.delete('code')],
  ])('with %s signs nobody in', async (_, change) => {
    const { ann, address } = await away();
    const back = new URL(await visitProvider(address.href));
    change(back);
    await expectNobody(await ann.get(pathOf(back.href)));
  });

  it('refuses another verifier than the one it was asked with', async () => {
    const { ann, address } = await away();
    const back = pathOf(await visitProvider(address.href));
    const wrong = build.updateTable('oidc_flows').set({ verifier: 'y'.repeat(43) });
    await service.ctx.write((tx) => tx.run(wrong));
    await expectNobody(await ann.get(back));
  });

  it('may report a refusal, and a sign-in expires after ten minutes', async () => {
    const { ann, address } = await away();
    const late = pathOf(await visitProvider(address.href));
    provider.signInAs(undefined);
    await expectNobody(await ann.get(pathOf(await visitProvider((await leaveFor(ann)).href))));
    service.clock.now += 10 * MINUTE;
    await expectNobody(await ann.get(late));
  });
});

describe('a provider that gives false answers', () => {
  let provider: LyingProvider;
  let common: TestApp;
  beforeAll(async () => {
    provider = await startLyingProvider(atEnd);
    await start(provider.issuer, {}, atEnd);
    common = service;
  });
  beforeEach(() => {
    service = common;
  });
  afterEach(endSessions);

  async function signIn(lies: Lies, at = service, liar = provider) {
    const ann = browserOf(at);
    const query = (await leaveFor(ann)).searchParams;
    liar.expects.nonce = query.get('nonce') ?? '';
    liar.lies = lies;
    const back = new URLSearchParams({ code: 'x', state: query.get('state') ?? '' });
    return { ann, answer: await ann.get(`/sign-in/oidc/callback?${back}`) };
  }

  it('signs in while its answers are correct', async () => {
    const { answer } = await signIn({});
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/me']);
    expect(provider.posted[0]?.get('code_verifier')).toMatch(/^[\w-]{43}$/);
  });

  it.each([
    ['a wrong nonce', { claims: { nonce: 'another' } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['a wrong issuer', { claims: { iss: 'https://evil.example' } }],
    ['a wrong audience', { claims: { aud: 'another client' } }],
    ['several audiences', { claims: { aud: ['publichouse', 'another client'] } }],
    ['an expired token', { claims: { exp: 1_000_000_000 } }],
    ['a forged signature', { forged: true }],
    ['no signature', { unsigned: true }],
    ['no ID token', { withoutToken: true }],
    ['an empty subject', { claims: { sub: '' } }],
    ['a subject of any length', { claims: { sub: 'x'.repeat(256) } }],
    ['another subject in its userinfo', { userinfo: { sub: 'bob-1' } }],
  ] as [string, Lies][])('with %s signs nobody in', async (_, lies) => {
    await expectNobody((await signIn(lies)).answer);
  });

  it('with an address as an object links nothing', async () => {
    const own = await startLyingProvider();
    own.expects.subject = 'ann-2';
    await start(own.issuer, { OIDC_TRUST_EMAIL: 'on' });
    const lies = { userinfo: { email: { toString: ANN }, email_verified: true } };
    const { answer } = await signIn(lies, service, own);
    expect(answer.headers.location).toBe('/sign-in/oidc/link');
  });

  it('that hangs times out at any step that proves the account', async () => {
    const expire = holdTimeouts();
    let waiting = 0;
    const onHang = () => {
      waiting += 1;
      if (waiting === 2) expire();
    };
    const hanging = (['token', 'keys'] as const).map(async (hangs) => {
      const own = await startLyingProvider();
      const other = await oidcApp(own.issuer, mails);
      onTestFinished(() => other[Symbol.asyncDispose]());
      return (await signIn({ hangs, onHang }, other, own)).answer;
    });
    for (const answer of await Promise.all(hanging)) {
      await expectNobody(answer, 503);
      expect(answer.body).toContain(message('oidc_unreachable', { provider: 'The Club Account' }));
    }
  });

  it('that hangs at discovery causes an error page, and is asked again half a minute later', async () => {
    const hanging = await startLyingProvider();
    await start(hanging.issuer);
    hanging.lies = { hangs: 'discovery', onHang: holdTimeouts() };
    const ann = browserOf(service);
    await expectNobody(await ann.get('/sign-in/oidc'), 503);
    hanging.lies = {};
    await expectNobody(await ann.get('/sign-in/oidc'), 503);
    service.clock.now += 30 * SECOND;
    expect((await signIn({}, service, hanging)).answer.headers.location).toBe('/me');
  });
});

it('a provider that is down does not affect sign-in by mail', async () => {
  await start('http://127.0.0.1:9');
  const ann = browserOf(service);
  const page = await ann.get('/sign-in?next=/events');
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain('href="/sign-in/oidc?next=%2Fevents"');
  await expectNobody(await ann.get('/sign-in/oidc'), 503);
  const json = await ann.get('/sign-in/oidc', { accept: 'application/json' });
  expect([json.statusCode, json.json()]).toEqual([
    503,
    errorJson('oidc_unreachable', { provider: 'The Club Account' }),
  ]);

  await ann.post('/sign-in', { email: ANN });
  const { code } = await codeMailTo(mails, ANN, 1);
  expect((await ann.post('/sign-in/code', { code })).statusCode).toBe(303);
  expect((await ann.post('/me/oidc')).statusCode).toBe(503);
});
