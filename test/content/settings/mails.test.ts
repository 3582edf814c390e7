import { expect, test } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { sendDueMails } from '#kernel/mail/sender.ts';
import { startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, testApp } from '#test/support/app.ts';
import { addElection, auditOf } from '#test/support/factories.ts';
import { expectRefusal } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';

const OLGA = 'olga@club.example';
const OMAR = 'omar@club.example';

/** A service with an owner, and a mail server that refuses some addresses. */
async function club() {
  const refused = new Set<string>();
  const server = await startMailServer({
    answer: (address) => (refused.has(address) ? { code: 550, text: `<${address}> is unknown` } : 'take'),
  });
  const service = await testApp(mailTo(server.url), { delays: [] });
  const owner = await appoint(service, OLGA, 'owner');
  const words = async (path: string, as = owner) => {
    const { body, statusCode } = await service.get(path, { accept: 'text/html', ...as });
    return `${statusCode} ${body.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')}`;
  };
  const give = (email: string, ...roles: string[]) =>
    service.request({
      method: 'PUT',
      url: '/api/admin/roles',
      payload: { email, roles },
      headers: { accept: 'application/json', ...owner },
    });
  return Object.assign(service, { refused, server, owner, words, give });
}

type Club = Awaited<ReturnType<typeof club>>;

const settled = ({ ctx }: Club, count: number) =>
  expect
    .poll(() =>
      ctx.db.all(build.selectFrom('outbox').select('ended_at')).map(({ ended_at }) => ended_at !== null),
    )
    .toEqual(Array(count).fill(true));

test('the page lists mails with their state and the reason; a failed notice is sent again', async () => {
  await using service = await club();
  service.refused.add(OMAR);
  await service.give(OMAR, 'dj');
  await settled(service, 1);

  const failed = await service.words('/admin/mails?show=failed');
  expect(failed).toContain(`Notice about roles ${OMAR} Today, 12:00 PM Not sent`);
  expect(failed).toContain(`550 &lt;${OMAR}&gt; is unknown`);
  expect(await service.words('/admin/mails?show=waiting')).toContain('No mail is in this state.');
  const { id } = service.ctx.db.first(build.selectFrom('outbox').select('id'))!;

  service.refused.clear();
  const again = () => service.submit(`/admin/mails/${id}/again`, {}, service.owner);
  expect((await again()).headers.location).toBe('/admin/mails?done');
  expect((await again()).statusCode).toBe(409);
  await sendDueMails(service.ctx);

  expect(service.server.mails.map(({ headers }) => headers.subject)).toEqual(['Your role: DJ']);
  const sent = await service.words('/admin/mails');
  expect(sent).toContain(`Notice about roles ${OMAR} Today, 12:00 PM`);
  expect(sent).not.toContain('12:00 PM Not sent');
  const entry = build.selectFrom('audit_log').selectAll().where('action', '=', 'mail.sent_again');
  expect(service.ctx.db.all(entry)).toHaveLength(1);
});

test('a mail with a code or a link is not sent again, and the page shows none', async () => {
  await using service = await club();
  service.refused.add(OLGA);
  await service.submit('/sign-in', { email: OLGA });
  await settled(service, 1);
  const { id } = service.ctx.db.first(build.selectFrom('outbox').select('id'))!;

  expect(await service.words('/admin/mails')).toMatch(/Sign-in code olga@club\.example .* Not sent/);
  expectRefusal(
    await service.post(`/admin/mails/${id}/again`, {}, service.owner),
    409,
    'mail_not_sent_again',
  );
  expectRefusal(
    await service.post('/admin/mails/nothing/again', {}, service.owner),
    409,
    'mail_not_sent_again',
  );
});

test('a mail of a mailing leads to its page', async () => {
  await using service = await club();
  const id = await addElection(service);
  await service.post(`/admin/elections/${id}/invite`, { emails: ['ann@club.example'] });
  await service.post(`/admin/elections/${id}/close`);
  service.refused.add('ann@club.example');
  await service.post(`/admin/elections/${id}/results-email`);

  const { body } = await service.get('/admin/mails', { accept: 'text/html', ...service.owner });
  const mailing = service.ctx.db.first(build.selectFrom('mailings').select('id'))!;
  expect(body).toContain(`href="/admin/mailings/${mailing.id}"`);
  expect(await service.words('/admin/mails')).toMatch(/Result of an election ann@club\.example .* Not sent/);
  expect((await auditOf(service, id)).at(-1)).toMatchObject({ action: 'results.emailed' });
});

test('only whoever may change the settings sees the page', async () => {
  await using service = await club();
  const dora = await appoint(service, 'dora@club.example', 'dj');
  expect(await service.words('/admin/mails', dora)).toMatch(/^403 /);
});
