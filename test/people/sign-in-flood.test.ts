import { afterEach, beforeEach, expect, it } from 'vitest';
import { listPeopleOf } from '#kernel/access/person-roles.ts';
import { DAY, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { storeFlow } from '#people/oidc/flows.ts';
import { storeChallenge } from '#people/passkeys/challenges.ts';
import { ROWS_AT_MOST, type ShortLived } from '#people/short-lived.ts';
import { askForCode } from '#people/sign-in.ts';
import { makeSignInLink } from '#people/sign-in-links.ts';
import { type MailServer, startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { addSession, browserOf, codeMailTo } from '#test/support/people/people.ts';

const ANN = 'ann@club.example';

let mails: MailServer;
let service: TestApp;
beforeEach(async () => {
  mails = await startMailServer();
  service = await testApp({ ...mailTo(mails.url), LOCAL_BYPASS: 'off', RATE_LIMIT_SIGN_IN: '1000' });
  await appoint(service, ANN, 'owner');
});
afterEach(() => service[Symbol.asyncDispose]());

const count = (table: ShortLived) =>
  service.ctx.db.first(build.selectFrom(table).select((of) => of.fn.countAll<number>().as('n')))!.n;

it('one browser has five requests at once, and each can still sign in', async () => {
  const ann = browserOf(service);
  await ann.post('/sign-in', { email: ANN });
  const { code } = await codeMailTo(mails, ANN, 1);
  for (let other = 0; other < 4; other++) await ann.post('/sign-in', { email: `other${other}@club.example` });
  expect(count('sign_ins')).toBe(5);
  expect((await ann.post('/sign-in/code', { code })).statusCode).toBe(303);

  const flooding = browserOf(service);
  for (let other = 0; other < 40; other++) {
    const from = { 'x-forwarded-for': `2001:db8:${other.toString(16)}::1` };
    await flooding.post('/sign-in', { email: `other${other}@club.example` }, from);
  }
  expect(count('sign_ins')).toBe(5 + 4);
});

it('requests and challenges of strangers are limited in all, and deleted with the next one when they expire', async () => {
  const link = await makeSignInLink(service.ctx, ANN, { ip: 'shell', at: service.clock.now, by: 'shell' });
  const { now } = service.clock;
  const times = { created_at: now, expires_at: now + 15 * MINUTE, used_at: null };
  const rows = Array.from({ length: ROWS_AT_MOST }, (_, index) => ({
    id: `id${index}`,
    browser_hash: `b${index}`,
    link_hash: `l${index}`,
    code_mac: 'x',
    email: `a${index}@club.example`,
    next: null,
    stay: 0 as const,
    ...times,
  }));
  const challenges = rows.map(({ id, browser_hash, expires_at }) => ({
    challenge: id,
    browser_hash,
    kind: 'sign-in' as const,
    person_id: null,
    expires_at,
  }));
  const flows = rows.map(({ id, browser_hash }) => ({
    state_hash: id,
    browser_hash,
    nonce: 'n',
    verifier: 'v',
    next: null,
    stay: 0 as const,
    ...times,
    link_person_id: null,
    issuer: null,
    subject: null,
    email: null,
    sudo_session: null,
    kept: null,
  }));
  await service.ctx.write((tx) => {
    for (let at = 0; at < rows.length; at += 500) {
      tx.run(build.insertInto('oidc_flows').values(flows.slice(at, at + 500)));
      tx.run(build.insertInto('sign_ins').values(rows.slice(at, at + 500)));
      tx.run(build.insertInto('passkey_challenges').values(challenges.slice(at, at + 500)));
    }
  });
  const ask = () => askForCode(service.ctx, { email: ANN, next: null, stay: false }, 'a browser');
  const challenge = (name: string) =>
    storeChallenge(service.ctx, name, { browser: 'a browser', kind: 'sign-in', person_id: null });
  const flow = (state: string) =>
    storeFlow(service.ctx, 'a browser', { state, nonce: 'n', verifier: 'v' }, {});
  const counts = () => [count('sign_ins'), count('passkey_challenges'), count('oidc_flows')];
  service.clock.now += 1;
  await ask();
  await challenge('new');
  await flow('new');
  expect(counts()).toEqual([ROWS_AT_MOST + 1, ROWS_AT_MOST, ROWS_AT_MOST]);
  const t = link.split('t=')[1] ?? '';
  expect((await browserOf(service).post('/sign-in/link', { t })).statusCode).toBe(303);

  service.clock.now += 20 * MINUTE;
  await ask();
  await challenge('newest');
  await flow('newest');
  expect(counts()).toEqual([1, 1, 1]);
});

it('strangers who ask for somebody’s code use up their own mails, and not those of the member', async () => {
  const home = { 'x-forwarded-for': '203.0.113.9' };
  await addSession(service, listPeopleOf(service.ctx.db, ANN)[0]!.id, { network: '203.0.113.0/24' });
  const ask = (headers: Record<string, string>) =>
    browserOf(service).post('/sign-in', { email: ANN }, headers);
  let stranger = 0;
  const strangers = async (times: number) => {
    for (const last = stranger + times; stranger < last; stranger++)
      await ask({ 'x-forwarded-for': `198.51.${stranger}.1` });
  };
  await strangers(25);
  await codeMailTo(mails, ANN, 20);
  await ask(home);
  await codeMailTo(mails, ANN, 21);
  // Not within the same minute, and not from a network that she never used.
  await ask(home);
  await strangers(1);
  service.clock.now += MINUTE;
  await ask(home);
  const { code } = await codeMailTo(mails, ANN, 22);
  expect(code).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/);
  service.clock.now += DAY;
  await strangers(1);
  await codeMailTo(mails, ANN, 23);
});
