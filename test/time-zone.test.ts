import { expect, test } from 'vitest';
import { HOUR, isoTime } from '#kernel/clock.ts';
import { startMailServer } from './stand-ins/mail-server.ts';
import { mailTo, testApp } from './support/app.ts';
import { editorAt } from './support/content.ts';
import { addElection, addTokens, page } from './support/factories.ts';

const visible = (body: string) => body.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

test('each page about elections names the time zone of its times once, in words', async () => {
  const { url, mails } = await startMailServer();
  await using service = await testApp(mailTo(url), { delays: [0, 0] });
  const settings = { publish_results_to_home: true, hide_results_until_close: true };
  const open = await addElection(service, { settings });
  const open_at = isoTime(service.clock.now + HOUR);
  const soon = await addElection(service, { title: 'The roof', settings, open_at });
  const [t = ''] = await addTokens(service, open, 1);
  await service.post('/admin/bulk-invites', { election_ids: [open, soon], emails: ['ann@club.example'] });
  const mine = new URL(/https:\S+/.exec(mails[0]!.text)![0]);
  const ballot = { token: t, choice: 'yes', submission_id: 'one' };
  const entered = { election_ids: [open, soon], emails: 'bob@club.example', invite_mode: 'batch' };
  const election = { election_ids: [open] };

  const pages = {
    home: await page(service, '/'),
    election: await page(service, `/e/${open}`),
    'coming election': await page(service, `/e/${soon}`),
    'no ballot yet': await page(service, `/e/${soon}/vote?t=${t}`),
    'not open': await page(service, `/e/${soon}/vote?t=${(await addTokens(service, soon, 1))[0]}`),
    'my elections': await page(service, mine.pathname + mine.search),
    ballot: await page(service, `/e/${open}/vote?t=${t}`),
    review: await service.submit(`/e/${open}/vote/review`, ballot),
    confirmation: await service.submit(`/e/${open}/vote`, ballot),
    used: await page(service, `/e/${open}/vote?t=${t}`),
    dashboard: await page(service, '/admin'),
    invitations: await page(service, '/admin/bulk-invites'),
    check: await service.submit('/admin/bulk-invites/check', { ...entered, ...election }),
  };

  for (const [name, { body, statusCode }] of Object.entries(pages)) {
    const words = visible(body).split('New York time').length - 1;
    expect([name, statusCode, words]).toEqual([name, 200, name === 'check' ? 2 : 1]);
    expect([name, /UTC|America/.test(visible(body))]).toEqual([name, false]);
  }
  const officers = visible((await page(service, `/admin/elections/${open}`)).body);
  expect(officers).toContain('All times New York time (America/New_York, UTC−5)');
});

test('a zone may be a number of hours: screens and pages have its times', async () => {
  await using service = await testApp({ TIME_ZONE: '+01:00' });
  const eve = await editorAt(service);
  await eve.publish('event', { title: 'Quiz', date: '2026-11-21', time: '20:00', place: 'Pub' });
  const [quiz] = (await service.get('/api/events')).json().todayEvents;
  expect(quiz).toMatchObject({ start: '8:00 PM', startIso: '2026-11-21T19:00:00.000Z' });
  for (const url of ['/tv', '/events', '/programme'])
    expect((await page(service, url)).body).toMatch(/8(:00)?\sPM/);
  for (const url of ['/s', '/tv', '/tv/bar-right', '/tv/projector'])
    expect((await page(service, url)).body).toContain('data-offsets="60"');
});
