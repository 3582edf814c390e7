import { afterEach, beforeEach, expect, it } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { type MailServer, startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { addElection, cast } from '#test/support/factories.ts';

const ANN = 'ann@club.example';
const BOB = 'bob@club.example';

let mails: MailServer;
let service: TestApp;
let id: string;
beforeEach(async () => {
  mails = await startMailServer();
  service = await testApp(mailTo(mails.url));
  id = await addElection(service, { title: 'Shall we buy a piano?' });
  await service.post(`/admin/elections/${id}/invite`, { emails: [ANN, BOB] });
  await expect.poll(() => mails.mails.length).toBe(2);
});
afterEach(() => service[Symbol.asyncDispose]());

const ask = (email: string) => service.post('/vote/my-elections', { email });
const mailsTo = (email: string) => mails.mails.filter(({ recipients }) => recipients.includes(email));
const ballotOf = async (text: string) => {
  const [, path = ''] = /https:\/\/votes\.club\.example(\/vote\/my-elections\?\S+)/.exec(text) ?? [];
  const { headers } = await service.get(path, { accept: 'text/html' });
  return /\/vote\?t=([-0-9a-f]+)/.exec(String(headers.location))?.[1];
};

it('a member gets the link again, at the invited address', async () => {
  const form = await service.submit('/vote/my-elections', { email: ' Ann@Club.example ' });
  await expect.poll(() => mailsTo(ANN).length).toBe(2);

  expect(form.body).toContain('Check your mail');
  const mail = mailsTo(ANN).at(-1);
  expect(mail?.headers.subject).toBe('Your vote: Shall we buy a piano?');
  const token = await ballotOf(mail?.text ?? '');
  expect((await cast(service, id, { token, choice: 'yes' })).statusCode).toBe(200);
  expect(mails.mails).toHaveLength(3);
});

it('the response is the same for every address, and a mail is sent once in ten minutes', async () => {
  const answers = [await ask(ANN), await ask('nobody@club.example'), await ask(ANN)];
  for (const answer of answers) expect([answer.statusCode, answer.body]).toEqual([200, answers[0]?.body]);
  await expect.poll(() => mailsTo(ANN).length).toBe(2);
  service.clock.now += 10 * MINUTE;
  await ask(ANN);
  await expect.poll(() => mailsTo(ANN).length).toBe(3);
  expect(mails.mails).toHaveLength(4);
});

it('people who have voted or whose election is over get no mail', async () => {
  const [invitation] = mailsTo(ANN);
  const [, token] = /\/vote\?t=([-0-9a-f]+)/.exec(invitation?.text ?? '') ?? [];
  await cast(service, id, { token, choice: 'no' });
  await ask(ANN);
  await service.post(`/admin/elections/${id}/close`);
  await ask(BOB);
  const other = await addElection(service, { title: 'Another' });
  await service.post(`/admin/elections/${other}/invite`, { emails: [ANN] });

  await expect.poll(() => mailsTo(ANN).length).toBe(2);
  expect(mailsTo(ANN).at(-1)?.headers.subject).not.toContain('piano');
  expect(mailsTo(BOB)).toHaveLength(1);
});

it('an invalid address is refused at its field', async () => {
  const form = await service.submit('/vote/my-elections', { email: 'ann at club' });
  expect([form.statusCode, form.body.includes('value="ann at club"')]).toEqual([400, true]);
  expect(form.body).toContain('Please check your e-mail address. It looks like this: name@example.org.');
  expect((await ask('')).json().errors[0].path).toBe('email');
});

it('an address that was invited twice, in two spellings of its domain, gets both ballots by one link', async () => {
  const [ascii, unicode] = ['ida@xn--mller-kva.example', 'ida@müller.example'];
  await service.post(`/admin/elections/${id}/invite`, { emails: [ascii] });
  // As version 063 stored an address, and later ones keep the second invitation of one mailbox.
  await service.ctx.write((tx) =>
    tx.run(build.updateTable('invites').set({ email: unicode }).where('email', '=', BOB)),
  );

  // The server of the tests shows domains in Unicode.
  const before = mailsTo(unicode).length;
  await ask(unicode);
  await expect.poll(() => mailsTo(unicode).length).toBe(before + 1);
  const [, path = ''] =
    /https:\/\/votes\.club\.example(\/\S+)/.exec(mailsTo(unicode).at(-1)?.text ?? '') ?? [];
  const { body } = await service.get(path, { accept: 'text/html' });
  const tokens = [...body.matchAll(/\/vote\?t=([-0-9a-f]+)/g)].map(([, token]) => token);

  expect(new Set(tokens).size).toBe(2);
  const list = new URL(path, 'https://votes.club.example').searchParams.get('token') ?? '';
  const vote = (token: string | undefined) =>
    service.submit(`/e/${id}/vote`, { token: token ?? '', choice: 'yes', list });
  const [first, second] = [await vote(tokens[0]), await vote(tokens[1])];
  expect([first.statusCode, second.statusCode]).toEqual([200, 200]);
  expect(first.body).toContain('1 more ballot waits for you');
  expect(first.body).toMatch(new RegExp(`href="[^"]*t=${tokens[1]}[^"]*">Next ballot`));
  expect(second.body).toContain('No other ballot waits');
  expect((await service.get(path, { accept: 'text/html' })).body.match(/You have voted/g)).toHaveLength(2);
});
