import { describe, expect, it, test } from 'vitest';
import { HOUR, isoTime } from '#kernel/clock.ts';
import { type MailServer, type ReceivedMail, startMailServer } from '#test/stand-ins/mail-server.ts';
import { BASE, mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addPoll, cast } from '#test/support/factories.ts';
import { errorJson, expectBadField, message } from '#test/support/messages.ts';

const linkIn = ({ text }: ReceivedMail) => new URL(/https:\S+/.exec(text)![0]);
const tokenIn = (mail: ReceivedMail) => linkIn(mail).searchParams.get('t') ?? '';
const people = (count: number) => Array.from({ length: count }, (_, n) => `member${n}@club.example`);

async function mailing(env: Record<string, string> = {}) {
  const server = await startMailServer();
  const service = await testApp({ ...mailTo(server.url), ...env }, { delays: [0, 0] });
  return Object.assign(service, { server });
}

const invite = (service: TestApp, id: string, body: object) =>
  service.post(`/admin/elections/${id}/invite`, body);

async function addList(service: TestApp, name: string, emails: string[]): Promise<string> {
  const { id } = (await service.post('/admin/distribution-lists', { name })).json();
  await service.post(`/admin/distribution-lists/${id}/emails`, { emails });
  return id;
}

const to = ({ mails }: MailServer) => mails.flatMap(({ recipients }) => recipients);

test('60 people invited in one request each get one mail with a link to a separate ballot', async () => {
  await using service = await mailing();
  const id = await addElection(service);

  const answer = await invite(service, id, { emails: people(60) });

  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toMatchObject({ success: true, mode: 'individual' });
  expect(answer.json().summary).toEqual({ total: 60, sent: 60, failed: 0, queued: 0 });
  expect(answer.json().results).toEqual(people(60).map((email) => ({ email, success: true })));
  expect(to(service.server).toSorted()).toEqual(people(60).toSorted());
  expect(new Set(service.server.mails.map(({ headers }) => headers['message-id'])).size).toBe(60);
  const tokens = service.server.mails.map(tokenIn);
  expect(new Set(tokens).size).toBe(60);
  for (const token of tokens) expect(answer.body).not.toContain(token);
  expect(linkIn(service.server.mails[0]!).href).toBe(`${BASE}/e/${id}/vote?t=${tokens[0]}`);
  for (const token of [tokens[0], tokens[30], tokens[59]])
    expect((await cast(service, id, { token, choice: 'yes' })).statusCode).toBe(200);
  const { results, turnout } = (await service.get(`/e/${id}/results`)).json();
  expect([results.yes, turnout]).toEqual([3, { issued: 60, used: 3 }]);
  expect((await service.get(`/admin/elections/${id}`)).json().turnout.invited).toBe(60);
  expect((await service.get(`/admin/audit-logs?action=invite.sent&election_id=${id}`)).json().total).toBe(60);
});

test('the mail names the election, its times and the sender, as text and as HTML', async () => {
  await using service = await mailing();
  const { id } = await addPoll(service, ['Goose', 'Nuts'], { title: 'What is for dinner?' });
  await invite(service, id, { emails: ['Ada Lovelace <Ada@Club.example>'] });

  const [mail] = service.server.mails as [ReceivedMail];
  expect(mail.recipients).toEqual(['ada@club.example']);
  expect(mail.headers).toMatchObject({
    subject: 'Your vote: What is for dinner?',
    from: 'The Anchor <votes@club.example>',
    'auto-submitted': 'auto-generated',
    'x-auto-response-suppress': 'All',
    'message-id': expect.stringMatching(/^<[\w.-]+@votes\.club\.example>$/),
  });
  expect(linkIn(mail).pathname).toBe(`/e/${id}/vote/poll`);
  expect(mail.text).toContain('Sat, Nov 21, 2026, 2:00 PM New York time');
  expect(mail.html).toContain(linkIn(mail).href.replaceAll('&', '&amp;'));
});

