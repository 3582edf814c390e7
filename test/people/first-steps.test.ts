import { expect, it } from 'vitest';
import { makeSignInLink } from '#people/sign-in-links.ts';
import { type MailServerOptions, startMailServer } from '#test/stand-ins/mail-server.ts';
import { BASE, mailTo, testApp } from '#test/support/app.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { browserOf, codeMailTo } from '#test/support/people/people.ts';

const OLGA = 'olga@club.example';
const PAGE = '/me/first-steps';

/** Starts a service with a signed-in owner. */
async function openClub(options: MailServerOptions = {}, role = 'owner') {
  const mails = await startMailServer(options);
  const service = await testApp({ ...mailTo(mails.url), LOCAL_BYPASS: 'off' });
  await appoint(service, OLGA, role);
  const olga = browserOf(service);
  await olga.post('/sign-in', { email: OLGA });
  await olga.post('/sign-in/code', { code: (await codeMailTo(mails, OLGA, 1)).code });
  return { mails, service, olga, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

it('the first steps lead an owner through a test mail, a passkey and recovery codes', async () => {
  await using club = await openClub();
  const { body } = await club.olga.get(PAGE);
  for (const part of [
    `action="${PAGE}/test-mail"`,
    `href="/me/passkeys/new?next=${PAGE}"`,
    '/me/recovery-codes',
  ])
    expect(body).toContain(part);
  expect((await club.olga.get('/me')).body).toContain(`href="${PAGE}"`);
  expect((await club.olga.post('/me/recovery-codes')).body).toContain('Your recovery codes');
  expect((await club.olga.get(PAGE)).body).toContain('You have 8 codes left');
});

it('a test mail goes to the owner', async () => {
  await using club = await openClub();
  const page = await club.olga.post(`${PAGE}/test-mail`);
  expect([page.statusCode, page.body.includes('The mail server took the mail')]).toEqual([200, true]);
  expect(club.mails.mails.at(-1)).toMatchObject({
    recipients: [OLGA],
    headers: { subject: '[Test] Mails from The Anchor arrive' },
  });
});

it('the page shows the reason when the mail server refuses', async () => {
  let asked = 0;
  const refusal = { code: 554, text: '5.7.1 <No> relaying' };
  await using club = await openClub({ answer: () => (++asked > 1 ? refusal : 'take') });
  const page = await club.olga.post(`${PAGE}/test-mail`);
  expect(page.body).toContain('554 5.7.1 &lt;No&gt; relaying');
  const json = await club.olga.post(`${PAGE}/test-mail`, {}, { accept: 'application/json' });
  expect(json.json()).toEqual({ to: OLGA, ok: false, error: expect.stringContaining('relaying') });
});

it('the page names the missing settings for mail', async () => {
  await using service = await testApp({ LOCAL_BYPASS: 'off', BASE_URL: BASE });
  await appoint(service, OLGA, 'owner');

  const link = await makeSignInLink(service.ctx, OLGA, { ip: 'the test', at: service.clock.now });
  const olga = browserOf(service);
  await olga.post('/sign-in/link', { t: link.split('t=')[1] });
  const { body } = await olga.get(PAGE);
  expect(body).toContain('No mail can be sent: MAILER_URL is not set.');
  expect(body).not.toContain('Send a test mail');
  const json = await olga.post(`${PAGE}/test-mail`, {}, { accept: 'application/json' });
  expect(json.json()).toMatchObject({ ok: false, error: expect.stringContaining('MAILER_URL') });
});

it('the page is for owners only', async () => {
  await using club = await openClub({}, 'officer');
  expect((await club.olga.get(PAGE)).statusCode).toBe(403);
  expect((await club.olga.post(`${PAGE}/test-mail`)).statusCode).toBe(403);
  const stranger = browserOf(club.service);
  expect((await stranger.get(PAGE)).headers.location).toBe(`/sign-in?next=${encodeURIComponent(PAGE)}`);
  expect((await stranger.post(`${PAGE}/test-mail`)).statusCode).toBe(401);
});
