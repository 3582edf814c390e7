import { expect, test } from 'vitest';
import { type ReceivedMail, startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { addElection, auditOf, castAll } from '#test/support/factories.ts';
import { errorJson, message } from '#test/support/messages.ts';

async function mailing() {
  const server = await startMailServer({
    answer: (address) => (address.startsWith('gone@') ? { code: 550, text: 'No such person' } : 'take'),
  });
  return Object.assign(await testApp(mailTo(server.url), { delays: [0, 0] }), { mails: server.mails });
}

const mailResult = (service: TestApp, id: string, body?: object) =>
  service.post(`/admin/elections/${id}/results-email`, body);
const to = (mails: ReceivedMail[]) => mails.flatMap(({ recipients }) => recipients).toSorted();

async function closedElection(service: TestApp, invited: string[] = []): Promise<string> {
  const id = await addElection(service, { title: 'The piano', settings: { hide_results_until_close: true } });
  if (invited.length > 0) await service.post(`/admin/elections/${id}/invite`, { emails: invited });
  await castAll(service, id, [{ choice: 'yes' }, { choice: 'yes' }, { choice: 'no' }]);
  await service.post(`/admin/elections/${id}/close`);
  return id;
}

test('the result is mailed to everyone who was invited, with the outcome', async () => {
  await using service = await mailing();
  const id = await closedElection(service, ['ann@club.example', 'bob@club.example', 'gone@club.example']);
  service.mails.length = 0;

  const answer = await mailResult(service, id);

  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toMatchObject({
    success: true,
    summary: { total: 3, sent: 2, failed: 1, skipped: 0 },
    results: [
      { email: 'ann@club.example', success: true },
      { email: 'bob@club.example', success: true },
      { email: 'gone@club.example', success: false, error: expect.stringContaining('No such person') },
    ],
  });
  expect(to(service.mails)).toEqual(['ann@club.example', 'bob@club.example']);
  expect(new Set(service.mails.map(({ headers }) => headers['message-id'])).size).toBe(2);
  for (const { text } of service.mails) {
    expect(text).toContain('Carried: 2 yes to 1 no.');
    expect(text).toContain(`https://votes.club.example/e/${id}\n`);
    expect(text).not.toContain('?t=');
  }
  const { ballot_set_sha256, ballot_set_salt, question_sha256, anchor } = (
    await service.get(`/e/${id}/results`)
  ).json();
  const hashes = [ballot_set_sha256, ballot_set_salt, question_sha256, anchor.head];
  const proofs = ['Ballots counted: 3', ...hashes];
  for (const { text } of service.mails) for (const proof of proofs) expect(text).toContain(proof);
  const audited = (await auditOf(service, id)).filter(({ action }) => action === 'results.emailed');
  expect(audited).toMatchObject([{ metadata: { sent: 2, failed: 1 } }]);
});

test.each([
  ['all ballots are the same', ['yes', 'yes'], true],
  ['everyone abstained', ['abstain', 'abstain', 'abstain'], true],
  ['ballots differ', ['yes', 'no'], false],
])('the mail says that a result shows every vote: %s', async (_case, choices, said) => {
  await using service = await mailing();
  const id = await addElection(service, { settings: { hide_results_until_close: true } });
  const ballots = choices.map((choice) => ({ choice }));
  await castAll(service, id, ballots);
  await service.post(`/admin/elections/${id}/close`);

  await mailResult(service, id, { emails: ['ann@club.example'] });

  const [mail] = service.mails;
  expect(mail?.text.replaceAll(/\s+/g, ' ').includes('this result shows how everybody voted')).toBe(said);
});

test('the result is mailed to the named addresses and lists instead, once each', async () => {
  await using service = await mailing();
  const id = await closedElection(service, ['ann@club.example']);
  const { id: list } = (await service.post('/admin/distribution-lists', { name: 'Press' })).json();
  await service.post(`/admin/distribution-lists/${list}/emails`, {
    emails: ['eve@press.example', 'dan@press.example'],
  });
  service.mails.length = 0;

  const answer = await mailResult(service, id, {
    emails: ['EVE@press.example', 'nobody'],
    distribution_list_ids: [list],
  });

  expect(answer.json().summary).toEqual({ total: 3, sent: 2, failed: 1, skipped: 0 });
  expect(answer.json().results).toContainEqual({
    email: 'nobody',
    success: false,
    error: message('not_address'),
  });
  expect(to(service.mails)).toEqual(['dan@press.example', 'eve@press.example']);
});

test('a hidden result is mailed to nobody, not even by an officer', async () => {
  await using service = await mailing();
  const id = await addElection(service, { settings: { hide_results_until_close: true } });

  const answer = await mailResult(service, id, { emails: ['ann@club.example'] });

  expect([answer.statusCode, answer.json()]).toEqual([403, errorJson('results_hidden')]);
  expect(service.mails).toEqual([]);
});

test('it is refused for an unknown election or list, and without recipients', async () => {
  await using service = await mailing();
  const id = await closedElection(service);

  const statuses = [
    await mailResult(service, 'nothing'),
    await mailResult(service, id, { distribution_list_ids: ['nothing'] }),
    await mailResult(service, id),
    await mailResult(service, id, { emails: [1] }),
    await mailResult(service, id, { emails: Array.from({ length: 2_001 }, (_, n) => `m${n}@club.example`) }),
  ].map(({ statusCode }) => statusCode);

  expect(statuses).toEqual([404, 404, 400, 400, 400]);
  expect(service.mails).toEqual([]);
});

test('test mails send each template to one address, marked as a test', async () => {
  await using service = await mailing();
  const templates = ['invite', 'batch_invite', 'reminder', 'results'];
  const ask = (body: object) => service.post('/admin/test-emails', body);

  const answer = await ask({ to: ' Ann@Club.example ', templates: [...templates, 'invite'] });

  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    { success: true, results: templates.map((template) => ({ template, success: true })) },
  ]);
  expect(to(service.mails)).toEqual(Array(4).fill('ann@club.example'));
  for (const { headers } of service.mails) expect(headers.subject).toMatch(/^\[Test\] /);
  expect((await ask({ to: 'gone@club.example', templates: ['invite'] })).json()).toEqual({
    success: false,
    results: [{ template: 'invite', success: false, error: expect.stringContaining('No such person') }],
  });
  const refused = [
    { templates },
    { to: 'ann', templates },
    { to: 'ann@club.example', templates: [] },
    { to: 'ann@club.example', templates: ['secret'] },
  ];
  for (const body of refused) expect((await ask(body)).statusCode, JSON.stringify(body)).toBe(400);
  expect(service.mails).toHaveLength(4);
});