describe('the recipients', () => {
  test('are mailed once if repeated in a request or in lists, in the order in which they were named', async () => {
    await using service = await mailing();
    const id = await addElection(service);
    const one = await addList(service, 'Full members', ['bob@club.example', 'cid@club.example']);
    const two = await addList(service, 'Committee', ['cid@club.example', 'dee@club.example']);

    const answer = await invite(service, id, {
      emails: ['ann@club.example', ' ANN@club.example ', 'Bob@Club.Example'],
      distribution_list_ids: [one, two, one],
    });

    const everyone = ['ann', 'bob', 'cid', 'dee'].map((name) => `${name}@club.example`);
    // A client looks for the row of what it sent.
    expect(answer.json().results.map(({ email }: { email: string }) => email)).toEqual(
      everyone.map((email) => (email === 'bob@club.example' ? 'Bob@Club.Example' : email)),
    );
    expect(to(service.server).toSorted()).toEqual(everyone);
  });

  test('in two spellings of one international domain are one recipient with one code', async () => {
    await using service = await mailing();
    const id = await addElection(service);

    await invite(service, id, { emails: ['ida@müller.example'] });
    const again = await invite(service, id, {
      emails: ['IDA@xn--mller-kva.example', 'ida@mu\u0308ller.example'],
    });

    expect(again.json().results).toEqual([
      { email: 'IDA@xn--mller-kva.example', success: false, error: 'Already invited' },
    ]);
    expect(service.server.mails).toHaveLength(1);
    const list = await service.get(`/admin/elections/${id}/invitations`, { accept: 'text/html' });
    expect(list.body).toContain('ida@müller.example');
  });

  test('get codes of the batch whose name looks the same; a name that nobody sees is none', async () => {
    await using service = await mailing();
    const id = await addElection(service);
    await service.post(`/admin/elections/${id}/tokens`, { count: 1, batch_name: 'Hall' });

    await invite(service, id, { emails: ['ann@club.example'], batch_name: 'HALL\u200b ' });
    await invite(service, id, { emails: ['bob@club.example'], batch_name: '\u200b\u2800' });

    const { batches } = (await service.get(`/admin/elections/${id}/tokens`)).json();
    expect(batches.map((of: Record<string, unknown>) => of.batch_name).toSorted()).toEqual([
      'Hall',
      expect.stringMatching(/^Invited \d/),
    ]);
  });

  test('who were invited before are not mailed again, and their result says so', async () => {
    await using service = await mailing();
    const id = await addElection(service);
    await invite(service, id, { emails: ['ann@club.example'] });

    const mixed = (await invite(service, id, { emails: ['ANN@club.example', 'bob@club.example'] })).json();
    const again = (await invite(service, id, { emails: ['ann@club.example'] })).json();

    const refused = { email: 'ann@club.example', success: false, error: 'Already invited' };
    expect(mixed.success).toBe(true);
    expect(mixed.summary).toEqual({ total: 2, sent: 1, failed: 1, queued: 0 });
    expect(mixed.results).toEqual([
      { email: 'bob@club.example', success: true },
      { ...refused, email: 'ANN@club.example' },
    ]);
    expect(again).toMatchObject({ success: false, results: [refused] });
    expect(to(service.server)).toEqual(['ann@club.example', 'bob@club.example']);
  });

  test('are not mailed twice by simultaneous requests', async () => {
    await using service = await mailing();
    const id = await addElection(service);

    const answers = await Promise.all([1, 2, 3].map(() => invite(service, id, { emails: people(20) })));

    expect(answers.map((answer) => answer.json().summary.sent).toSorted()).toEqual([0, 0, 20]);
    expect(to(service.server)).toHaveLength(20);
  });

  test('without a valid address are failed results with a reason; the others are mailed', async () => {
    await using service = await mailing();
    const id = await addElection(service);
    const emails = [
      'ann@club.example',
      'bob',
      'a@club.example, b@club.example',
      'x@y.example\r\nBcc: z@y.example',
      '',
    ];

    const answer = (await invite(service, id, { emails })).json();

    expect(answer.summary).toEqual({ total: 5, sent: 1, failed: 4, queued: 0 });
    expect(answer.results.map(({ success, error }: never) => error ?? success)).toEqual([
      true,
      message('not_address'),
      message('several_addresses'),
      message('address_with_control_character'),
      message('no_address'),
    ]);
    expect(to(service.server)).toEqual(['ann@club.example']);
    expect((await invite(service, id, { emails: ['bob'] })).json()).toMatchObject({ success: false });
  });

  test('can be 2,000 per request; 2,001 are refused, and nothing is sent', async () => {
    await using service = await mailing();
    const id = await addElection(service, { open_at: isoTime(service.clock.now + HOUR) });
    const list = await addList(service, 'Everyone', people(2_001));

    const refused = [
      await invite(service, id, { emails: people(2_001), queue: true }),
      await invite(service, id, { distribution_list_ids: [list], queue: true }),
      await invite(service, id, { emails: ['one@more.example'], distribution_list_ids: [list], queue: true }),
    ];
    const none = (await service.get(`/admin/elections/${id}/invites`)).json().invites;
    const taken = await invite(service, id, { emails: people(2_000), queue: true });

    expect(refused.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400]);
    expect(refused[0]!.json().error).toContain('2,000');
    expect(none).toEqual([]);
    expect(taken.json().summary).toEqual({ total: 2_000, sent: 0, failed: 0, queued: 2_000 });
  });

  test.each([
    ['nobody', {}, 400],
    ['nobody, in so many words', { emails: [], distribution_list_ids: [] }, 400],
    ['an unknown list', { distribution_list_ids: ['0192f0c1-0000-7000-8000-000000000000'] }, 404],
    ['a list with a malformed id', { emails: ['a@club.example'], distribution_list_ids: ['x'] }, 404],
    ['an unknown mode', { emails: ['a@club.example'], invite_mode: 'loud' }, 400],
    ['a queue that is no flag', { emails: ['a@club.example'], queue: 'perhaps' }, 400],
    ['a batch name of 201 characters', { emails: ['a@club.example'], batch_name: 'x'.repeat(201) }, 400],
    ['addresses that are no texts', { emails: [7] }, 400],
  ])('are not mailed by an invalid request: %s', async (_, body, status) => {
    await using service = await mailing();
    const id = await addElection(service);

    const answer = await invite(service, id, body);

    expect(answer.statusCode).toBe(status);
    expect(answer.json().error).toEqual(expect.any(String));
    expect(service.server.mails).toEqual([]);
    expect((await service.get(`/admin/elections/${id}/invites`)).json()).toEqual({ invites: [] });
  });

  test('must not be an empty list', async () => {
    await using service = await mailing();
    const list = await addList(service, 'Nobody yet', []);
    const answer = await invite(service, await addElection(service), { distribution_list_ids: [list] });
    expectBadField(answer, 'emails', 'no_recipients');
  });
});

