import { expect, test } from 'vitest';
import { type ReceivedMail, startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { addElection, auditOf, castAll } from '#test/support/factories.ts';

async function mailing() {
  const server = await startMailServer({
    answer: (address) => (address.startsWith('gone@') ? { code: 550, text: 'No such person' } : 'take'),
  });
  return Object.assign(await testApp(mailTo(server.url), { delays: [0, 0] }), { mails: server.mails });
}

const mailResult = (house: TestApp, id: string, body?: object) =>
  house.post(`/admin/elections/${id}/results-email`, body);
const to = (mails: ReceivedMail[]) => mails.flatMap(({ recipients }) => recipients).toSorted();

async function closedElection(house: TestApp, invited: string[] = []): Promise<string> {
  const id = await addElection(house, { title: 'The piano', settings: { hide_results_until_close: true } });
  if (invited.length > 0) await house.post(`/admin/elections/${id}/invite`, { emails: invited });
  await castAll(house, id, [{ choice: 'yes' }, { choice: 'yes' }, { choice: 'no' }]);
  await house.post(`/admin/elections/${id}/close`);
  return id;
}

test('the result goes to everyone who was invited, and says the outcome', async () => {
  await using house = await mailing();
  const id = await closedElection(house, ['ann@club.example', 'bob@club.example', 'gone@club.example']);
  house.mails.length = 0;

  const answer = await mailResult(house, id);

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
  expect(to(house.mails)).toEqual(['ann@club.example', 'bob@club.example']);
  expect(new Set(house.mails.map(({ headers }) => headers['message-id'])).size).toBe(2);
  for (const { text } of house.mails) {
    expect(text).toContain('Passed: 2 yes to 1 no.');
    expect(text).toContain(`https://votes.club.example/e/${id}\n`);
    expect(text).not.toContain('?t=');
  }
  const audited = (await auditOf(house, id)).filter(({ action }) => action === 'results.emailed');
  expect(audited).toMatchObject([{ metadata: { sent: 2, failed: 1 } }]);
});

test('the result goes to the addresses and lists named instead, each once', async () => {
  await using house = await mailing();
  const id = await closedElection(house, ['ann@club.example']);
  const { id: list } = (await house.post('/admin/distribution-lists', { name: 'Press' })).json();
  await house.post(`/admin/distribution-lists/${list}/emails`, {
    emails: ['eve@press.example', 'dan@press.example'],
  });
  house.mails.length = 0;

  const answer = await mailResult(house, id, {
    emails: ['EVE@press.example', 'nobody'],
    distribution_list_ids: [list],
  });

  expect(answer.json().summary).toEqual({ total: 3, sent: 2, failed: 1, skipped: 0 });
  expect(answer.json().results).toContainEqual({
    email: 'nobody',
    success: false,
    error: 'Not an e-mail address',
  });
  expect(to(house.mails)).toEqual(['dan@press.example', 'eve@press.example']);
});

test('a result that is hidden is mailed to nobody, not even by an officer', async () => {
  await using house = await mailing();
  const id = await addElection(house, { settings: { hide_results_until_close: true } });

  const answer = await mailResult(house, id, { emails: ['ann@club.example'] });

  expect([answer.statusCode, answer.json()]).toEqual([
    403,
    { error: 'Results are hidden until the election closes' },
  ]);
  expect(house.mails).toEqual([]);
});

test('it is refused for an unknown election, an unknown list, and when there is nobody to mail', async () => {
  await using house = await mailing();
  const id = await closedElection(house);

  const statuses = [
    await mailResult(house, 'nothing'),
    await mailResult(house, id, { distribution_list_ids: ['nothing'] }),
    await mailResult(house, id),
    await mailResult(house, id, { emails: [1] }),
    await mailResult(house, id, { emails: Array.from({ length: 2_001 }, (_, n) => `m${n}@club.example`) }),
  ].map(({ statusCode }) => statusCode);

  expect(statuses).toEqual([404, 404, 400, 400, 400]);
  expect(house.mails).toEqual([]);
});

test('test mails show each template to one address, marked as a test', async () => {
  await using house = await mailing();
  const templates = ['invite', 'batch_invite', 'reminder', 'results'];
  const ask = (body: object) => house.post('/admin/test-emails', body);

  const answer = await ask({ to: ' Ann@Club.example ', templates: [...templates, 'invite'] });

  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    { success: true, results: templates.map((template) => ({ template, success: true })) },
  ]);
  expect(to(house.mails)).toEqual(Array(4).fill('ann@club.example'));
  for (const { headers } of house.mails) expect(headers.subject).toMatch(/^\[Test\] /);
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
  expect(house.mails).toHaveLength(4);
});
