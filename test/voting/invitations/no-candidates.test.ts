import { expect, test } from 'vitest';
import { HOUR, isoTime } from '#kernel/clock.ts';
import { sendDueMails } from '#kernel/mail/sender.ts';
import { startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, testApp } from '#test/support/app.ts';
import { addRanked } from '#test/support/factories.ts';
import { message } from '#test/support/messages.ts';

async function mailing() {
  const server = await startMailServer();
  return Object.assign(await testApp(mailTo(server.url)), { server });
}

const EMAILS = ['ada@club.example', 'bo@club.example'];

test('nobody is invited to an open ranked election without candidates, and the error says why', async () => {
  await using service = await mailing();
  const { id } = await addRanked(service, [], { title: 'Chair' });
  const url = `/admin/elections/${id}/invite`;
  const words = message('election_without_candidates', { title: 'Chair' });

  const json = await service.post(url, { emails: EMAILS });
  const bulk = await service.post('/admin/bulk-invites', { election_ids: [id], emails: EMAILS });
  const checked = await service.submit(`${url}/check`, { emails: EMAILS.join('\n') });

  expect([json.statusCode, json.json().error]).toEqual([400, words]);
  expect(bulk.statusCode).toBe(400);
  expect(checked.statusCode).toBe(400);
  expect(checked.body).toContain(words);
  expect(checked.body).toContain('ada@club.example');
  expect(service.server.mails).toEqual([]);
  await service.post(`/admin/elections/${id}/candidates`, { name: 'Ann' });
  const one = await service.submit(`${url}/check`, { emails: EMAILS.join('\n') });
  expect(one.statusCode).toBe(200);
  expect(one.body).toContain('“Chair” has one candidate only');
});

test('queued invitations are not sent until there are candidates', async () => {
  await using service = await mailing();
  const { id } = await addRanked(service, [], {
    title: 'Chair',
    open_at: isoTime(service.clock.now + HOUR),
  });
  const fields = { emails: EMAILS.join('\n'), queue: 'true' };

  const checked = await service.submit(`/admin/elections/${id}/invite/check`, fields);
  const queued = await service.post(`/admin/elections/${id}/invite`, { emails: EMAILS, queue: true });
  service.clock.now += HOUR;
  await sendDueMails(service.ctx);
  const early = service.server.mails.length;
  for (const name of ['Ann', 'Bob']) await service.post(`/admin/elections/${id}/candidates`, { name });
  await sendDueMails(service.ctx);

  expect(checked.body).toContain('“Chair” has no candidates');
  expect(queued.json()).toMatchObject({ success: true, queued: 2 });
  expect(early).toBe(0);
  expect(service.server.mails).toHaveLength(2);
});
