import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { makeSignInLink } from '#people/sign-in-links.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { expectRefusal, onPage } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { browserOf } from '#test/support/people/people.ts';

const ANN = 'ann@club.example';

let service: TestApp;
beforeEach(async () => {
  service = await testApp({
    LOCAL_BYPASS: 'off',
    BASE_URL: 'https://votes.club.example',
    RATE_LIMIT_SIGN_IN: '100',
  });
});
afterEach(() => service[Symbol.asyncDispose]());

async function signedIn(...roles: string[]) {
  await appoint(service, ANN, ...roles);
  const link = await makeSignInLink(service.ctx, ANN, { ip: 'shell', at: service.clock.now, by: 'shell' });
  const ann = browserOf(service);
  await ann.post('/sign-in/link', { t: link.split('t=')[1] });
  return ann;
}
const JSON_ONLY = { accept: 'application/json' };

it('recovery codes are shown once, and each signs in once, in any spelling', async () => {
  const ann = await signedIn('officer');
  const page = await ann.post('/me/recovery-codes');
  const codes = [...page.body.matchAll(/<code>([0-9A-Z-]{29})<\/code>/g)].map(([, code = '']) => code);
  expect(new Set(codes).size).toBe(8);
  expect((await ann.get('/me')).body).toContain('8 codes left');
  const stored = JSON.stringify(service.ctx.db.all(build.selectFrom('recovery_codes').selectAll()));
  for (const code of codes) expect(stored).not.toContain(code.replaceAll('-', ''));

  const phone = browserOf(service);
  const sent = { email: ' Ann@club.example', code: (codes[0] ?? '').toLowerCase().replaceAll('-', ' ') };
  expect((await phone.post('/sign-in/recovery', sent)).headers.location).toBe('/me');
  expect(await phone.isSignedIn()).toBe(true);
  const again = await browserOf(service).post('/sign-in/recovery', sent);
  expect([again.statusCode, again.body.includes(onPage('code_does_not_fit'))]).toEqual([401, true]);
  expect((await ann.get('/me')).body).toContain('7 codes left');
});

it('recovery codes end with new codes or with the role, and work for no other address', async () => {
  const ann = await signedIn('officer');
  await appoint(service, 'bob@club.example', 'officer');
  const make = async () => (await ann.post('/me/recovery-codes', {}, JSON_ONLY)).json().codes as string[];
  const [old] = await make();
  const [code, other] = await make();
  const tryWith = async (body: object) =>
    (await browserOf(service).post('/sign-in/recovery', body)).statusCode;

  expect(await tryWith({ email: ANN, code: old })).toBe(401);
  expect(await tryWith({ email: 'bob@club.example', code })).toBe(401);
  expect(await tryWith({ email: 'nobody@club.example', code })).toBe(401);
  expect(await tryWith({ email: ANN, code })).toBe(303);
  await service.ctx.write((tx) => tx.run(build.deleteFrom('person_roles')));
  expect(await tryWith({ email: ANN, code: other })).toBe(401);
});

it('recovery codes are only for those with a role, and need fresh proof', async () => {
  const member = await signedIn();
  expectRefusal(await member.post('/me/recovery-codes', {}, JSON_ONLY), 403, 'recovery_codes_need_role');
  await appoint(service, ANN, 'dj');
  service.clock.now += 11 * MINUTE;
  const asked = await member.post('/me/recovery-codes', {}, JSON_ONLY);
  expect([asked.statusCode, asked.json().sudo]).toEqual([403, true]);
});

it('a code that does not fit costs the same for an address of the roll and for one of nobody', async () => {
  await signedIn('officer');
  const write = vi.spyOn(service.ctx, 'write');
  const answers = [];
  for (const email of [ANN, 'nobody@club.example']) {
    write.mockClear();
    const body = { email, code: '2345-6789-ABCD-EFGH-JKMN-PQRS' };
    const { statusCode, headers, json } = await browserOf(service).post('/sign-in/recovery', body, JSON_ONLY);
    answers.push([statusCode, headers['content-length'], json(), write.mock.calls.length]);
  }

  expect(answers[0]).toEqual([401, expect.any(String), expect.any(Object), expect.any(Number)]);
  expect(answers[1]).toEqual(answers[0]);
});