describe('an invitation', () => {
  test('is refused for a closed and for an unknown election', async () => {
    await using service = await mailing();
    const id = await addElection(service);
    await service.post(`/admin/elections/${id}/close`);

    const closed = await invite(service, id, { emails: ['ann@club.example'] });
    const unknown = await invite(service, 'nothing', { emails: ['ann@club.example'] });

    expect([closed.statusCode, closed.json()]).toEqual([400, errorJson('election_closed')]);
    expect(unknown.statusCode).toBe(404);
    expect(service.server.mails).toEqual([]);
  });

  test.each(['MAILER_API_KEY', 'FROM_EMAIL', 'BASE_URL', 'MAILER_URL'])(
    'without %s is a 500 that names it',
    async (name) => {
      await using service = await mailing({ [name]: '' });
      const id = await addElection(service);
      const body = { emails: ['ann@club.example'] };

      const answers = [
        await invite(service, id, body),
        await service.post('/admin/bulk-invites', { ...body, election_ids: [id] }),
        await service.post(`/admin/elections/${id}/reminders/send`),
        await service.post(`/admin/elections/${id}/results-email`, body),
        await service.post('/admin/test-emails', { to: 'ann@club.example', templates: ['invite'] }),
      ];

      for (const answer of answers) {
        expect(answer.statusCode).toBe(500);
        expect(answer.json().error).toBe(`Missing configuration: ${name}`);
      }
      expect((await service.get(`/admin/elections/${id}/invites`)).json().invites).toEqual([]);
    },
  );

  it('has the mode of the election if the request has none, else individual', async () => {
    await using service = await mailing();
    const plain = await addElection(service);
    const batch = await addElection(service, { invite_mode: 'batch' });
    const modeOf = async (id: string, body: object) => (await invite(service, id, body)).json().mode;

    expect(await modeOf(plain, { emails: ['a@club.example'] })).toBe('individual');
    expect(await modeOf(batch, { emails: ['a@club.example'] })).toBe('batch');
    expect(await modeOf(batch, { emails: ['b@club.example'], invite_mode: 'individual' })).toBe('individual');
    expect(service.server.mails.map((mail) => linkIn(mail).pathname)).toEqual([
      `/e/${plain}/vote`,
      '/vote/my-elections',
      `/e/${batch}/vote`,
    ]);
  });

  test('before the opening says when voting opens, and its link works from then on', async () => {
    await using service = await mailing();
    const id = await addElection(service, { open_at: isoTime(service.clock.now + HOUR) });
    await invite(service, id, { emails: ['ann@club.example'] });

    const [mail] = service.server.mails as [ReceivedMail];
    const token = tokenIn(mail);
    const early = await cast(service, id, { token, choice: 'yes' });
    service.clock.now += HOUR;
    const late = await cast(service, id, { token, choice: 'yes' });

    expect(mail.text).toContain('Voting opens: Sat, Nov 21, 2026, 1:00 PM');
    expect([early.statusCode, late.statusCode]).toEqual([403, 200]);
  });
});
