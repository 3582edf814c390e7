import { expect, test } from 'vitest';
import { HOUR, isoTime } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { sendDueMails } from '#kernel/mail/sender.ts';
import { startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { addElection, page } from '#test/support/factories.ts';
import { message } from '#test/support/messages.ts';
import { continueMailings } from '#voting/invitations/invitation-runs.ts';

const PACE = { MAILER_PACE_PER_MINUTE: '6000' };
const people = (count: number) =>
  Array.from({ length: count }, (_, n) => `Member ${n} <member${n}@club.example>`);

async function mailing(fields: object = {}) {
  const { url, mails } = await startMailServer();
  const service = await testApp({ ...mailTo(url), ...PACE });
  const id = await addElection(service, { open_at: isoTime(service.clock.now + HOUR), ...fields });
  return Object.assign(service, { mails, id });
}

const wordsOf = (body: string) => body.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
const count = (service: TestApp) =>
  service.ctx.db.first(build.selectFrom('invites').select((of) => of.fn.countAll<number>().as('n')))!.n;

/** The fields of the sending form on the check page. */
function formOn(body: string, action: string): Record<string, string | string[]> {
  const form = body.split(`<form method="post" action="${action}"`)[1]?.split('</form>')[0] ?? '';
  const fields: Record<string, string[]> = {};
  for (const [, name = '', value = ''] of form.matchAll(/name="([^"]*)" value="([^"]*)"/g))
    fields[name] = [...(fields[name] ?? []), value.replaceAll('&lt;', '<').replaceAll('&gt;', '>')];
  return fields;
}

test('3,000 pasted members lead to one check page and one page that shows the progress', async () => {
  await using service = await mailing();
  const base = `/admin/elections/${service.id}`;

  const check = await service.submit(`${base}/invite/check`, { emails: people(3_000).join('\n') });
  expect(wordsOf(check.body)).toContain('3,000 people , 3,000 mails');
  expect(check.body).not.toContain('data-slices');
  const sent = await service.submit(`${base}/invite`, formOn(check.body, `${base}/invite`));
  const progress = sent.headers.location ?? '';
  const before = wordsOf((await page(service, progress)).body);
  await sendDueMails(service.ctx);
  const between = wordsOf((await page(service, progress)).body);

  expect([sent.statusCode, progress]).toEqual([303, expect.stringMatching(/^\/admin\/mailings\//)]);
  expect(before).toContain('Invitations are being sent: 0 of 3,000 so far.');
  expect(between).toContain('Invitations are being sent: 100 of 3,000 so far.');
  const listed = await page(service, `${base}/invitations?q=member%202999`);
  expect(wordsOf(listed.body)).toContain('Member 2999 member2999@club.example');
  expect((await page(service, base)).body.length).toBeLessThan(60_000);
});

test('a mailing ends when voting closes before all of it was sent', async () => {
  await using service = await mailing();
  const base = `/admin/elections/${service.id}`;
  const sent = await service.submit(`${base}/invite`, { emails: people(150) });
  const progress = sent.headers.location ?? '';
  await sendDueMails(service.ctx);
  await service.post(`${base}/close`);
  await continueMailings(service.ctx);

  const shown = wordsOf((await page(service, progress)).body);
  expect(shown).toContain('100 invitations sent');
  expect(shown).toContain('Waiting 0 Failed 50');
  expect(shown).toContain('The election closed before it was sent');
});

test('an interrupted invitation run continues after the restart, and everyone is invited once', async () => {
  await using service = await mailing();
  const base = `/admin/elections/${service.id}`;
  const sent = await service.submit(`${base}/invite`, { emails: people(150) });
  const id = (sent.headers.location ?? '').split('/').at(-1)!;
  // The state after a process is killed after its first batch: the plan is still stored.
  const { email } = service.ctx.db.first(build.selectFrom('invites').select('email').orderBy('email'))!;
  const invitees = people(150).map((text, n) => ({
    email: `member${n}@club.example`,
    person: null,
    name: text,
  }));
  const plan = { invitees, mode: 'individual', queue: false, batch_name: null };
  const actor = { ip: 'service', at: service.clock.now };
  await service.ctx.write((tx) => {
    for (const table of ['invites', 'outbox'] as const)
      tx.run(build.deleteFrom(table).where('email', '>', email).where('email', '<', 'member3'));
    const stored = JSON.stringify({ ...plan, election_ids: [service.id], actor });
    tx.run(build.updateTable('mailings').set({ plan: stored }).where('id', '=', id));
  });
  expect(count(service)).toBeLessThan(150);
  expect(wordsOf((await page(service, `/admin/mailings/${id}`)).body)).toContain('0 of 150 so far');

  await continueMailings(service.ctx);
  await continueMailings(service.ctx);
  for (let turn = 0; turn < 2; turn += 1) await sendDueMails(service.ctx);
  await continueMailings(service.ctx);

  expect(count(service)).toBe(150);
  expect(service.mails).toHaveLength(150);
  expect(wordsOf((await page(service, `/admin/mailings/${id}`)).body)).toContain('150 invitations sent');
});

test('a script can name at most 2,000 recipients, and so can a form that requests JSON', async () => {
  await using service = await mailing();
  const base = `/admin/elections/${service.id}/invite`;
  const json = await service.post(base, { emails: people(2_001) });
  const form = await service.submit(base, { emails: people(2_001) }, { accept: 'application/json' });

  expect([json.statusCode, form.statusCode]).toEqual([400, 400]);
  expect(json.json().errors).toEqual([
    {
      path: 'emails',
      code: 'too_many_entries',
      message: message('too_many_entries', { max: 2_000 }),
      params: { max: 2_000 },
    },
  ]);
  expect(count(service)).toBe(0);
});

test('a form that is submitted twice invites nobody twice, and says so', async () => {
  await using service = await mailing();
  const base = `/admin/elections/${service.id}/invite`;
  await service.submit(base, { emails: people(150) });
  const second = await service.submit(base, { emails: people(150) });
  await continueMailings(service.ctx);

  expect(count(service)).toBe(150);
  const { body } = await page(service, second.headers.location ?? '');
  expect(wordsOf(body)).toContain('everybody has an invitation already');
});
