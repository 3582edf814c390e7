import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DAY, HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import { NO_ANSWER } from '#kernel/mail/limits.ts';
import { sendDueMails } from '#kernel/mail/sender.ts';
import {
  DEAD_ADDRESS,
  type MailServerOptions,
  type ReceivedMail,
  startMailServer,
  startSilentServer,
} from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { addElection, auditOf, cast, send } from '#test/support/factories.ts';
import { tempFolder } from '#test/support/process/process.ts';
import { deleteClosedLinks } from '#voting/invitations/invites.ts';

const tokenIn = ({ text }: ReceivedMail) => new URL(/https:\S+/.exec(text)![0]).searchParams.get('t') ?? '';
const people = (count: number) => Array.from({ length: count }, (_, n) => `member${n}@club.example`);
const invite = (service: TestApp, id: string, emails: string[], more: object = {}) =>
  service.post(`/admin/elections/${id}/invite`, { emails, ...more });
const invitesOf = async (service: TestApp, id: string) =>
  (await service.get(`/admin/elections/${id}/invites`)).json().invites;

async function mailing(options: MailServerOptions = {}) {
  const server = await startMailServer(options);
  return Object.assign(await testApp(mailTo(server.url), { delays: [0, 0] }), { server });
}

test('a slow server gets every mail once', async () => {
  await using service = await mailing({ wait: () => setTimeout(20) });
  const id = await addElection(service);

  const answer = (await invite(service, id, people(40))).json();

  expect(answer.summary).toEqual({ total: 40, sent: 40, failed: 0, queued: 0 });
  expect(service.server.mails.flatMap(({ recipients }) => recipients).toSorted()).toEqual(
    people(40).toSorted(),
  );
  expect(service.server.connections.most).toBeLessThanOrEqual(5);
});

test.each([
  [450, 'Mailbox busy'],
  [421, 'Try again later'],
])('a mail deferred with %i is retried, and sent once', async (code, text) => {
  await using service = await mailing({ answer: (_, attempt) => (attempt < 3 ? { code, text } : 'take') });
  const id = await addElection(service);

  const answer = (await invite(service, id, ['ann@club.example'])).json();

  expect(answer.results).toEqual([{ email: 'ann@club.example', success: true }]);
  expect(service.server.tries.get('ann@club.example')).toBe(3);
  expect(service.server.mails).toHaveLength(1);
  expect(await invitesOf(service, id)).toMatchObject([{ status: 'SENT', error: null }]);
});

test('a deferred mail stays queued, is retried at growing intervals, and is sent once accepted', async () => {
  let takes = false;
  const server = await startMailServer({
    answer: () => (takes ? 'take' : { code: 450, text: 'Greylisted' }),
  });
  const DATABASE_URL = `file:${path.join(tempFolder(), 'service.db')}`;
  const start = () => testApp({ ...mailTo(server.url), DATABASE_URL }, { delays: [] });
  const error = expect.stringMatching(/450.*Greylisted/);
  const tries = () => server.tries.get('ann@club.example');
  let id: string;
  let now: number;
  {
    await using service = await start();
    id = await addElection(service);
    const answer = (await invite(service, id, ['ann@club.example'])).json();

    expect(answer).toMatchObject({ success: true, summary: { total: 1, sent: 0, failed: 0, queued: 1 } });
    expect(answer.results).toEqual([{ email: 'ann@club.example', success: false, queued: true, error }]);
    expect(await invitesOf(service, id)).toMatchObject([{ status: 'QUEUED', sent_at: null, error }]);
    await sendDueMails(service.ctx);
    expect(tries()).toBe(1);
    for (const minutes of [1, 1, 2]) {
      service.clock.now += minutes * MINUTE;
      await sendDueMails(service.ctx);
      await sendDueMails(service.ctx);
    }
    expect(tries()).toBe(4);
    const page = await service.get(`/admin/elections/${id}/invitations`, { accept: 'text/html' });
    expect(page.body).toMatch(/The mail server deferred it; the service tries again: 450 Greylisted/);
    now = service.clock.now;
  }
  await using service = await start();
  service.clock.now = now + 4 * MINUTE;
  takes = true;
  await sendDueMails(service.ctx);

  expect(tries()).toBe(5);
  expect(await invitesOf(service, id)).toMatchObject([{ status: 'SENT', error: null }]);
  const actions = (await auditOf(service, id)).map(({ action }) => action);
  expect(actions.filter((action) => action.startsWith('invite.'))).toEqual(['invite.sent']);
});

