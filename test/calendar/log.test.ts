import { expect, test } from 'vitest';
import { ADMIN, calendarService, codeFor, FORM, JANE, subscribe } from './fixtures.ts';

test('no code, token or address is in the log, whatever part of the request had it', async () => {
  await using service = await calendarService();
  const { token, feed } = await subscribe(service);
  const code = codeFor(service);
  const u = /unsubscribe\?u=([\w.-]+)/.exec(service.mail.mails[0]!.text)?.[1] ?? '';
  expect(u.length).toBeGreaterThan(60);
  for (const url of [
    feed,
    `${feed}&x=1#${token}`,
    `/cal/nothing.ics?token=${token}`,
    `/subscribe-programs?token=${token}`,
    `/subscribe-programs/confirm?v=${code}`,
    `/api/subs/verify?calendar_id=programs&v=${code}`,
    `/api/subs/verify?v=${code}&calendar_id=x`,
    `/api/subs/unsubscribe?u=${u}`,
    `/api/subs/unsubscribe?u=${u}&u=${u}`,
    `/api/admin/subs/list?q=x&email=${JANE.email}`,
  ])
    await service.get(url, ADMIN);
  await service.post(FORM, JANE);
  await service.post('/api/subs/unsubscribe', { token });
  await service.request({ method: 'POST', url: `/api/subs/unsubscribe?u=${u}` });

  const log = service.logged.join('\n');
  expect(log).toContain('"url":"/cal/programs.ics"');
  for (const secret of [token, code, u, JANE.email]) expect(log).not.toContain(secret);
});
