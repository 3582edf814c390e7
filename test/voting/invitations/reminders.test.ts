import { describe, expect, test } from 'vitest';
import { DAY, HOUR, isoTime } from '#kernel/clock.ts';
import { type ReceivedMail, startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { addElection, auditOf, cast, send } from '#test/support/factories.ts';
import { message, ofField, refusal } from '#test/support/messages.ts';

const linkIn = ({ text }: ReceivedMail) => new URL(/https:\S+/.exec(text)![0]);
const tokenIn = (mail: ReceivedMail) => linkIn(mail).searchParams.get('t') ?? '';
const ANN = 'ann@club.example';
const BOB = 'bob@club.example';
const CID = 'cid@club.example';

interface Mailing extends TestApp {
  mails: ReceivedMail[];
  /** Addresses that the mail server refuses from now on. */
  refused: Set<string>;
  id: string;
  act(email: string, deed: 'resend' | 'remind'): ReturnType<TestApp['post']>;
  remindAll(body?: object): ReturnType<TestApp['post']>;
}

/** A service with an election for a week that these people were invited to. */
async function mailing(emails: string[], fields: object = {}, more: object = {}): Promise<Mailing> {
  const refused = new Set<string>();
  const { url, mails } = await startMailServer({
    answer: (address) => (refused.has(address) ? { code: 550, text: 'No such person' } : 'take'),
  });
  const service = await testApp(mailTo(url), { delays: [0, 0] });
  const settings = { hide_results_until_close: true };
  const close_at = isoTime(service.clock.now + 7 * DAY);
  const id = await addElection(service, { close_at, settings, ...fields });
  if (emails.length > 0) await service.post(`/admin/elections/${id}/invite`, { emails, ...more });
  const inviteOf = async (email: string) =>
    (await service.get(`/admin/elections/${id}/invites`))
      .json()
      .invites.find((row: { email: string }) => row.email === email)?.id;
  return Object.assign(service, {
    mails,
    refused,
    id,
    act: async (email: string, deed: string) =>
      service.post(`/admin/elections/${id}/invites/${await inviteOf(email)}/${deed}`),
    remindAll: (body?: object) => service.post(`/admin/elections/${id}/reminders/send`, body),
  });
}

const actions = async (service: Mailing, action: string) =>
  (await auditOf(service, service.id)).filter((entry) => entry.action === action);
const vote = (service: Mailing, mail: ReceivedMail | undefined) =>
  cast(service, service.id, { token: tokenIn(mail!), choice: 'yes' });

describe('sending again', () => {
  test('mails the same link again, and is audited each time', async () => {
    await using service = await mailing([ANN]);
    service.clock.now += HOUR;
    const first = await service.act(ANN, 'resend');
    service.clock.now += HOUR;
    const second = await service.act(ANN, 'resend');

    expect([first.json(), second.json()]).toEqual(Array(2).fill({ success: true, status: 'SENT' }));
    expect(new Set(service.mails.map(tokenIn)).size).toBe(1);
    expect(new Set(service.mails.map(({ headers }) => headers['message-id'])).size).toBe(3);
    expect(await actions(service, 'invite.resent')).toMatchObject(
      Array(2).fill({ metadata: { invite_id: expect.any(String), success: true } }),
    );
    const [row] = (await service.get(`/admin/elections/${service.id}/invites`)).json().invites;
    expect(row).toMatchObject({ status: 'SENT', sent_at: service.clock.now });
    expect((await vote(service, service.mails[2])).statusCode).toBe(200);
  });

  test('reaches people who were not reached before', async () => {
    await using service = await mailing([]);
    service.refused.add(ANN);
    await service.post(`/admin/elections/${service.id}/invite`, { emails: [ANN] });
    const still = (await service.act(ANN, 'resend')).json();
    service.refused.clear();

    expect(still).toEqual({
      success: false,
      status: 'FAILED',
      error: expect.stringContaining('No such person'),
    });
    expect((await service.act(ANN, 'resend')).json()).toEqual({ success: true, status: 'SENT' });
    expect(service.mails).toHaveLength(1);
  });

  test('keeps the first mail marked as sent if it fails, with the reason', async () => {
    await using service = await mailing([ANN]);
    service.refused.add(ANN);

    const answer = (await service.act(ANN, 'resend')).json();

    const [row] = (await service.get(`/admin/elections/${service.id}/invites`)).json().invites;
    expect(answer).toMatchObject({ success: false, status: 'SENT' });
    expect(row).toMatchObject({ status: 'SENT', error: expect.stringContaining('No such person') });
  });

  test('mails a batch invitation with a link to the same ballot', async () => {
    await using service = await mailing([ANN], {}, { invite_mode: 'batch' });
    await service.act(ANN, 'resend');
    const ballots = [];
    for (const mail of service.mails) {
      const { pathname, search } = linkIn(mail);
      const { headers } = await service.get(pathname + search, { accept: 'text/html' });
      ballots.push(headers.location);
    }
    expect(ballots[0]).toMatch(/\?t=/);
    expect(ballots[1]).toBe(ballots[0]);
  });
});

test.each([
  ['resend', { hide_results_until_close: true }],
  ['remind', { hide_results_until_close: true }],
  ['resend', {}],
  ['remind', {}],
] as const)(
  'to %s is refused once the link was used, withdrawn or closed, with %j',
  async (deed, settings) => {
    await using service = await mailing([ANN, BOB], { settings });
    await service.post(`/admin/elections/${service.id}/invite`, { emails: [CID], batch_name: 'Cid' });
    const ann = service.mails.find(({ recipients }) => recipients[0] === ANN);
    await vote(service, ann);
    const used = await service.act(ANN, deed);
    await send(service, 'DELETE', `/admin/elections/${service.id}/batches`, { batch_name: 'Cid' });
    const withdrawn = await service.act(CID, deed);
    await service.post(`/admin/elections/${service.id}/close`);
    const closed = await service.act(BOB, deed);

    expect([used, withdrawn, closed].map(({ statusCode }) => statusCode)).toEqual([400, 400, 400]);
    expect(service.mails).toHaveLength(3);
    const other = await addElection(service);
    const { invites } = (await service.get(`/admin/elections/${service.id}/invites`)).json();
    for (const path of [`${other}/invites/${invites[0].id}`, `${service.id}/invites/nothing`, `x/invites/x`])
      expect((await service.post(`/admin/elections/${path}/${deed}`)).statusCode, path).toBe(404);
  },
);

test('one person is reminded with the same link, and it is audited', async () => {
  await using service = await mailing([ANN]);

  const answer = await service.act(ANN, 'remind');

  expect([answer.statusCode, answer.json()]).toEqual([200, { success: true, status: 'SENT' }]);
  const [invited, reminder] = service.mails as [ReceivedMail, ReceivedMail];
  expect(linkIn(reminder).href).toBe(linkIn(invited).href);
  expect(reminder.headers.subject).not.toBe(invited.headers.subject);
  expect(reminder.text).toContain('Sat, Nov 28, 2026, 12:00 PM New York time');
  expect(await actions(service, 'reminder.sent')).toHaveLength(1);
});

test('nobody is reminded before voting opens, or of an invitation that was not sent', async () => {
  await using service = await mailing([], { open_at: isoTime(Date.UTC(2026, 10, 21, 18)) });
  await service.post(`/admin/elections/${service.id}/invite`, { emails: [ANN] });
  await service.post(`/admin/elections/${service.id}/invite`, { emails: [BOB], queue: true });
  const early = [await service.act(ANN, 'remind'), await service.remindAll()];
  service.clock.now += HOUR;
  const queued = await service.act(BOB, 'remind');

  expect([...early, queued].map(({ statusCode }) => statusCode)).toEqual([400, 400, 400]);
  expect(service.mails).toHaveLength(1);
});

describe('reminding all', () => {
  test('skips people who have voted, had a mail within 24 hours or were not reached', async () => {
    await using service = await mailing([ANN, BOB]);
    service.refused.add('dee@club.example');
    await service.post(`/admin/elections/${service.id}/invite`, { emails: ['dee@club.example'] });
    await vote(
      service,
      service.mails.find(({ recipients }) => recipients[0] === BOB),
    );
    service.clock.now += DAY;
    const early = (await service.remindAll()).json();
    await service.post(`/admin/elections/${service.id}/invite`, { emails: [CID] });
    service.clock.now += 1;

    const answer = await service.remindAll();

    expect(early.summary).toEqual({ total: 3, sent: 0, failed: 0, skipped: 3 });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      success: true,
      summary: { total: 4, sent: 1, failed: 0, skipped: 3 },
      results: [{ email: ANN, success: true }],
    });
    expect(service.mails).toHaveLength(4);
    expect(await actions(service, 'reminder.sent')).toHaveLength(1);
    expect((await service.remindAll()).json().summary).toMatchObject({ sent: 0, skipped: 4 });
  });

  test('with force reaches everyone who has not voted, whenever their last mail was', async () => {
    await using service = await mailing([ANN, BOB]);
    await vote(
      service,
      service.mails.find(({ recipients }) => recipients[0] === BOB),
    );
    const once = (await service.remindAll({ force: true })).json();
    service.clock.now += 1;
    const twice = (await service.remindAll({ force: true })).json();

    expect([once.summary, twice.summary]).toEqual(
      Array(2).fill({ total: 2, sent: 1, failed: 0, skipped: 1 }),
    );
    expect(new Set(service.mails.map(({ headers }) => headers['message-id'])).size).toBe(
      service.mails.length,
    );
  });

  test('counts 24 hours from the last mail of any kind', async () => {
    await using service = await mailing([ANN, BOB]);
    service.clock.now += DAY + 1;
    await service.act(ANN, 'resend');
    expect((await service.remindAll()).json().results).toEqual([{ email: BOB, success: true }]);
    service.clock.now += DAY + 1;
    expect((await service.remindAll()).json().summary).toMatchObject({ sent: 2, skipped: 0 });
  });

  test('reports who was not reached, and tries them again the next time', async () => {
    await using service = await mailing([ANN, BOB]);
    service.clock.now += DAY + 1;
    service.refused.add(BOB);
    const { success, summary, results } = (await service.remindAll()).json();

    expect([success, summary]).toEqual([true, { total: 2, sent: 1, failed: 1, skipped: 0 }]);
    expect(results).toContainEqual({
      email: BOB,
      success: false,
      error: expect.stringContaining('No such person'),
    });
    service.refused.clear();
    expect((await service.remindAll()).json().results).toEqual([{ email: BOB, success: true }]);
  });

  test('mails everybody once if requested twice at once', async () => {
    await using service = await mailing([ANN, BOB]);
    service.clock.now += DAY + 1;
    await Promise.all([service.remindAll(), service.remindAll()]);
    expect(service.mails).toHaveLength(4);
  });

  test('is refused when the election is closed or unknown, or force is no flag', async () => {
    await using service = await mailing([ANN]);
    const bad = await service.remindAll({ force: 'perhaps' });
    await service.post(`/admin/elections/${service.id}/close`);
    const closed = await service.remindAll();
    const unknown = await service.post('/admin/elections/x/reminders/send');
    expect([bad, closed, unknown].map(refusal)).toEqual([
      [400, ofField('force', 'not_true_or_false')],
      [400, message('election_not_open')],
      [404, message('election_not_found')],
    ]);
  });
});