test('a deferred mail that an officer sends again stays queued if the server defers it again', async () => {
  let takes = false;
  const server = await startMailServer({
    answer: () => (takes ? 'take' : { code: 450, text: 'Greylisted' }),
  });
  await using service = await testApp(mailTo(server.url), { delays: [] });
  const id = await addElection(service);
  await invite(service, id, ['ann@club.example']);
  const [row] = await invitesOf(service, id);
  const resend = `/admin/elections/${id}/invites/${row.id}/resend`;
  const error = expect.stringMatching(/450.*Greylisted/);

  expect((await service.post(resend)).json()).toEqual({
    success: false,
    status: 'QUEUED',
    queued: true,
    error,
  });
  expect(await invitesOf(service, id)).toMatchObject([{ status: 'QUEUED', sent_at: null, error }]);
  const { headers } = await service.submit(resend, {});
  expect((await service.get(String(headers.location), { accept: 'text/html' })).body).toMatch(
    /The mail server deferred the mail to ann@club\.example; the service tries again: 450 Greylisted/,
  );

  takes = true;
  service.clock.now += MINUTE;
  await sendDueMails(service.ctx);
  expect(await invitesOf(service, id)).toMatchObject([{ status: 'SENT', error: null }]);
  expect(server.mails).toHaveLength(1);
});

test('a mail deferred for a day has failed, with the server’s message', async () => {
  const server = await startMailServer({ answer: () => ({ code: 451, text: 'Too many mails' }) });
  await using service = await testApp(mailTo(server.url), { delays: [] });
  const id = await addElection(service, { close_at: isoTime(service.clock.now + 3 * DAY) });
  await invite(service, id, ['ann@club.example']);

  for (let hour = 0; hour < 30; hour++) {
    service.clock.now += HOUR;
    await sendDueMails(service.ctx);
  }

  // Tried at once and then every hour; the last try is after a day.
  expect(server.tries.get('ann@club.example')).toBe(25);
  const error = expect.stringMatching(/451.*Too many mails/);
  expect(await invitesOf(service, id)).toMatchObject([{ status: 'FAILED', sent_at: null, error }]);
  expect((await auditOf(service, id)).map(({ action }) => action)).toContain('invite.failed');
});

test('results all arrive even if the server accepts only some mails per minute', async () => {
  let left = 8;
  const server = await startMailServer({
    answer: () => (left-- > 0 ? 'take' : { code: 451, text: 'Too many mails in a minute' }),
  });
  await using service = await testApp(mailTo(server.url), { delays: [] });
  const id = await addElection(service);
  await service.post(`/admin/elections/${id}/close`);
  const answer = await service.post(`/admin/elections/${id}/results-email`, { emails: people(12) });
  expect(answer.json()).toMatchObject({ success: true, summary: { total: 12, failed: 0 } });
  expect(server.mails.length).toBeLessThan(12);

  for (const minutes of [1, 1, 2, 4, 8]) {
    left = 8;
    service.clock.now += minutes * MINUTE;
    for (let second = 0; second < 12; second++) await sendDueMails(service.ctx);
  }

  expect(server.mails.flatMap(({ recipients }) => recipients).toSorted()).toEqual(people(12).toSorted());
  expect((await auditOf(service, id)).at(-1)).toMatchObject({
    action: 'results.emailed',
    metadata: { sent: 12, failed: 0 },
  });
});

test('a refused mail fails at once; the other mails of the request are sent', async () => {
  const refused = (address: string) => address.startsWith('member3@') || address.startsWith('member7@');
  await using service = await mailing({
    answer: (address) => (refused(address) ? { code: 550, text: 'No such person here' } : 'take'),
  });
  const id = await addElection(service);

  const answer = (await invite(service, id, people(10))).json();

  expect(answer).toMatchObject({ success: true, summary: { total: 10, sent: 8, failed: 2, queued: 0 } });
  for (const { email, success, error } of answer.results) {
    expect(success).toBe(!refused(email));
    if (!success) expect(error).toMatch(/550.*No such person here/);
  }
  expect(service.server.tries.get('member3@club.example')).toBe(1);
  const rows: { email: string; status: string }[] = await invitesOf(service, id);
  expect(rows.filter(({ status }) => status === 'FAILED').map(({ email }) => email)).toEqual([
    'member3@club.example',
    'member7@club.example',
  ]);
});

