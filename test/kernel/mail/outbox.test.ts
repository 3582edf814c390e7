import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { NO_ANSWER, REQUEST_WAITS } from '#kernel/mail/limits.ts';
import { putMail } from '#kernel/mail/outbox.ts';
import { beginDueMails, deleteOldMails, sendDueMails } from '#kernel/mail/sender.ts';
import { codeIn, FORM, JANE } from '#test/calendar/fixtures.ts';
import { DEAD_ADDRESS, type MailServer, never, startMailServer } from '#test/stand-ins/mail-server.ts';
import { BASE, mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { addElection } from '#test/support/factories.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { leftByKill, startHere, tempFolder } from '#test/support/process/process.ts';
import { holdTimeouts } from '#test/support/request-timeouts.ts';

const OLGA = 'olga@club.example';
const OMAR = 'omar@club.example';
const GREYLISTED = { code: 451, text: 'Greylisted' };

/** A service with an owner, and a mail server that puts off whatever comes until it takes mails. */
async function club(takes = false, env: Record<string, string> = {}) {
  const state = { takes };
  const server = await startMailServer({ answer: () => (state.takes ? 'take' : GREYLISTED) });
  const service = await testApp({ ...mailTo(server.url), ...env }, { delays: [] });
  return Object.assign(service, { state, server, olga: await appoint(service, OLGA, 'owner') });
}

type Owned = TestApp & { olga: Record<string, string> };

const makeOwner = ({ request, olga }: Owned, email: string) =>
  request({
    method: 'PUT',
    url: '/api/admin/roles',
    payload: { email, roles: ['owner'] },
    headers: { accept: 'application/json', ...olga },
  });

const rowsOf = ({ ctx }: TestApp) =>
  ctx.db.all(build.selectFrom('outbox').selectAll().orderBy('created_at').orderBy('id'));
const statesOf = (service: TestApp) => rowsOf(service).map(({ kind, state }) => `${kind} ${state}`);
const to = ({ mails }: MailServer) => mails.flatMap(({ recipients }) => recipients);

test('a notice that the mail server puts off is sent once it takes it, with the words of then', async () => {
  await using service = await club();
  await makeOwner(service, OMAR);
  await expect
    .poll(() => statesOf(service).toSorted())
    .toEqual(['owner-notice WAITING', 'owner-notice WAITING', 'role-notice WAITING']);

  service.clock.now += MINUTE - 1;
  await sendDueMails(service.ctx);
  expect(service.server.tries.get(OLGA)).toBe(1);
  service.state.takes = true;
  service.clock.now += 1;
  await sendDueMails(service.ctx);
  await sendDueMails(service.ctx);

  expect(to(service.server).toSorted()).toEqual([OLGA, OMAR, OMAR]);
  const { text } = service.server.mails.find(({ recipients }) => recipients[0] === OLGA)!;
  expect(text).toContain('12:00 PM');
  expect(statesOf(service).toSorted()).toEqual([
    'owner-notice SENT',
    'owner-notice SENT',
    'role-notice SENT',
  ]);
  expect(rowsOf(service).map(({ facts }) => facts)).toEqual(['{}', '{}', '{}']);
});

test('a notice also waits for a server that is not there, for a day at most', async () => {
  await using service = await club(false, { MAILER_URL: DEAD_ADDRESS });
  await makeOwner(service, OMAR);
  await expect.poll(() => new Set(rowsOf(service).map(({ state }) => state))).toEqual(new Set(['WAITING']));
  for (let hour = 0; hour <= 26; hour++) {
    service.clock.now += HOUR;
    await sendDueMails(service.ctx);
  }
  for (const row of rowsOf(service))
    expect(row).toMatchObject({ state: 'FAILED', error: expect.stringContaining('cannot be reached') });
});

test('a mail that the server refuses is not tried again', async () => {
  const server = await startMailServer({ answer: () => ({ code: 550, text: 'No such person' }) });
  await using service = await testApp(mailTo(server.url), { delays: [] });
  await makeOwner(Object.assign(service, { olga: await appoint(service, OLGA, 'owner') }), OMAR);
  await expect
    .poll(() => new Set(rowsOf(service).map(({ error }) => error)))
    .toEqual(new Set(['550 No such person']));
  service.clock.now += HOUR;
  await sendDueMails(service.ctx);
  expect(server.tries.get(OLGA)).toBe(1);
});

test('a sign-in code is put off too, goes before other mails, and not once it has expired', async () => {
  await using service = await club(false, { MAILER_PACE_PER_MINUTE: '60' });
  await makeOwner(service, OMAR);
  await service.submit('/sign-in', { email: OLGA });
  await expect.poll(() => statesOf(service).length).toBe(4);
  await expect.poll(() => statesOf(service)).toContain('sign-in-code WAITING');
  service.state.takes = true;
  service.clock.now += MINUTE;
  await sendDueMails(service.ctx);
  expect(service.server.mails.map(({ headers }) => headers.subject)).toEqual([
    expect.stringMatching(/^[0-9A-Z]{4}-[0-9A-Z]{4} is your code/),
  ]);

  service.state.takes = false;
  await service.submit('/sign-in', { email: OLGA });
  await expect.poll(() => statesOf(service)).toContain('sign-in-code WAITING');
  service.state.takes = true;
  service.clock.now += 16 * MINUTE;
  await sendDueMails(service.ctx);
  expect(statesOf(service)).toContain('sign-in-code SKIPPED');
  expect(to(service.server)).toHaveLength(1);
});

test('no row contains the code or the link of its mail', async () => {
  await using service = await club(true);
  await service.submit('/sign-in', { email: OLGA });
  await service.post(FORM, JANE);
  await expect.poll(() => service.server.mails.length).toBe(2);
  const [code = ''] =
    // The text has a random link too.
    /^([0-9A-Z]{4}-[0-9A-Z]{4}) /.exec(
      service.server.mails.find(({ recipients }) => recipients[0] === OLGA)!.headers.subject ?? '',
    ) ?? [];
  const link = codeIn(service.server.mails.find(({ recipients }) => recipients[0] === JANE.email));
  const stored = JSON.stringify([
    rowsOf(service),
    service.ctx.db.all(build.selectFrom('sign_ins').selectAll()),
    service.ctx.db.all(build.selectFrom('verifications').selectAll()),
  ]);
  for (const secret of [code, code.replace('-', ''), link]) {
    expect(secret).not.toBe('');
    expect(stored).not.toContain(secret);
    expect(service.logged.join()).not.toContain(secret);
  }
});

test('a notice under way when the service is killed is sent after the next start', async () => {
  const folder = tempFolder();
  const killed = Promise.withResolvers<void>();
  const deaf = await startMailServer({ wait: () => killed.promise });
  const after = await startMailServer();
  await using first = await testApp(
    { ...mailTo(deaf.url), DATABASE_URL: `file:${folder}/service.db` },
    { delays: [] },
  );
  await makeOwner(Object.assign(first, { olga: await appoint(first, OLGA, 'owner') }), OMAR);
  await expect.poll(() => deaf.mails.length).toBe(3);
  const left = leftByKill(folder);
  killed.resolve();

  await startHere(left, mailTo(after.url));
  await expect.poll(() => to(after).toSorted()).toEqual([OLGA, OMAR, OMAR]);
});

test('rows are deleted a week after their mails were sent', async () => {
  await using service = await club(true);
  await makeOwner(service, OMAR);
  await expect
    .poll(() => statesOf(service).toSorted())
    .toEqual(['owner-notice SENT', 'owner-notice SENT', 'role-notice SENT']);
  service.clock.now += 7 * DAY;
  await deleteOldMails(service.ctx);
  expect(rowsOf(service)).toHaveLength(3);
  service.clock.now += 1;
  await deleteOldMails(service.ctx);
  expect(rowsOf(service)).toEqual([]);
});

/** Refuses to store that mails were sent, or takes it again. */
const refuseOutcomes = ({ ctx }: TestApp, refuses: boolean) =>
  ctx.write((tx) =>
    tx.run(
      (refuses
        ? sql`CREATE TRIGGER refused BEFORE UPDATE ON outbox WHEN NEW.state = 'SENT'
          BEGIN SELECT RAISE(ABORT, 'full'); END`
        : sql`DROP TRIGGER refused`
      ).compile(build),
    ),
  );

test('the outcome of a mail that the disk refuses is stored once it takes writes, and the mail is sent once', async () => {
  const accepts = Promise.withResolvers<void>();
  const server = await startMailServer({ wait: () => accepts.promise });
  await using service = await testApp(mailTo(server.url), { delays: [] });
  await makeOwner(Object.assign(service, { olga: await appoint(service, OLGA, 'owner') }), OMAR);
  await expect.poll(() => server.mails.length).toBe(3);
  const sending = [...service.ctx.mailsUnderWay];
  await refuseOutcomes(service, true);
  accepts.resolve();
  await Promise.allSettled(sending);
  const states = () => new Set(rowsOf(service).map(({ state }) => state));
  expect(states()).toEqual(new Set(['SENDING']));
  await sendDueMails(service.ctx);
  expect(states()).toEqual(new Set(['SENDING']));

  await refuseOutcomes(service, false);
  await sendDueMails(service.ctx);
  expect(states()).toEqual(new Set(['SENT']));
  service.clock.now += DAY;
  await sendDueMails(service.ctx);
  expect(server.mails).toHaveLength(3);
});

test('a mail that a failed request claimed and never began to send is sent ten minutes later', async () => {
  await using service = await club(true);
  await service.ctx.write((tx) =>
    putMail(
      tx,
      { kind: 'owner-notice', email: OLGA, facts: { owner: OMAR, by: OLGA, at: service.clock.now } as never },
      service.clock.now,
      service.ctx.run,
    ),
  );
  await sendDueMails(service.ctx);
  expect(to(service.server)).toEqual([]);
  service.clock.now += 10 * MINUTE;
  await sendDueMails(service.ctx);
  await sendDueMails(service.ctx);
  expect(to(service.server)).toEqual([OLGA]);
});

test('a mail that the server gets and does not answer is unsure: once more after an hour, and no more', async () => {
  const server = await startMailServer({ answer: () => 'drop' });
  await using service = await testApp(mailTo(server.url), { delays: [] });
  const { ctx, clock } = service;
  const facts = { owner: OMAR, by: OLGA, at: clock.now, origin: '' };
  await ctx.write((tx) => putMail(tx, { kind: 'owner-notice', email: OLGA, facts }, clock.now));
  const row = () => rowsOf(service)[0];

  await sendDueMails(ctx);
  expect(row()).toMatchObject({ state: 'WAITING', error: NO_ANSWER, due_at: clock.now + HOUR });
  clock.now += HOUR - 1;
  await sendDueMails(ctx);
  expect(server.mails).toHaveLength(1);
  clock.now += 1;
  await sendDueMails(ctx);
  expect(row()).toMatchObject({ state: 'UNSURE', error: NO_ANSWER });
  clock.now += DAY;
  await sendDueMails(ctx);

  expect(new Set(server.mails.map(({ headers }) => headers['message-id'])).size).toBe(1);
  expect(server.mails).toHaveLength(2);
});

test('a mail that may have arrived is not sent at once by another mail server either', async () => {
  const server = await startMailServer({ answer: () => 'drop' });
  const other = await startMailServer();
  await using service = await testApp({ BASE_URL: BASE }, { delays: [] });
  const olga = await appoint(service, OLGA, 'owner');
  const use = ({ port }: MailServer) =>
    service.request({
      method: 'PUT',
      url: '/api/admin/settings',
      payload: { mail: { host: '127.0.0.1', port, encryption: 'none', from_email: 'post@club.example' } },
      headers: { accept: 'application/json', ...olga },
    });
  await use(server);
  const facts = { owner: OMAR, by: OLGA, at: service.clock.now, origin: '' };
  const mail = { kind: 'owner-notice', email: OMAR, facts } as const;
  await service.ctx.write((tx) => putMail(tx, mail, service.clock.now));
  await sendDueMails(service.ctx);

  expect((await use(other)).statusCode).toBe(200);
  await sendDueMails(service.ctx);

  expect(to(other)).not.toContain(OMAR);
});

test('one mail that the server is slow to take holds up no other', async () => {
  const server = await startMailServer({ wait: async ([first]) => (first === OMAR ? never() : undefined) });
  await using service = await testApp(mailTo(server.url), { delays: [] });
  const put = (email: string) => {
    const facts = { owner: OMAR, by: OLGA, at: service.clock.now, origin: '' };
    return service.ctx.write((tx) => putMail(tx, { kind: 'owner-notice', email, facts }, service.clock.now));
  };
  await put(OMAR);
  const begun = await beginDueMails(service.ctx);
  expect(begun).toHaveLength(1);
  await expect.poll(() => to(server)).toEqual([OMAR]);

  for (let at = 0; at < 40; at++) await put(`member${at}@club.example`);
  for (let run = 0; run < 10; run++) await beginDueMails(service.ctx).then((sent) => Promise.all(sent));

  expect(to(server)).toHaveLength(41);
});

test('a request does not wait longer than its limit: the mail is queued for it, and arrives once', async () => {
  const accepts = Promise.withResolvers<void>();
  const server = await startMailServer({ wait: () => accepts.promise });
  await using service = await testApp(mailTo(server.url), { delays: [] });
  const id = await addElection(service);
  const endTimeouts = holdTimeouts(REQUEST_WAITS);
  const asked = service.post(`/admin/elections/${id}/invite`, { emails: [OLGA] });
  await expect.poll(() => server.mails.length).toBe(1);
  endTimeouts();

  const { summary, results } = (await asked).json();
  expect(summary).toEqual({ total: 1, sent: 0, failed: 0, queued: 1 });
  expect(results).toEqual([
    { email: OLGA, success: false, queued: true, error: 'The mail server has not answered yet' },
  ]);

  accepts.resolve();
  await Promise.allSettled([...service.ctx.mailsUnderWay]);
  const { invites } = (await service.get(`/admin/elections/${id}/invites`)).json();
  expect(invites).toMatchObject([{ email: OLGA, status: 'SENT' }]);
  service.clock.now += DAY;
  await sendDueMails(service.ctx);
  expect(server.mails).toHaveLength(1);
});
