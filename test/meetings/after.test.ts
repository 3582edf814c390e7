import { expect, it } from 'vitest';
import { DAY } from '#kernel/clock.ts';
import { deleteOldMails, sendDueMails } from '#kernel/mail/sender.ts';
import { startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo } from '#test/support/app.ts';
import { expectRefusal } from '#test/support/messages.ts';
import { heldMeeting, session } from './held-meeting.ts';

const BASE_URL = 'http://club.example';
const HTML = { accept: 'text/html' };

/** A meeting to which Ann, Bob, and two who did not come were invited, and which is still going on. */
async function invited() {
  const server = await startMailServer();
  const held = await heldMeeting({}, { env: { ...mailTo(server.url), BASE_URL } });
  const { one } = held;
  const emails = ['ann', 'bob', 'kim', 'lee'].map((name) => `${name}@club.example`);
  await one.service.post(`${one.base}/invite`, { emails });
  await sendDueMails(one.service.ctx);
  server.mails.length = 0;
  const page = async () => (await one.service.get(one.base, HTML)).body;
  const mail = (what: string, payload: object = {}) => one.service.post(`${one.base}/${what}/mail`, payload);
  return { ...held, server, emails, page, mail };
}

it('the results of a meeting reach everybody who was invited, once, with the outcomes first and check numbers last', async () => {
  const { one, server, emails, page, mail, end } = await invited();
  await using _ = one.service;
  expectRefusal(await mail('results'), 409, 'meeting_not_closed');
  expect(await page()).not.toContain('/results/mail');
  await end();

  expect(await page()).toContain(`action="${one.base}/results/mail"`);
  expect((await mail('results')).json()).toEqual({ queued: 4 });
  expectRefusal(await mail('results'), 409, 'mailed_before');
  await sendDueMails(one.service.ctx);
  expect(server.mails.flatMap(({ recipients }) => recipients).sort()).toEqual(emails);
  const [first] = server.mails;
  expect(first!.headers.subject).toBe('Results: AGM');
  const at = (words: string) => first!.text.indexOf(words);
  expect(at('Carried')).toBeGreaterThan(0);
  expect(at('Elected')).toBeGreaterThan(at('Carried'));
  expect(at('Check number of the ballots')).toBeGreaterThan(at('Elected'));
  expect(first!.text).toContain(`${BASE_URL}/m/${one.id}`);

  expect(await page()).toContain('name="again" value="true"');
  expect((await mail('results', { again: true })).json()).toEqual({ queued: 4 });
});

it('results are mailed once all of them are announced', async () => {
  const { one, page, mail } = await invited();
  await using _ = one.service;
  const item = await one.add({ kind: 'motion', title: 'A last lamp' });
  await one.act(item.id, 'open');
  await one.act(item.id, 'close');
  await one.service.request({
    method: 'PATCH',
    url: one.base,
    payload: { state: 'closed', confirm: ['announce'] },
    headers: { accept: 'application/json' },
  });

  expectRefusal(await mail('results'), 409, 'result_not_announced', { title: 'A last lamp' });
  expect(await page()).not.toContain(`action="${one.base}/results/mail"`);
});

it('minutes are mailed as a file once both have signed them, without the list of the present', async () => {
  const { one, server, page, mail, end, patch, sign } = await invited();
  await using _ = one.service;
  await end();
  expectRefusal(await mail('minutes'), 409, 'minutes_not_signed');
  await patch({ chair: one.ids.Ann, secretary: one.ids.Bob });
  for (const [as, who] of [
    ['chair', 'Ann'],
    ['secretary', 'Bob'],
  ] as const)
    expect((await sign(as, await session(one, who))).statusCode).toBe(200);

  expect(await page()).toContain(`action="${one.base}/minutes/mail"`);
  expect((await mail('minutes')).json()).toEqual({ queued: 4 });
  await sendDueMails(one.service.ctx);
  const sent = server.mails.find(({ headers }) => headers.subject === 'Minutes: AGM');
  expect(sent!.types.join()).toContain('minutes-1.docx');
  expect(sent!.text).toContain('The signed minutes are in the file with this mail.');
  expectRefusal(await mail('minutes'), 409, 'mailed_before');
});

it('those who were invited weeks before are known for a year after their mail', async () => {
  const { one, server, emails, mail, end } = await invited();
  await using _ = one.service;
  const { clock, ctx } = one.service;
  clock.now += 30 * DAY;
  await deleteOldMails(ctx);
  await end();

  expect((await mail('results')).json()).toEqual({ queued: 4 });
  await sendDueMails(ctx);
  expect(server.mails.flatMap(({ recipients }) => recipients).sort()).toEqual(emails);
  clock.now += 366 * DAY;
  await deleteOldMails(ctx);
  expectRefusal(await mail('results', { again: true }), 409, 'nobody_invited_to_meeting');
});
