import { expect, test } from 'vitest';
import { HOUR, isoTime } from '#kernel/clock.ts';
import { type ReceivedMail, startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addPoll, cast, page } from '#test/support/factories.ts';
import { message } from '#test/support/messages.ts';

const linkIn = ({ text }: ReceivedMail) => new URL(/https:\S+/.exec(text)![0]);
const tokenIn = (mail: ReceivedMail) => linkIn(mail).searchParams.get('t') ?? '';
const bulk = (service: TestApp, body: object) => service.post('/admin/bulk-invites', body);

async function mailing() {
  const server = await startMailServer();
  return Object.assign(await testApp(mailTo(server.url), { delays: [0, 0] }), { server });
}

/** An open election, an open poll, and an election that opens in an hour. */
async function three(service: TestApp) {
  const piano = await addElection(service, { title: 'The piano' });
  const { id: dinner } = await addPoll(service, ['Goose', 'Nuts'], { title: 'The dinner' });
  const later = await addElection(service, { title: 'The roof', open_at: isoTime(service.clock.now + HOUR) });
  return { piano, dinner, later, all: [piano, dinner, later] };
}

/** The voting links that a batch mail leads to, by election. */
async function ballotsBehind(service: TestApp, mail: ReceivedMail): Promise<Record<string, string>> {
  const { pathname, search } = linkIn(mail);
  const { body } = await page(service, pathname + search);
  return Object.fromEntries(
    [...body.matchAll(/\/e\/([^/"]+)\/vote[^"]*\?t=([^"&]+)/g)].map(([, id = '', token = '']) => [id, token]),
  );
}

const statuses = async (service: TestApp, id: string) =>
  (await service.get(`/admin/elections/${id}/invites`))
    .json()
    .invites.map(({ email, status }: { email: string; status: string }) => `${email.split('@')[0]} ${status}`)
    .toSorted();

test('in batch mode, the default, each person gets one mail that lists every election', async () => {
  await using service = await mailing();
  const { piano, dinner, all } = await three(service);

  const answer = await bulk(service, {
    election_ids: [...all, piano],
    emails: ['a+b@x.example', 'b@x.example'],
  });

  expect(answer.json()).toEqual({
    success: true,
    mode: 'batch',
    queued: 0,
    summary: { total: 2, sent: 2, failed: 0, queued: 0 },
    results: [
      { email: 'a+b@x.example', success: true },
      { email: 'b@x.example', success: true },
    ],
  });
  expect(service.server.mails).toHaveLength(2);
  for (const mail of service.server.mails) {
    for (const title of ['The piano', 'The dinner', 'The roof']) expect(mail.text).toContain(title);
    const ballots = await ballotsBehind(service, mail);
    expect(Object.keys(ballots).toSorted()).toEqual([piano, dinner].toSorted());
    expect((await cast(service, piano, { token: ballots[piano], choice: 'yes' })).statusCode).toBe(200);
  }
  for (const id of all) expect(await statuses(service, id)).toEqual(['a+b SENT', 'b SENT']);
});

test('in individual mode each person gets one mail for each election', async () => {
  await using service = await mailing();
  const { all } = await three(service);

  const answer = await bulk(service, {
    election_ids: all,
    emails: ['a@x.example', 'b@x.example'],
    invite_mode: 'individual',
  });

  expect(answer.json()).toMatchObject({ success: true, mode: 'individual', queued: 0 });
  expect(answer.json().summary).toEqual({ total: 6, sent: 6, failed: 0, queued: 0 });
  expect(new Set(service.server.mails.map(tokenIn)).size).toBe(6);
  expect(service.server.mails.map((mail) => linkIn(mail).pathname.split('/')[2]).toSorted()).toEqual(
    [...all, ...all].toSorted(),
  );
});

test('a batch mail also lists elections of earlier invitations, and keeps the first link', async () => {
  await using service = await mailing();
  const { piano, dinner } = await three(service);
  await service.post(`/admin/elections/${piano}/invite`, { emails: ['a@x.example'] });

  const body = { election_ids: [piano, dinner], emails: ['a@x.example', 'b@x.example'] };
  const first = (await bulk(service, body)).json();
  const second = (await bulk(service, body)).json();

  expect(first.summary).toEqual({ total: 2, sent: 2, failed: 0, queued: 0 });
  const [single, both] = service.server.mails.filter(({ recipients }) => recipients[0] === 'a@x.example');
  expect((await ballotsBehind(service, both!))[piano]).toBe(tokenIn(single!));
  expect(second.success).toBe(false);
  expect(second.summary).toEqual({ total: 2, sent: 0, failed: 2, queued: 0 });
  expect(second.results).toEqual(
    body.emails.map((email) => ({ email, success: false, error: 'Already invited' })),
  );
  expect(service.server.mails).toHaveLength(3);
});

test('in individual mode the result of each election invited to before says so', async () => {
  await using service = await mailing();
  const { piano, dinner } = await three(service);
  await service.post(`/admin/elections/${piano}/invite`, { emails: ['a@x.example'] });

  const body = {
    election_ids: [piano, dinner],
    emails: ['a@x.example', 'nobody'],
    invite_mode: 'individual',
  };
  const answer = (await bulk(service, body)).json();

  expect(answer.success).toBe(true);
  expect(answer.summary).toEqual({ total: 3, sent: 1, failed: 2, queued: 0 });
  expect(answer.results).toEqual([
    { email: 'a@x.example', success: true },
    { email: 'a@x.example', success: false, error: 'Already invited' },
    { email: 'nobody', success: false, error: message('not_address') },
  ]);
});

test('with queue: true open elections are mailed now and upcoming ones are queued', async () => {
  await using service = await mailing();
  const { piano, later } = await three(service);
  const body = { election_ids: [piano, later], queue: true };

  const batch = (await bulk(service, { ...body, emails: ['a@x.example', 'nobody'] })).json();
  const single = (
    await bulk(service, { ...body, emails: ['b@x.example'], invite_mode: 'individual' })
  ).json();

  expect(batch).toMatchObject({ success: true, queued: 1 });
  expect(batch.summary).toEqual({ total: 3, sent: 1, failed: 1, queued: 1 });
  expect(single.summary).toEqual({ total: 2, sent: 1, failed: 0, queued: 1 });
  expect(service.server.mails).toHaveLength(2);
  expect(service.server.mails[0]!.text).not.toContain('The roof');
  expect(await statuses(service, piano)).toEqual(['a SENT', 'b SENT']);
  expect(await statuses(service, later)).toEqual(['a QUEUED', 'b QUEUED']);
  const only = (await bulk(service, { election_ids: [later], queue: true, emails: ['c@x.example'] })).json();
  expect(only).toMatchObject({
    success: true,
    queued: 1,
    results: [{ email: 'c@x.example', success: true }],
  });
  const again = (await bulk(service, { election_ids: [later], emails: ['c@x.example'] })).json();
  expect(again).toMatchObject({ success: false, results: [{ error: 'Already invited' }] });
});

test('an officer without script sees what was sent and what is queued', async () => {
  await using service = await mailing();
  const { piano, later } = await three(service);

  const { body } = await service.submit('/admin/bulk-invites', {
    election_ids: [piano, later],
    queue: 'true',
    invite_mode: 'batch',
    emails: ['a@x.example', 'b@x.example', 'nobody'],
  });

  const rows = [...body.matchAll(/<tr .*?<\/tr>/gs)].map(([row]) => row.replaceAll(/<[^>]*>/g, ' '));
  const said = (word: string) => rows.filter((row) => new RegExp(`@x.example.*\\b${word}\\b`, 's').test(row));
  expect(body).toContain('2 sent, 2 queued');
  expect(said('Sent')).toHaveLength(2);
  expect(said('Queued')).toHaveLength(2);
});

test('one closed or unknown election stops the whole request, and nothing is sent', async () => {
  await using service = await mailing();
  const { piano, dinner } = await three(service);
  await service.post(`/admin/elections/${dinner}/close`);
  const emails = ['a@x.example'];

  const closed = await bulk(service, { election_ids: [piano, dinner], emails });
  const unknown = await bulk(service, { election_ids: [piano, 'nothing'], emails });
  const none = await bulk(service, { election_ids: [], emails });
  const missing = await bulk(service, { emails });

  expect([closed, unknown, none, missing].map(({ statusCode }) => statusCode)).toEqual([400, 404, 400, 400]);
  expect(closed.json().error).toBe(message('election_closed'));
  expect(service.server.mails).toEqual([]);
  expect(await statuses(service, piano)).toEqual([]);
});
