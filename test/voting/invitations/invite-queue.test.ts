import { expect, test } from 'vitest';
import { HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { putMail } from '#kernel/mail/outbox.ts';
import { sendDueMails } from '#kernel/mail/sender.ts';
import {
  type MailServer,
  type MailServerOptions,
  type ReceivedMail,
  startMailServer,
} from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { addElection, auditOf, cast, send } from '#test/support/factories.ts';
import { deleteClosedLinks } from '#voting/invitations/invites.ts';

const linkIn = ({ text }: ReceivedMail) => new URL(/https:\S+/.exec(text)![0]);
const tokenIn = (mail: ReceivedMail) => linkIn(mail).searchParams.get('t') ?? '';
const people = (count: number) => Array.from({ length: count }, (_, n) => `member${n}@club.example`);
const to = ({ mails }: MailServer) => mails.flatMap(({ recipients }) => recipients);

async function mailing(env: Record<string, string> = {}, options: MailServerOptions = {}) {
  const server = await startMailServer(options);
  return Object.assign(await testApp({ ...mailTo(server.url), ...env }, { delays: [0, 0] }), { server });
}

/** An election that opens in an hour, with queued invitations for a number of people. */
async function waiting(service: TestApp, count: number, more: object = {}) {
  const id = await addElection(service, {
    open_at: isoTime(service.clock.now + HOUR),
    close_at: isoTime(service.clock.now + 3 * HOUR),
  });
  const queued = await service.post(`/admin/elections/${id}/invite`, {
    emails: people(count),
    queue: true,
    ...more,
  });
  expect(queued.json()).toMatchObject({ success: true, summary: { total: count, queued: count } });
  return id;
}

const statesOf = async (service: TestApp, id: string): Promise<{ status: string; error: string | null }[]> =>
  (await service.get(`/admin/elections/${id}/invites`)).json().invites;

/** Runs the job until it finds nothing to send. @returns how many mails each run sent */
async function sendAll(service: TestApp & { server: MailServer }): Promise<number[]> {
  const runs: number[] = [];
  for (;;) {
    const before = service.server.mails.length;
    await sendDueMails(service.ctx);
    if (service.server.mails.length === before) return runs;
    runs.push(service.server.mails.length - before);
  }
}

test('50 queued invitations wait until the election opens, then are sent once each, at the pace', async () => {
  await using service = await mailing();
  const id = await waiting(service, 50);

  service.clock.now += HOUR - 1;
  const early = await sendAll(service);
  service.clock.now += 1;
  const runs = await sendAll(service);

  expect(early).toEqual([]);
  expect(runs).toEqual([10, 10, 10, 10, 10]);
  expect(to(service.server).toSorted()).toEqual(people(50).toSorted());
  expect(new Set((await statesOf(service, id)).map(({ status }) => status))).toEqual(new Set(['SENT']));
  const tokens = service.server.mails.map(tokenIn);
  expect(new Set(tokens).size).toBe(50);
  expect((await cast(service, id, { token: tokens[49], choice: 'yes' })).statusCode).toBe(200);
  const actions = (await auditOf(service, id)).map(({ action }) => action);
  expect(actions.filter((action) => action === 'invite.queued')).toHaveLength(1);
  expect(actions.filter((action) => action === 'invite.sent')).toHaveLength(50);
});

test.each([
  ['30', [1, 1, 1]],
  ['60', [1, 1, 1]],
  ['120', [2, 1]],
  ['6000', [3]],
])('at a pace of %s a minute the runs of one second send %j', async (pace, runs) => {
  await using service = await mailing({ MAILER_PACE_PER_MINUTE: pace });
  await waiting(service, 3);
  service.clock.now += HOUR;
  expect(await sendAll(service)).toEqual(runs);
});

test('the pace also applies to one person’s mails about several elections', async () => {
  await using service = await mailing({ MAILER_PACE_PER_MINUTE: '60' });
  for (let n = 0; n < 4; n += 1) await waiting(service, 1);
  service.clock.now += HOUR;
  expect(await sendAll(service)).toEqual([1, 1, 1, 1]);
});

test('all elections of a person in batch mode are sent in one mail', async () => {
  await using service = await mailing({ MAILER_PACE_PER_MINUTE: '60' });
  const open_at = isoTime(service.clock.now + HOUR);
  const election_ids = [
    await addElection(service, { title: 'The piano', open_at }),
    await addElection(service, { title: 'The roof', open_at }),
  ];
  const answer = await service.post('/admin/bulk-invites', { election_ids, emails: people(2), queue: true });
  service.clock.now += HOUR;

  expect(answer.json()).toMatchObject({ queued: 2, summary: { total: 2, queued: 2 } });
  expect(await sendAll(service)).toEqual([1, 1]);
  for (const { text } of service.server.mails) {
    expect(text).toContain('The piano');
    expect(text).toContain('The roof');
  }
  for (const id of election_ids)
    expect((await statesOf(service, id)).map(({ status }) => status)).toEqual(['SENT', 'SENT']);
});

test('two runs at the same time send nothing twice', async () => {
  await using service = await mailing();
  await waiting(service, 30);
  service.clock.now += HOUR;

  await Promise.all(Array.from({ length: 6 }, () => sendDueMails(service.ctx)));

  expect(new Set(to(service.server)).size).toBe(to(service.server).length);
  await sendAll(service);
  expect(to(service.server).toSorted()).toEqual(people(30).toSorted());
});

test('a refused mail of the queue fails with its reason; the others are sent', async () => {
  await using service = await mailing(
    {},
    {
      answer: (address) => (address.startsWith('member1@') ? { code: 550, text: 'No such person' } : 'take'),
    },
  );
  const id = await waiting(service, 3);
  service.clock.now += HOUR;
  await sendAll(service);

  const failed = (await statesOf(service, id)).filter(({ status }) => status === 'FAILED');
  expect(failed).toMatchObject([
    { email: 'member1@club.example', error: expect.stringContaining('No such person') },
  ]);
  expect(to(service.server)).toHaveLength(2);
});

test('an invitation goes on waiting if the service is killed while an officer sends it again', async () => {
  let takes = false;
  const answer = () => (takes ? ('take' as const) : { code: 450, text: 'Greylisted' });
  await using service = await mailing({}, { answer });
  const id = await addElection(service);
  await service.post(`/admin/elections/${id}/invite`, { emails: people(1) });
  const { id: ref, email } = service.ctx.db.first(build.selectFrom('invites').selectAll())!;
  const again = { kind: 'resend', ref, email, facts: { mailed_before: null } } as const;
  await service.ctx.write((tx) => putMail(tx, again, service.clock.now, 'a run that is dead'));

  await sendDueMails(service.ctx);
  expect(await statesOf(service, id)).toMatchObject([{ status: 'QUEUED' }]);
  takes = true;
  service.clock.now += MINUTE;
  expect(await sendAll(service)).toEqual([1]);
  expect(await statesOf(service, id)).toMatchObject([{ status: 'SENT' }]);
});

test('the queue of an election whose dates change is sent at the new opening', async () => {
  await using service = await mailing();
  const id = await waiting(service, 1);
  const at = (hours: number) => isoTime(service.clock.now + hours * HOUR);
  await send(service, 'PATCH', `/admin/elections/${id}/dates`, { open_at: at(2), close_at: at(3) });

  service.clock.now += HOUR;
  expect(await sendAll(service)).toEqual([]);
  service.clock.now += HOUR;
  expect(await sendAll(service)).toEqual([1]);
});

test.each([
  ['by hand', (service: TestApp, id: string) => service.post(`/admin/elections/${id}/close`)],
  ['by the clock', (service: TestApp) => Object.assign(service.clock, { now: service.clock.now + 3 * HOUR })],
])(
  'invitations queued for an election that closes %s fail with the reason and are never sent',
  async (_, close) => {
    await using service = await mailing();
    const id = await waiting(service, 2);

    await close(service, id);
    await sendAll(service);
    await deleteClosedLinks(service.ctx);
    service.clock.now += HOUR;

    expect(await sendAll(service)).toEqual([]);
    for (const row of await statesOf(service, id))
      expect(row).toMatchObject({
        status: 'FAILED',
        error: 'The election closed before it was sent',
        sent_at: null,
      });
    const { logs } = (await service.get(`/admin/audit-logs?action=invite.failed&election_id=${id}`)).json();
    expect(JSON.parse(logs[0].metadata)).toMatchObject({ count: 2 });
  },
);

test('a deleted election removes its queued invitations, even those being sent', async () => {
  const deleted = Promise.withResolvers<void>();
  await using service = await mailing({}, { wait: () => deleted.promise });
  const one = await waiting(service, 2);
  const other = await waiting(service, 2);
  await send(service, 'DELETE', `/admin/elections/${one}`);
  service.clock.now += HOUR;

  const sending = sendDueMails(service.ctx);
  await expect.poll(() => service.server.mails.length).toBeGreaterThan(0);
  await send(service, 'DELETE', `/admin/elections/${other}`);
  deleted.resolve();
  await sending;

  expect(await sendAll(service)).toEqual([]);
  expect(service.ctx.db.all(build.selectFrom('invites').selectAll())).toEqual([]);
  expect(service.server.mails.every((mail) => linkIn(mail).pathname.includes(other))).toBe(true);
});

test('a link that was withdrawn with its batch is not mailed', async () => {
  await using service = await mailing();
  const individual = await waiting(service, 1, { batch_name: 'Wrong people' });
  const batch = await waiting(service, 1, { batch_name: 'Wrong people', invite_mode: 'batch' });
  for (const id of [individual, batch])
    await send(service, 'DELETE', `/admin/elections/${id}/batches`, { batch_name: 'Wrong people' });
  service.clock.now += HOUR + MINUTE;

  expect(await sendAll(service)).toEqual([]);
  for (const id of [individual, batch])
    expect(await statesOf(service, id)).toMatchObject([
      { status: 'FAILED', error: 'The voting link is no longer there' },
    ]);
});

test('without the configuration the queue is kept and waits', async () => {
  await using service = await mailing();
  const id = await waiting(service, 2);
  service.clock.now += HOUR;
  const { config } = service.ctx;
  const complete = config.settings;
  config.settings = { ...complete, 'mail.password': null };
  expect(await sendAll(service)).toEqual([]);
  expect(await statesOf(service, id)).toMatchObject([{ status: 'QUEUED' }, { status: 'QUEUED' }]);

  config.settings = complete;
  expect(await sendAll(service)).toEqual([2]);
});

test('every sub-page says while voting is open that invitations were not sent, and not before', async () => {
  await using service = await mailing();
  const id = await waiting(service, 2);
  const loud = async (under: string) => {
    const { body } = await service.get(`/admin/elections/${id}${under}`, { accept: 'text/html' });
    return body.includes('2 invitations have not been sent');
  };
  expect([await loud(''), await loud('/rules')]).toEqual([false, false]);
  service.clock.now += HOUR;
  expect([await loud(''), await loud('/rules')]).toEqual([true, true]);
});
