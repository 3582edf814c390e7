import { expect, test } from 'vitest';
import { DAY, isoTime } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { sendDueMails } from '#kernel/mail/sender.ts';
import { startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { addElection, auditOf, cast, page } from '#test/support/factories.ts';
import { expectRefusal } from '#test/support/messages.ts';
import { continueMailings } from '#voting/invitations/invitation-runs.ts';
import { openToken } from '#voting/invitations/invites.ts';

const [ADA, BO, CY] = ['ada@club.example', 'bo@club.example', 'cy@club.example'] as const;
/** So many that the queue sends the mails. */
const MANY = Array.from({ length: 100 }, (_, n) => `member${n}@club.example`);

/** A service with an election that is open for a week, and a mail server that refuses some addresses. */
async function mailing(settings: object = { hide_results_until_close: true }) {
  const refused = new Set<string>();
  const { url, mails } = await startMailServer({
    answer: (address) => (refused.has(address) ? { code: 550, text: 'No such person' } : 'take'),
  });
  const service = await testApp({ ...mailTo(url), MAILER_PACE_PER_MINUTE: '6000' }, { delays: [0, 0] });
  const id = await addElection(service, {
    close_at: isoTime(service.clock.now + 7 * DAY),
    settings,
  });
  const mailed = () => mails.flatMap(({ recipients }) => recipients).sort();
  return Object.assign(service, { mails, mailed, refused, id, base: `/admin/elections/${id}` });
}

const words = async (service: TestApp, address: string) =>
  (await page(service, address)).body.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

async function press(service: TestApp, action: string, fields = {}): Promise<string> {
  const answer = await service.submit(action, fields);
  expect(answer.statusCode).toBe(303);
  return answer.headers.location ?? '';
}

async function sendQueue({ ctx }: TestApp) {
  for (let second = 0; second < 2; second += 1) await sendDueMails(ctx);
  await continueMailings(ctx);
}

test('failed invitations are retried once by a button, and recorded as a mailing', async () => {
  await using service = await mailing();
  for (const email of [BO, CY]) service.refused.add(email);
  const first = await press(service, `${service.base}/invite`, { emails: [...MANY, BO, CY] });
  await sendQueue(service);
  service.mails.length = 0;
  const before = await words(service, first);
  service.refused.delete(BO);

  const led = await press(service, `${first}/failed`);
  const twice = await press(service, `${first}/failed`);
  await sendQueue(service);
  const late = await press(service, `${first}/failed`);
  await sendQueue(service);

  expect(before).toContain('Try the 2 failed again');
  expect(led).not.toBe(first);
  expect([twice, late]).toEqual([led, led]);
  expect(service.mailed()).toEqual([BO]);
  expect(await words(service, led)).toMatch(
    /1 invitation sent, .*\. 1 could not be reached\..*Try the 1 failed/,
  );
  expect(await words(service, first)).toMatch(/100 invitations sent, .*\. 2 could not be reached\./);
  expect(await words(service, first)).not.toContain('failed again');
  const queued = (await auditOf(service, service.id)).filter(({ action }) => action === 'invite.queued');
  expect(queued.map(({ metadata }) => metadata)).toMatchObject([{ count: 102 }, { count: 2 }]);

  await service.post(`${service.base}/close`);
  expect(await words(service, led)).not.toContain('failed again');
  expect(await press(service, `${led}/failed`)).toBe(led);
});

test('failed reminders are retried from any page, and everyone is reached once', async () => {
  await using service = await mailing();
  await service.post(`${service.base}/invite`, { emails: [ADA, BO, CY] });
  service.clock.now += DAY + 1;
  for (const email of [BO, CY]) service.refused.add(email);
  const id = /mailing=([^#]+)/.exec(await press(service, `${service.base}/reminders/send`))?.[1];
  const first = `/admin/mailings/${id}`;
  service.mails.length = 0;
  const before = await words(service, first);
  service.refused.delete(BO);

  const led = await press(service, `${first}/failed`);
  const reached = service.mailed();
  const then = await words(service, first);
  const second = await press(service, `${first}/failed`);
  service.refused.clear();
  await press(service, `${led}/failed`);
  for (const address of [first, led, second]) await press(service, `${address}/failed`);

  expect(before).toContain('Try the 2 failed again');
  expect(reached).toEqual([BO]);
  expect(then).toContain('Try the 1 failed again');
  expect(service.mailed()).toEqual([BO, CY]);
  expect(await words(service, led)).toMatch(/1 person reminded .*\. 1 could not be reached\./);
  expect(await words(service, first)).not.toContain('failed again');
  const reminded = (await auditOf(service, service.id)).filter(({ action }) => action === 'reminder.sent');
  expect(reminded).toHaveLength(3);
});

test('with live results whoever has voted is left out, too', async () => {
  await using service = await mailing({});
  service.refused.add(BO).add(CY);
  const first = await press(service, `${service.base}/invite`, { emails: [...MANY, BO, CY] });
  await sendQueue(service);
  const bo = service.ctx.db.first(build.selectFrom('invites').selectAll().where('email', '=', BO))!;
  await cast(service, service.id, { token: openToken(service.ctx, bo), choice: 'yes' });
  service.refused.clear();
  service.mails.length = 0;

  expect(await words(service, first)).toContain('Try the 1 failed again');
  await press(service, `${first}/failed`);
  await sendQueue(service);
  expect(service.mailed()).toEqual([CY]);
  expectRefusal(await service.post('/admin/mailings/nothing/failed'), 404, 'mailing_not_found');
});