test.each(['individual', 'batch'])(
  'a mail (%s) whose response was lost is queued for an hour, then repeated with the same id',
  async (invite_mode) => {
    await using service = await mailing({ answer: (_, attempt) => (attempt === 1 ? 'drop' : 'take') });
    const id = await addElection(service);

    const answer = (await invite(service, id, ['ann@club.example'], { invite_mode })).json();

    expect(answer.results).toEqual([
      { email: 'ann@club.example', success: false, queued: true, error: NO_ANSWER },
    ]);
    expect((await invitesOf(service, id))[0].status).toBe('QUEUED');
    expect(service.server.mails).toHaveLength(1);
    service.clock.now += HOUR;
    await sendDueMails(service.ctx);
    expect((await invitesOf(service, id))[0].status).toBe('SENT');
    const [first, second] = service.server.mails as [ReceivedMail, ReceivedMail];
    expect(second.headers['message-id']).toBe(first.headers['message-id']);
    // A mail about all elections gets a link of its own each time.
    if (invite_mode === 'individual') expect(tokenIn(second)).toBe(tokenIn(first));
  },
);

test.each([
  ['is not there', async () => DEAD_ADDRESS],
  ['says nothing', async () => (await startSilentServer()).url],
  ['is too busy for anybody', async () => (await startMailServer({ busy: true })).url],
  ['does not know the password', async () => (await startMailServer({ password: 'another' })).url],
])('when the server %s every invitation fails with a reason and without the key', async (_, address) => {
  await using service = await testApp(mailTo(await address()), { delays: [0, 0], greeting: 50 });
  const id = await addElection(service);

  const answer = await invite(service, id, people(30));

  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toMatchObject({
    success: false,
    summary: { total: 30, sent: 0, failed: 30, queued: 0 },
  });
  for (const row of [...answer.json().results, ...(await invitesOf(service, id))]) {
    expect(row.error).toMatch(/\S/);
    expect(row.status ?? 'FAILED').toBe('FAILED');
  }
  expect(answer.body + service.logged.join('')).not.toContain('a key of the mailer');
});

test('a failed invitation can be repeated, and has the same link as before', async () => {
  let up = false;
  await using service = await mailing({ answer: () => (up ? 'take' : 'drop') });
  const id = await addElection(service);
  await invite(service, id, ['ann@club.example']);
  service.clock.now += HOUR;
  await sendDueMails(service.ctx);
  const [before] = await invitesOf(service, id);

  up = true;
  const answer = (await invite(service, id, ['ann@club.example'])).json();

  expect(before.status).toBe('FAILED');
  expect(answer).toMatchObject({ success: true, results: [{ email: 'ann@club.example', success: true }] });
  expect(new Set(service.server.mails.map(tokenIn)).size).toBe(1);
  expect(await invitesOf(service, id)).toMatchObject([{ id: before.id, status: 'SENT', error: null }]);
  const { turnout } = (await service.get(`/admin/elections/${id}`)).json();
  expect(turnout).toEqual({ tokens: 1, used: 0, invited: 1 });
});

test('a person who voted by a mail marked as failed gets no second vote', async () => {
  await using service = await mailing({ answer: () => 'drop' });
  const id = await addElection(service);
  await invite(service, id, ['ann@club.example']);
  const token = tokenIn(service.server.mails[0]!);
  expect((await cast(service, id, { token, choice: 'yes' })).statusCode).toBe(200);

  const again = (await invite(service, id, ['ann@club.example'])).json();

  expect(again.results).toEqual([{ email: 'ann@club.example', success: false, error: 'Already invited' }]);
  expect(new Set(service.server.mails.map(tokenIn)).size).toBe(1);
  expect((await service.get(`/admin/elections/${id}`)).json().turnout).toEqual({
    tokens: 1,
    used: 1,
    invited: 1,
  });
});

test('of two links sent to one person, only the later one can vote', async () => {
  await using service = await mailing({ answer: () => 'drop' });
  const id = await addElection(service);
  const { open_at, close_at } = (await service.get(`/admin/elections/${id}`)).json().election;
  await invite(service, id, ['ann@club.example']);
  await service.post(`/admin/elections/${id}/close`);
  await deleteClosedLinks(service.ctx);
  await send(service, 'PATCH', `/admin/elections/${id}/dates`, {
    open_at,
    close_at,
    reopen: true,
    reason: 'The mails were lost.',
  });

  await invite(service, id, ['ann@club.example']);
  const tokens = [...new Set(service.server.mails.map(tokenIn))];
  const answers = [];
  for (const token of tokens) answers.push(await cast(service, id, { token, choice: 'yes' }));

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 200]);
  expect((await service.get(`/admin/elections/${id}`)).json().turnout).toEqual({
    tokens: 1,
    used: 1,
    invited: 1,
  });
});
