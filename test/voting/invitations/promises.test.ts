import { expect, it } from 'vitest';
import { HOUR, isoTime } from '#kernel/clock.ts';
import { type ReceivedMail, startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, testApp } from '#test/support/app.ts';
import { addElection, addPoll, page } from '#test/support/factories.ts';
import { addPaper, motion } from '#test/voting/ballot-papers/a-paper.ts';

const FIVE = ['ann', 'bob', 'cyd', 'dan', 'eve'].map((name) => `${name}@club.example`);
const PROMISE = 'Nobody can look up how you voted.';
const LIVE = 'Someone who sees them change when you vote can learn your vote.';
const FEW = 'Fewer than five people have a voting code.';
const CODE = 'Anyone who sees your code can find out how you voted.';
const SENTENCES = [PROMISE, LIVE, FEW, CODE];

const HIDDEN = { hide_results_until_close: true };
const QUIET = { settings: HIDDEN };
const OPEN_COUNT = { settings: { hide_results_until_close: false } };
const RECEIPTS = { settings: { ...HIDDEN, receipts: 'content' } };

async function mailing() {
  const { url, mails } = await startMailServer();
  return Object.assign(await testApp(mailTo(url), { delays: [0, 0] }), { mails });
}

/** Which of the sentences about secrecy stand in a text, however its lines break. */
const said = (text: string) => {
  const line = text.replaceAll(/\s+/g, ' ');
  return SENTENCES.filter((sentence) => line.toLowerCase().includes(sentence.toLowerCase().slice(0, -1)));
};
const pathIn = ({ text }: ReceivedMail) => {
  const { pathname, search } = new URL(/https:\S+/.exec(text)![0]);
  return pathname + search;
};

it.each([
  ['nothing unusual', QUIET, FIVE, [PROMISE]],
  ['open counts', OPEN_COUNT, FIVE, [LIVE]],
  ['codes that open the choice', RECEIPTS, FIVE, [CODE]],
  ['fewer than five voters', QUIET, FIVE.slice(1), [FEW]],
  [
    'all of it',
    { settings: { ...RECEIPTS.settings, ...OPEN_COUNT.settings } },
    FIVE.slice(1),
    [LIVE, FEW, CODE],
  ],
])('with %s, invitation, reminder and list say what the ballot says', async (_, fields, emails, expected) => {
  await using service = await mailing();
  const id = await addElection(service, { title: 'The piano', ...fields });
  await service.post(`/admin/elections/${id}/invite`, { emails });
  await service.post(`/admin/elections/${id}/reminders/send`, { force: true });
  const other = await addElection(service, { title: 'The roof', ...fields });
  await service.post('/admin/bulk-invites', { election_ids: [other], emails, invite_mode: 'batch' });
  const [first] = service.mails as [ReceivedMail];
  const ballot = await page(service, pathIn(first));

  // The link to one's own elections, asked for.
  await service.post('/vote/my-elections', { email: emails[0] });
  await expect.poll(() => service.mails.length).toBe(3 * emails.length + 1);
  for (const mail of service.mails) {
    expect([mail.headers.subject, said(mail.text)]).toEqual([mail.headers.subject, expected]);
    expect(said(mail.html)).toEqual(expected);
  }
  // The ballot explains its promise, and says every limit of the mail.
  const limits = expected.filter((sentence) => sentence !== PROMISE);
  expect(said(ballot.body.replaceAll('&#39;', "'"))).toEqual(expect.arrayContaining(limits));
});

it('a mail of several elections says of each what limits its secrecy, and promises nothing for all', async () => {
  await using service = await mailing();
  const quiet = await addElection(service, { title: 'The piano', ...QUIET });
  const { id: live } = await addPoll(service, ['Goose', 'Nuts'], { title: 'The dinner', ...OPEN_COUNT });
  const invite = (ids: string[]) =>
    service.post('/admin/bulk-invites', { election_ids: ids, emails: FIVE, invite_mode: 'batch' });
  await invite([quiet, live]);
  const [mixed] = service.mails as [ReceivedMail];
  service.mails.length = 0;
  await invite([
    await addElection(service, { title: 'The roof', ...QUIET }),
    await addElection(service, { title: 'The hats', ...QUIET }),
  ]);
  const [usual] = service.mails as [ReceivedMail];

  expect(said(mixed.text)).toEqual([LIVE]);
  const [, ofPiano = '', ofDinner = ''] = mixed.text.split('\n* ');
  expect([said(ofPiano.split('\n\n')[0]!), said(ofDinner.split('\n\n')[0]!)]).toEqual([[], [LIVE]]);
  expect(said(usual.text)).toEqual([PROMISE]);
});

it('the mail of a paper says what limits the secrecy of any of its questions', async () => {
  await using service = await mailing();
  const close_at = isoTime(service.clock.now + HOUR);
  const questions = [
    { ...motion('The fee'), ...QUIET },
    { ...motion('The rules'), ...RECEIPTS },
  ];
  const { id } = await addPaper(service, questions, { title: 'AGM', close_at });
  await service.post(`/admin/papers/${id}/invite`, { emails: FIVE });
  const [mail] = service.mails as [ReceivedMail];

  expect(said(mail.text)).toEqual([CODE]);
});
