import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { DAY, HOUR, isoTime } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { sendDueMails } from '#kernel/mail/sender.ts';
import { type ReceivedMail, startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { addElection, auditOf, cast, page } from '#test/support/factories.ts';
import { expectBadField } from '#test/support/messages.ts';
import { continueMailings } from '#voting/invitations/invitation-runs.ts';

const tokenIn = ({ text }: ReceivedMail) => new URL(/https:\S+/.exec(text)![0]).searchParams.get('t');
const people = (count: number, name = 'member') =>
  Array.from({ length: count }, (_, n) => `${name}${n}@club.example`);
const HIDDEN = { hide_results_until_close: true };

interface Mailing extends TestApp {
  mails: ReceivedMail[];
  refused: Set<string>;
  id: string;
}

/** A service with an election for a week that these people were invited to. */
async function mailing(emails: string[], fields: object = {}): Promise<Mailing> {
  const refused = new Set<string>();
  const { url, mails } = await startMailServer({
    answer: (address) => (refused.has(address) ? { code: 550, text: 'No such person' } : 'take'),
  });
  const service = await testApp(mailTo(url), { delays: [0, 0] });
  const close_at = isoTime(service.clock.now + 7 * DAY);
  const id = await addElection(service, { title: 'The piano', close_at, settings: HIDDEN, ...fields });
  await service.post(`/admin/elections/${id}/invite`, { emails });
  return Object.assign(service, { mails, refused, id });
}

const close = (service: Mailing) => service.post(`/admin/elections/${service.id}/close`);
const path = ({ id }: Mailing, under = '') => `/admin/elections/${id}${under}`;
const wordsOf = (body: string) => body.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
const words = async (service: Mailing, address: string) => wordsOf((await page(service, address)).body);

/** Returns the hidden fields of the form with this action; of several, the one that contains the label. */
async function formOf(service: Mailing, address: string, action: string, label = '') {
  const { body } = await page(service, address);
  const forms = [...body.matchAll(/<form method="post" action="([^"]*)"[^>]*>(.*?)<\/form>/gs)];
  const form = forms.find(([, to, inside]) => to === action && inside!.includes(label))?.[2];
  if (form === undefined) throw new Error(`There is no form for ${action}`);
  const fields = [...form.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return Object.fromEntries(fields.map(([, name, value]) => [name!, value!]));
}

/** Submits a form and returns where it redirects to. */
async function press(service: Mailing, action: string, fields: Record<string, string>): Promise<string> {
  const answer = await service.submit(action, fields);
  expect([answer.statusCode, answer.body]).toEqual([303, '']);
  return answer.headers.location ?? '';
}

test('one click mails the result once, is shown permanently, and a second time asks for confirmation', async () => {
  await using service = await mailing(people(3));
  service.refused.add('member2@club.example');
  await close(service);
  service.mails.length = 0;
  const send = path(service, '/results-email');
  const first = await formOf(service, path(service, '/mails'), send);

  const led = await press(service, send, first);
  const twice = await press(service, send, first);

  expect(led).toMatch(new RegExp(`^${path(service, '/mails')}\\?mailing=[^#]+#mailed$`));
  expect(twice).toBe(led);
  expect(service.mails).toHaveLength(2);
  const said = /<div id="mailed"[^>]*>(.*?)<p class="toolbar|<div id="mailed".*?<\/div><\/div>/s;
  expect(wordsOf(said.exec((await page(service, led)).body)?.[0] ?? '')).toContain(
    'Result mailed to 2 people on Sat, Nov 21, 2026, 12:00 PM. 1 could not be reached.',
  );
  service.clock.now += DAY;
  expect(await words(service, path(service, '/mails'))).toContain(
    'Result mailed to 2 people on Sat, Nov 21, 2026, 12:00 PM. 1 could not be reached. Send it',
  );

  // A form without that field counts as a new request of an officer.
  expect(await press(service, send, {})).toBe(send);
  expect(await words(service, send)).toMatch(
    /2 people already have the result, last mailed Sat, Nov 21, 2026, 12:00 PM\. 1 person has not had it\./,
  );
  service.refused.clear();
  const rest = await formOf(service, send, send, 'only to the 1 person');
  await press(service, send, rest);
  expect(service.mails.map(({ recipients }) => recipients[0])).toHaveLength(3);
  expect(service.mails[2]?.recipients).toEqual(['member2@club.example']);
  const all = await formOf(service, send, send, 'again to all 3');
  await press(service, send, all);
  await press(service, send, all);
  expect(service.mails).toHaveLength(6);
  const emailed = (await auditOf(service, service.id)).filter(({ action }) => action === 'results.emailed');
  expect(emailed.map(({ metadata }) => metadata)).toMatchObject([
    { sent: 2, failed: 1 },
    { sent: 1, failed: 0 },
    { sent: 3, failed: 0 },
  ]);
});

test('a script does not mail people again who have the result, unless it sends again: true', async () => {
  await using service = await mailing(people(2));
  await close(service);
  const send = (body?: object) => service.post(path(service, '/results-email'), body);
  await send();

  const repeated = (await send()).json();
  const other = (await send({ emails: ['member0@club.example', 'eve@press.example'] })).json();
  const again = (await send({ again: true })).json();

  expect(repeated).toEqual({
    success: true,
    summary: { total: 2, sent: 0, failed: 0, skipped: 2 },
    results: people(2).map((email) => ({ email, success: false, error: 'Already mailed' })),
  });
  expect(other.summary).toEqual({ total: 2, sent: 1, failed: 0, skipped: 1 });
  expect(again.summary).toEqual({ total: 2, sent: 2, failed: 0, skipped: 0 });
  expectBadField(await send({ again: 'perhaps' }), 'again', 'not_true_or_false');
});

test('the result of a reopened election is a new one', async () => {
  await using service = await mailing(people(2));
  await close(service);
  await service.post(path(service, '/results-email'));
  service.clock.now += HOUR;
  const dates = { open_at: isoTime(service.clock.now - HOUR), close_at: isoTime(service.clock.now + HOUR) };
  await service.request({
    method: 'PATCH',
    url: path(service, '/dates'),
    payload: { ...dates, reopen: true, reason: 'A mistake' },
    headers: { accept: 'application/json' },
  });
  await close(service);

  expect((await service.post(path(service, '/results-email'))).json().summary).toMatchObject({ sent: 2 });
});

test('an interrupted mailing continues after the restart, and nobody gets it twice without a request', async () => {
  await using service = await mailing(people(4));
  await close(service);
  service.mails.length = 0;
  await service.post(path(service, '/results-email'), { emails: people(1) });
  const { id: mailingId } = service.ctx.db.first(build.selectFrom('mailings').select('id'))!;
  // The state after a process is killed: one mail was sent, one was being sent, one was waiting.
  await service.ctx.write((tx) => {
    const row = (email: string, state: 'SENDING' | 'WAITING') =>
      tx.run(
        build.insertInto('outbox').values({
          id: email,
          kind: 'results',
          ref: service.id,
          facts: '{}',
          email,
          bundle: null,
          group_id: mailingId,
          state,
          created_at: service.clock.now,
          due_at: service.clock.now,
          claimed_by: 'a run that is dead',
        }),
      );
    row('member1@club.example', 'SENDING');
    row('member2@club.example', 'WAITING');
    tx.run(
      build.updateTable('mailings').set({ total: 3, finished_at: null, sent: 0 }).where('id', '=', mailingId),
    );
  });
  expect(await words(service, `/admin/mailings/${mailingId}`)).toContain('being mailed: 1 of 3 so far');

  await sendDueMails(service.ctx);
  await sendDueMails(service.ctx);

  const to = () => service.mails.flatMap(({ recipients }) => recipients);
  expect(to()).toEqual(['member0@club.example', 'member2@club.example']);
  expect(await words(service, `/admin/mailings/${mailingId}`)).toContain(
    'Result mailed to 2 people on Sat, Nov 21, 2026, 12:00 PM. Of 1 it is not known whether the mail went out.',
  );
  const rest = await service.post(path(service, '/results-email'));
  expect(rest.json().summary).toEqual({ total: 4, sent: 1, failed: 0, skipped: 3 });
  expect(to()).toContain('member3@club.example');
  expect(await words(service, path(service, '/results-email'))).toContain('Of 1 person it is not known');
  const unsure = await formOf(
    service,
    path(service, '/results-email'),
    path(service, '/results-email'),
    'to the 1',
  );
  await press(service, path(service, '/results-email'), unsure);
  expect(to().filter((email) => email === 'member1@club.example')).toHaveLength(1);
  expect(to()).toHaveLength(4);
});

test('more than a hundred mails are sent in the background, and a page shows the progress', async () => {
  await using service = await mailing(people(130));
  await close(service);
  service.mails.length = 0;
  const send = path(service, '/results-email');

  const led = await press(service, send, await formOf(service, path(service, '/mails'), send));
  const mailingId = /mailing=([^#]+)/.exec(led)![1]!;
  const under = await page(service, `/admin/mailings/${mailingId}`);
  await sendDueMails(service.ctx);
  const later = await words(service, led);
  for (let turn = 0; turn < 12; turn += 1) await sendDueMails(service.ctx);

  expect(wordsOf(under.body)).toContain('The result is being mailed: 0 of 130 so far.');
  expect(under.body).toContain('<noscript><meta http-equiv="refresh" content="5"></noscript>');
  expect(later).toContain('The result is being mailed: 10 of 130 so far.');
  const done = await page(service, `/admin/mailings/${mailingId}`);
  expect(wordsOf(done.body)).toContain('Result mailed to 130 people');
  expect(done.body).not.toContain('http-equiv');
  expect(new Set(service.mails.flatMap(({ recipients }) => recipients)).size).toBe(130);
  expect(service.mails).toHaveLength(130);
});

test('reminders are shown and listed permanently; if nobody is due, the page says so', async () => {
  await using service = await mailing(people(3));
  const send = path(service, '/reminders/send');
  const nobody = await press(service, send, await formOf(service, path(service, '/mails'), send));
  expect(nobody).toBe(`${path(service, '/mails')}?said=reminders#mailed`);
  expect(await words(service, nobody)).toContain('Nobody was reminded: all 3 had a mail within 24 hours.');

  service.clock.now += DAY + 1;
  service.refused.add('member1@club.example');
  const fields = await formOf(service, path(service, '/mails'), send);
  const led = await press(service, send, { ...fields, force: 'true' });
  expect(await press(service, send, { ...fields, force: 'true' })).toBe(led);

  expect(service.mails).toHaveLength(5);
  expect(await words(service, led)).toContain(
    '2 people reminded on Sun, Nov 22, 2026, 12:00 PM. 1 could not be reached.',
  );
  const shown = await words(service, path(service, '/mails'));
  expect(shown).toMatch(/Today, 12:00 PM Reminders (–|\S+) 2 sent, 1 not reached/);
  // A person who was not reached is reminded by the next click.
  service.refused.clear();
  await press(service, send, await formOf(service, path(service, '/mails'), send));
  expect(service.mails.at(-1)?.recipients).toEqual(['member1@club.example']);
  expect(service.mails).toHaveLength(6);
});

test('with live results, too, reminders go to whoever has not voted and are recorded one by one', async () => {
  await using service = await mailing(people(3), { settings: {} });
  const voter = service.mails.find(({ recipients }) => recipients[0] === 'member0@club.example')!;
  await cast(service, service.id, { token: tokenIn(voter), choice: 'yes' });
  service.clock.now += DAY + 1;
  service.refused.add('member2@club.example');

  const answer = (await service.post(path(service, '/reminders/send'), {})).json();

  expect(answer.summary).toEqual({ total: 3, sent: 1, failed: 1, skipped: 1 });
  expect(answer.results.map(({ email }: { email: string }) => email).sort()).toEqual([
    'member1@club.example',
    'member2@club.example',
  ]);
  const reminded = (await auditOf(service, service.id)).filter(({ action }) => action === 'reminder.sent');
  expect(reminded).toMatchObject([{ metadata: { invite_id: expect.any(String) } }]);
});

test('one invitation is sent again once per click, and the list shows the outcome', async () => {
  await using service = await mailing(['ada@club.example']);
  service.clock.now += HOUR;
  const list = path(service, '/invitations');
  const [invite] = (await service.get(path(service, '/invites'))).json().invites;
  const resend = path(service, `/invites/${invite.id}/resend`);
  const fields = await formOf(service, list, resend);

  const led = await press(service, resend, fields);
  const again = await press(service, resend, fields);
  service.clock.now += HOUR;
  service.refused.add('ada@club.example');
  const remind = path(service, `/invites/${invite.id}/remind`);
  const failed = await press(service, remind, await formOf(service, list, remind));

  expect(led).toMatch(/invitations\?done=resend&invite=[^#]+#mailed$/);
  expect(await words(service, led)).toContain('The link was sent again to ada@club.example.');
  // The second press is the first one.
  expect(again).toBe(led);
  expect(await words(service, failed)).toMatch(/The mail to ada@club.example was not sent: .*No such person/);
  expect(service.mails).toHaveLength(2);
});

test('invitations that the disk refuses are sent by the same run once it takes writes', async () => {
  const { url, mails } = await startMailServer();
  await using service = await testApp({ ...mailTo(url), MAILER_PACE_PER_MINUTE: '60000' });
  const id = await addElection(service, { open_at: isoTime(service.clock.now + HOUR) });
  const change = (text: ReturnType<typeof sql>) => service.ctx.write((tx) => tx.run(text.compile(build)));
  await change(sql`CREATE TRIGGER refused BEFORE INSERT ON invites BEGIN SELECT RAISE(ABORT, 'full'); END`);
  const emails = people(101);
  expect((await service.submit(`/admin/elections/${id}/invite`, { emails })).statusCode).toBe(500);
  await change(sql`DROP TRIGGER refused`);

  await continueMailings(service.ctx);
  await sendDueMails(service.ctx);
  expect(mails).toHaveLength(101);
});
