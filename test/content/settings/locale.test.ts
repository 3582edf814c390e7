import { expect, test } from 'vitest';
import { HOUR } from '#kernel/clock.ts';
import { refreshRollups } from '#pub/setlist/rollups/job.ts';
import { startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { addElection } from '#test/support/factories.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { browserOf, codeMailTo } from '#test/support/people/people.ts';
import { play } from '../../pub/setlist/rollups/fixtures.ts';

const EVERY_DAY = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

test('a change of the locale applies to feeds, pages, screens and mails at once, without a restart', async () => {
  const mails = await startMailServer();
  await using service = await testApp({ ...mailTo(mails.url), TIME_ZONE: 'Europe/Berlin' });
  const owner = await appoint(service, 'olga@club.example', 'owner');
  const editor = await editorAt(service);
  const evening = { date: '2026-11-21', time: '20:30', end_time: '22:00' };
  await editor.publish('event', { title: 'Quiz', place: 'Pub', in_pub: true, in_calendar: true, ...evening });
  const week = Object.fromEntries(EVERY_DAY.map((day) => [day, [{ opens: '16:00', closes: '01:00' }]]));
  await editor.publish('hours', { from: '2026-01-01', week });
  await editor.publish('special', { from: '2026-11-26', to: '2026-11-27', closed: true, reason: 'Harvest' });
  const lunch = { title: 'Lunch', place: 'Pub', in_pub: true, in_calendar: true, date: '2026-11-23' };
  await editor.publish('event', { ...lunch, time: '12:00', end_time: '14:00' });
  await play(service, 'Björk – Jóga');
  await refreshRollups(service.ctx);
  const feed = async () => (await service.get('/api/events')).json();
  const [, event] = /href="(\/events\/[^"]+)"/.exec((await service.get('/events')).body) ?? [];
  const picture = async () => (await service.get(`/og${event}.png`)).headers.etag;
  const [election, drawn] = [await addElection(service), await picture()];
  expect((await feed()).todayEvents[0]).toMatchObject({ start: '8:30 PM' });

  const payload = { locale: 'de-DE' };
  const answer = await service.request({
    method: 'PUT',
    url: '/api/admin/settings',
    payload,
    headers: owner,
  });
  expect(answer.statusCode).toBe(200);

  const { todayEvents, pubHoursWeek, pubTender } = await feed();
  expect(todayEvents[0]).toMatchObject({ start: '20:30', end: '22:00' });
  expect(pubHoursWeek[6].hours).toBe('16:00 – 1:00');
  expect(pubTender.note).toBe('Geöffnet bis 1:00');
  for (const [url, text] of [
    ['/events', '20:30'],
    ['/programme', 'Samstag, 21. November'],
    ['/tv', 'data-locale="de-DE"'],
    ['/now', 'data-locale="de-DE"'],
    ['/events', '12:00</time> – <time datetime="2026-11-23T13:00:00.000Z">14:00'],
    ['/programme', '12:00 – 14:00'],
    ['/admin/content/hours', '>Do., 1. Jan. 2026<'],
    ['/admin/content/special', 'Do., 26. Nov. – Fr., 27. Nov.'],
  ] as const)
    expect((await service.get(url, editor.headers)).body, url).toContain(text);
  expect(await picture()).not.toBe(drawn);
  const invited = { emails: ['ann@club.example'] };
  const sent = await service.post(`/admin/elections/${election}/invite`, invited, owner);
  expect(sent.statusCode).toBe(200);
  await expect.poll(() => mails.mails.length).toBe(1);
  expect(mails.mails[0]?.text).toMatch(/\w\w\., \d+\. \w+\.? 2026, \d+:\d\d/);
  service.clock.now += HOUR;
  await refreshRollups(service.ctx);
  const tops = await service.get('/api/setlist/top-songs?range=all');
  expect(tops.json().range.label).toBe('Seit: Sa., 21. Nov. 2026');

  await browserOf(service).post('/sign-in', { email: 'olga@club.example' });
  expect((await codeMailTo(mails, 'olga@club.example', 1)).mail.text).toMatch(/\b19:00\b/);
});
