import { describe, expect, test } from 'vitest';
import { DAY, HOUR, isoTime } from '#kernel/clock.ts';
import { type ReceivedMail, startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { addElection, auditOf, cast, send } from '#test/support/factories.ts';

const linkIn = ({ text }: ReceivedMail) => new URL(/https:\S+/.exec(text)![0]);
const tokenIn = (mail: ReceivedMail) => linkIn(mail).searchParams.get('t') ?? '';
const ANN = 'ann@club.example';
const BOB = 'bob@club.example';
const CID = 'cid@club.example';

interface Mailing extends TestApp {
  mails: ReceivedMail[];
  /** Addresses that the server refuses from now on. */
  refused: Set<string>;
  id: string;
  act(email: string, deed: 'resend' | 'remind'): ReturnType<TestApp['post']>;
  remindAll(body?: object): ReturnType<TestApp['post']>;
}

/** A house with an election for a week, and whom it has invited. */
async function mailing(emails: string[], fields: object = {}, more: object = {}): Promise<Mailing> {
  const refused = new Set<string>();
  const { url, mails } = await startMailServer({
    answer: (address) => (refused.has(address) ? { code: 550, text: 'No such person' } : 'take'),
  });
  const house = await testApp(mailTo(url), { delays: [0, 0] });
  const id = await addElection(house, { close_at: isoTime(house.clock.now + 7 * DAY), ...fields });
  if (emails.length > 0) await house.post(`/admin/elections/${id}/invite`, { emails, ...more });
  const inviteOf = async (email: string) =>
    (await house.get(`/admin/elections/${id}/invites`))
      .json()
      .invites.find((row: { email: string }) => row.email === email)?.id;
  return Object.assign(house, {
    mails,
    refused,
    id,
    act: async (email: string, deed: string) =>
      house.post(`/admin/elections/${id}/invites/${await inviteOf(email)}/${deed}`),
    remindAll: (body?: object) => house.post(`/admin/elections/${id}/reminders/send`, body),
  });
}

const actions = async (house: Mailing, action: string) =>
  (await auditOf(house, house.id)).filter((entry) => entry.action === action);
const vote = (house: Mailing, mail: ReceivedMail | undefined) =>
  cast(house, house.id, { token: tokenIn(mail!), choice: 'yes' });

describe('sending again', () => {
  test('brings the same link as another mail, and every time is audited', async () => {
    await using house = await mailing([ANN]);
    house.clock.now += HOUR;
    const first = await house.act(ANN, 'resend');
    house.clock.now += HOUR;
    const second = await house.act(ANN, 'resend');

    expect([first.json(), second.json()]).toEqual(Array(2).fill({ success: true, status: 'SENT' }));
    expect(new Set(house.mails.map(tokenIn)).size).toBe(1);
    expect(new Set(house.mails.map(({ headers }) => headers['message-id'])).size).toBe(3);
    expect(await actions(house, 'invite.resent')).toMatchObject(
      Array(2).fill({ metadata: { invite_id: expect.any(String), success: true } }),
    );
    const [row] = (await house.get(`/admin/elections/${house.id}/invites`)).json().invites;
    expect(row).toMatchObject({ status: 'SENT', sent_at: house.clock.now });
    expect((await vote(house, house.mails[2])).statusCode).toBe(200);
  });

  test('reaches who was not reached before', async () => {
    await using house = await mailing([]);
    house.refused.add(ANN);
    await house.post(`/admin/elections/${house.id}/invite`, { emails: [ANN] });
    const still = (await house.act(ANN, 'resend')).json();
    house.refused.clear();

    expect(still).toEqual({
      success: false,
      status: 'FAILED',
      error: expect.stringContaining('No such person'),
    });
    expect((await house.act(ANN, 'resend')).json()).toEqual({ success: true, status: 'SENT' });
    expect(house.mails).toHaveLength(1);
  });

  test('that fails leaves who had the first mail as reached, with what went wrong', async () => {
    await using house = await mailing([ANN]);
    house.refused.add(ANN);

    const answer = (await house.act(ANN, 'resend')).json();

    const [row] = (await house.get(`/admin/elections/${house.id}/invites`)).json().invites;
    expect(answer).toMatchObject({ success: false, status: 'SENT' });
    expect(row).toMatchObject({ status: 'SENT', error: expect.stringContaining('No such person') });
  });

  test('of a batch invitation brings a link to the same ballot', async () => {
    await using house = await mailing([ANN], {}, { invite_mode: 'batch' });
    await house.act(ANN, 'resend');
    const ballots = [];
    for (const mail of house.mails) {
      const { pathname, search } = linkIn(mail);
      const { body } = await house.get(pathname + search, { accept: 'text/html' });
      ballots.push(/\/e\/[^"]*\?t=[^"]+/.exec(body)?.[0]);
    }
    expect(ballots[0]).toMatch(/\?t=/);
    expect(ballots[1]).toBe(ballots[0]);
  });
});

test.each(['resend', 'remind'] as const)(
  'to %s is refused once the link was used, withdrawn or closed',
  async (deed) => {
    await using house = await mailing([ANN, BOB]);
    const ann = house.mails.find(({ recipients }) => recipients[0] === ANN);
    await vote(house, ann);
    const used = await house.act(ANN, deed);
    await send(house, 'DELETE', `/admin/elections/${house.id}/batches`, { batch_name: 'Invited 2026-11-21' });
    const withdrawn = await house.act(BOB, deed);
    await house.post(`/admin/elections/${house.id}/close`);
    const closed = await house.act(BOB, deed);

    expect([used, withdrawn, closed].map(({ statusCode }) => statusCode)).toEqual([400, 400, 400]);
    expect(house.mails).toHaveLength(2);
    const other = await addElection(house);
    const { invites } = (await house.get(`/admin/elections/${house.id}/invites`)).json();
    for (const path of [`${other}/invites/${invites[0].id}`, `${house.id}/invites/nothing`, `x/invites/x`])
      expect((await house.post(`/admin/elections/${path}/${deed}`)).statusCode, path).toBe(404);
  },
);

test('one person is reminded with the same link, and it is audited', async () => {
  await using house = await mailing([ANN]);

  const answer = await house.act(ANN, 'remind');

  expect([answer.statusCode, answer.json()]).toEqual([200, { success: true, status: 'SENT' }]);
  const [invited, reminder] = house.mails as [ReceivedMail, ReceivedMail];
  expect(linkIn(reminder).href).toBe(linkIn(invited).href);
  expect(reminder.headers.subject).not.toBe(invited.headers.subject);
  expect(reminder.text).toContain('Sat, Nov 28, 2026, 12:00 PM (America/New_York, UTC-5)');
  expect(await actions(house, 'reminder.sent')).toHaveLength(1);
});

test('nobody is reminded before voting opens, nor of an invitation that has not gone out', async () => {
  await using house = await mailing([], { open_at: isoTime(Date.UTC(2026, 10, 21, 18)) });
  await house.post(`/admin/elections/${house.id}/invite`, { emails: [ANN] });
  await house.post(`/admin/elections/${house.id}/invite`, { emails: [BOB], queue: true });
  const early = [await house.act(ANN, 'remind'), await house.remindAll()];
  house.clock.now += HOUR;
  const queued = await house.act(BOB, 'remind');

  expect([...early, queued].map(({ statusCode }) => statusCode)).toEqual([400, 400, 400]);
  expect(house.mails).toHaveLength(1);
});

describe('reminding all', () => {
  test('leaves in peace who has voted, who had a mail in the last 24 hours and who was not reached', async () => {
    await using house = await mailing([ANN, BOB]);
    house.refused.add('dee@club.example');
    await house.post(`/admin/elections/${house.id}/invite`, { emails: ['dee@club.example'] });
    await vote(
      house,
      house.mails.find(({ recipients }) => recipients[0] === BOB),
    );
    house.clock.now += DAY;
    const early = (await house.remindAll()).json();
    await house.post(`/admin/elections/${house.id}/invite`, { emails: [CID] });
    house.clock.now += 1;

    const answer = await house.remindAll();

    expect(early.summary).toEqual({ total: 3, sent: 0, failed: 0, skipped: 3 });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      success: true,
      summary: { total: 4, sent: 1, failed: 0, skipped: 3 },
      results: [{ email: ANN, success: true }],
    });
    expect(house.mails).toHaveLength(4);
    expect(await actions(house, 'reminder.sent')).toHaveLength(1);
    expect((await house.remindAll()).json().summary).toMatchObject({ sent: 0, skipped: 4 });
  });

  test('with force reaches whoever has not voted, whenever their last mail was', async () => {
    await using house = await mailing([ANN, BOB]);
    await vote(
      house,
      house.mails.find(({ recipients }) => recipients[0] === BOB),
    );
    const once = (await house.remindAll({ force: true })).json();
    house.clock.now += 1;
    const twice = (await house.remindAll({ force: true })).json();

    expect([once.summary, twice.summary]).toEqual(
      Array(2).fill({ total: 2, sent: 1, failed: 0, skipped: 1 }),
    );
    expect(new Set(house.mails.map(({ headers }) => headers['message-id'])).size).toBe(house.mails.length);
  });

  test('counts from the last mail of any kind', async () => {
    await using house = await mailing([ANN, BOB]);
    house.clock.now += DAY + 1;
    await house.act(ANN, 'resend');
    expect((await house.remindAll()).json().results).toEqual([{ email: BOB, success: true }]);
    house.clock.now += DAY + 1;
    expect((await house.remindAll()).json().summary).toMatchObject({ sent: 2, skipped: 0 });
  });

  test('tells whom it could not reach, and tries them the next time', async () => {
    await using house = await mailing([ANN, BOB]);
    house.clock.now += DAY + 1;
    house.refused.add(BOB);
    const { success, summary, results } = (await house.remindAll()).json();

    expect([success, summary]).toEqual([true, { total: 2, sent: 1, failed: 1, skipped: 0 }]);
    expect(results).toContainEqual({
      email: BOB,
      success: false,
      error: expect.stringContaining('No such person'),
    });
    house.refused.clear();
    expect((await house.remindAll()).json().results).toEqual([{ email: BOB, success: true }]);
  });

  test('asked for twice at once, it mails everybody once', async () => {
    await using house = await mailing([ANN, BOB]);
    house.clock.now += DAY + 1;
    await Promise.all([house.remindAll(), house.remindAll()]);
    expect(house.mails).toHaveLength(4);
  });

  test('is refused when the election is closed or unknown, or force is no flag', async () => {
    await using house = await mailing([ANN]);
    const bad = await house.remindAll({ force: 'perhaps' });
    await house.post(`/admin/elections/${house.id}/close`);
    const closed = await house.remindAll();
    const unknown = await house.post('/admin/elections/x/reminders/send');
    expect([bad, closed, unknown].map(({ statusCode }) => statusCode)).toEqual([400, 400, 404]);
  });
});
