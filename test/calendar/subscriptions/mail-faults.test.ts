import { expect, test } from 'vitest';
import { systemClock } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import type { MailerTimes } from '#kernel/mail/mailer.ts';
import { codeIn, FORM, JANE } from '#test/calendar/fixtures.ts';
import {
  DEAD_ADDRESS,
  type MailServerOptions,
  startMailServer,
  startSilentServer,
} from '#test/stand-ins/mail-server.ts';
import { BASE, mailTo, testApp } from '#test/support/app.ts';
import { message, onPage } from '#test/support/messages.ts';
import { leftByKill, startHere, tempFolder } from '#test/support/process/process.ts';

/** A service with this mail server; `ask` signs Jane up. */
async function signUp(url: string, times: Partial<MailerTimes> = {}) {
  const service = await testApp(mailTo(url), { delays: [0, 0], ...times });
  return Object.assign(service, { ask: () => service.post(FORM, JANE) });
}

const nothingKept = { statusCode: 500, error: message('mail_not_sent') };

test.each<[string, MailServerOptions]>([
  ['turns everybody away', { busy: true }],
  ['puts off every mail', { answer: () => ({ code: 451, text: 'Greylisted' }) }],
  ['refuses the address for good', { answer: () => ({ code: 550, text: 'No such user' }) }],
])(
  'a mail server that %s causes a 500, nothing is stored, and the next try is allowed at once',
  async (_name, options) => {
    const server = await startMailServer(options);
    await using service = await signUp(server.url);

    const first = await service.ask();
    const second = await service.ask();

    expect({ statusCode: first.statusCode, error: first.json().error }).toEqual(nothingKept);
    expect(first.body).not.toContain('No such user');
    expect(second.statusCode).toBe(500);
    expect(service.ctx.db.all(build.selectFrom('verifications').selectAll())).toEqual([]);
    expect(service.ctx.db.all(build.selectFrom('audit_log').selectAll())).toEqual([]);
    expect(server.mails).toEqual([]);
  },
);

test('a mail that the server got and did not answer may have arrived: it comes once, and its link works', async () => {
  const server = await startMailServer({ answer: () => 'drop' });
  await using service = await signUp(server.url);

  expect((await service.ask()).statusCode).toBe(200);

  const codes = server.mails.map(codeIn);
  expect(codes).toHaveLength(1);
  expect((await service.get(`/api/subs/verify?calendar_id=programs&v=${codes[0]}`)).statusCode).toBe(200);
});

test('a mail server that cannot be reached or never answers causes a 500 too', async () => {
  for (const url of [DEAD_ADDRESS, (await startSilentServer()).url]) {
    await using service = await signUp(url, { greeting: 30 });
    const answer = await service.ask();
    expect({ statusCode: answer.statusCode, error: answer.json().error }).toEqual(nothingKept);
    expect(service.ctx.db.all(build.selectFrom('verifications').selectAll())).toEqual([]);
  }
});

test('a form is answered with a page that explains the failure', async () => {
  await using service = await signUp(DEAD_ADDRESS);

  const answer = await service.submit(FORM, JANE);

  expect([answer.statusCode, answer.headers['content-type']]).toEqual([500, 'text/html; charset=utf-8']);
  expect(answer.body).toContain(onPage('mail_not_sent'));
});

test('a service killed while sending a mail does not send it again, and the link in the mail works', async () => {
  const sending = Promise.withResolvers<void>();
  const server = await startMailServer({ wait: () => sending.promise });
  const folder = tempFolder();
  await using first = await testApp({ ...mailTo(server.url), DATABASE_URL: `file:${folder}/service.db` });
  first.clock.now = systemClock();
  const asking = first.post(FORM, JANE);
  await expect.poll(() => server.mails.length).toBe(1);
  const left = leftByKill(folder);
  sending.resolve();
  await asking;

  const second = await startHere(left, mailTo(server.url));
  const verified = await fetch(
    `${second.url}/api/subs/verify?calendar_id=programs&v=${codeIn(server.mails[0])}`,
    {
      headers: { accept: 'application/json' },
    },
  );
  const { icsUrl } = (await verified.json()) as { icsUrl: string };
  const feed = await fetch(icsUrl.replace(BASE, second.url));

  expect([verified.status, feed.status]).toEqual([200, 200]);
  expect(server.mails).toHaveLength(1);
});
