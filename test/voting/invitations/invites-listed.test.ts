import { expect, test } from 'vitest';
import { DAY, isoTime } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { type ReceivedMail, startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addTokens, auditOf, cast, page, send } from '#test/support/factories.ts';
import { expectRefusal } from '#test/support/messages.ts';

const tokenIn = ({ text }: ReceivedMail) => new URL(/https:\S+/.exec(text)![0]).searchParams.get('t');
const invite = (service: TestApp, id: string, body: object) =>
  service.post(`/admin/elections/${id}/invite`, body);

async function mailing(env: Record<string, string> = {}) {
  const server = await startMailServer();
  return Object.assign(await testApp({ ...mailTo(server.url), ...env }), { server });
}

const HIDDEN = { hide_results_until_close: true };

test.each([
  ['live', {}],
  ['hidden', HIDDEN],
])('with %s results the lists say who has voted and count used codes', async (_what, settings) => {
  await using service = await mailing();
  const id = await addElection(service, { settings });
  const emails = ['ann@club.example', 'bob@club.example'];
  await invite(service, id, { emails });
  await addTokens(service, id, 3, 'Slips');
  await cast(service, id, { token: tokenIn(service.server.mails[0]!), choice: 'no' });
  const rows = (await service.get(`/admin/elections/${id}/invites`)).json().invites;
  const { batches } = (await service.get(`/admin/elections/${id}/tokens`)).json();
  const waiting = await page(service, `/admin/elections/${id}/invitations?filter=not-voted`);
  const [voter = '', other = ''] = emails.toSorted((email) =>
    service.server.mails[0]!.recipients.includes(email) ? -1 : 1,
  );

  expect(rows.filter(({ used }: { used: boolean }) => used)).toMatchObject([{ email: voter }]);
  expect(batches).toMatchObject([
    { count: 2, used_count: 1, unused_count: 1 },
    { count: 3, used_count: 0, unused_count: 3 },
  ]);
  expect(waiting.body).toContain(other);
  expect(waiting.body).not.toContain(voter);
});

test('tokens of invitations form a batch named by local date or as requested, with its recipients', async () => {
  await using service = await mailing({ TIME_ZONE: 'Pacific/Auckland' });
  const id = await addElection(service, { close_at: isoTime(service.clock.now + 9 * DAY), settings: HIDDEN });
  await addTokens(service, id, 2);
  await invite(service, id, { emails: ['bob@club.example', 'ann@club.example'] });
  await invite(service, id, { emails: ['cid@club.example'], batch_name: ' Latecomers ' });

  const { batches } = (await service.get(`/admin/elections/${id}/tokens`)).json();

  expect(batches).toMatchObject([
    { batch_name: null, count: 2, emails: [] },
    {
      batch_name: 'Invited 2026-11-22',
      count: 2,
      unused_count: 2,
      emails: ['ann@club.example', 'bob@club.example'],
    },
    { batch_name: 'Latecomers', count: 1, emails: ['cid@club.example'] },
  ]);
});

test('the listing shows each invitation with its state and whether its link was used, newest first', async () => {
  await using service = await mailing();
  const id = await addElection(service, { settings: HIDDEN });
  await invite(service, id, { emails: ['ann@club.example'] });
  service.clock.now += 1_000;
  await invite(service, id, { emails: ['bob@club.example'] });
  await cast(service, id, { token: tokenIn(service.server.mails[0]!), choice: 'no' });

  const { invites } = (await service.get(`/admin/elections/${id}/invites`)).json();

  const row = { id: expect.any(String), status: 'SENT', error: null };
  const at = service.clock.now;
  expect(invites).toEqual([
    { ...row, email: 'bob@club.example', created_at: at, sent_at: at, used: false },
    { ...row, email: 'ann@club.example', created_at: at - 1_000, sent_at: at - 1_000, used: true },
  ]);
  expectRefusal(await service.get('/admin/elections/nothing/invites'), 404, 'election_not_found');
  expect((await auditOf(service, id)).filter(({ action }) => action === 'invite.sent')).toMatchObject([
    { metadata: { invite_id: invites[1].id } },
    { metadata: { invite_id: invites[0].id } },
  ]);
  await send(service, 'DELETE', `/admin/elections/${id}`);
  expect(service.ctx.db.all(build.selectFrom('invites').selectAll())).toEqual([]);
});
