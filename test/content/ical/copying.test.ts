import { expect, test } from 'vitest';
import { deleteOldContent } from '#content/records/retention.ts';
import { DAY } from '#kernel/clock.ts';
import { eventLines } from '#test/stand-ins/calendar-host.ts';
import { editorAt } from '#test/support/content.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { serviceWith } from './reading-service.ts';

const CUP = eventLines(
  'Cup final',
  '20261121T200000',
  'LOCATION:Pub',
  'DURATION:PT2H',
  'URL:https://cup.example/1',
);
const FAIR = ['UID:fair', 'DTSTART;VALUE=DATE:20261128', 'DTEND;VALUE=DATE:20261130', 'SUMMARY:Fair'];
const NIGHT = eventLines('Long night', '20261127T220000', 'LOCATION:Pub', 'DURATION:PT4H');

async function openService(events = [CUP, FAIR, NIGHT], input: object = {}) {
  const service = await serviceWith(events, input);
  const eve = await editorAt(service);
  const headers = { ...eve.headers, accept: 'text/html' };
  const list = async () => (await service.get(`/admin/content/ical/${service.id}`, headers)).body;
  return Object.assign(service, {
    eve,
    headers,
    list,
    /** @returns the page of the copy */
    async copy(title: string): Promise<string> {
      const button = new RegExp(
        `action="([^"]+/copy)" novalidate>(?:<input[^>]*>)?<button[^>]*>Copy to our list<span[^>]*>: ${title},`,
      );
      const [, action = ''] = button.exec(await list()) ?? [];
      const answer = await service.submit(action, {}, headers);
      expect(answer.statusCode).toBe(303);
      return String(answer.headers.location);
    },
    titles: async () => {
      const { todayEvents, weekEvents } = await service.events();
      return [...todayEvents, ...weekEvents].map(({ title }: { title: string }) => title);
    },
  });
}

test('a date of an external calendar is copied as a draft with its fields', async () => {
  await using service = await openService();
  expect(await service.list()).toContain('Copy to our list');

  const page = await service.copy('Cup final');
  await service.copy('Fair');
  await service.copy('Long night');

  expect((await service.get(page, service.headers)).body).toContain('Copied as a draft.');
  const { items } = await service.eve.read('event');
  const bodies = items.map(({ state, body }: { state: string; body: object }) => ({ state, ...body }));
  const cup = { state: 'draft', title: 'Cup final', place: 'Pub', url: 'https://cup.example/1' };
  expect(bodies).toMatchObject([
    {
      ...cup,
      date: '2026-11-21',
      time: '20:00',
      end_time: '22:00',
      end_days: 0,
      in_pub: true,
      in_calendar: true,
    },
    { title: 'Long night', date: '2026-11-27', time: '22:00', end_time: '02:00', end_days: 1 },
    { title: 'Fair', date: '2026-11-28', time: null, end_time: null, end_days: 1 },
  ]);
});

test('the original date is hidden while its copy is published, which keeps its UID in calendars', async () => {
  await using service = await openService();
  const before = await service.feed();
  const [uid] = /^UID:.*$/m.exec(before.slice(before.indexOf('DTSTART;TZID=America/New_York:20261121'))) ?? [
    '',
  ];
  const page = await service.copy('Cup final');
  const one = page.replace('/admin/content/', '').replace(/\?.*/, '');
  expect(await service.titles()).toEqual(['Cup final', 'Long night', 'Fair']);

  await service.eve.patch(one, { version: 1, body: { title: 'Cup final on the big screen' }, publish: true });

  expect(await service.titles()).toEqual(['Cup final on the big screen', 'Long night', 'Fair']);
  const feed = await service.feed();
  expect(feed.match(/^BEGIN:VEVENT/gm)).toHaveLength(3);
  const uids = (text: string) => [...text.matchAll(/^UID:.*$/gm)].map(([line]) => line).sort();
  expect(uids(feed)).toEqual(uids(before));
  expect(uids(feed)).toContain(uid);
  expect(await service.list()).toContain('Our copy');
  expect(await service.list()).not.toContain('Copy to our list<span class="visually-hidden">: Cup final');
  await service.eve.post(`${one}/remove`);
  expect(await service.titles()).toEqual(['Cup final', 'Long night', 'Fair']);
});

test('a date is copied once; a vanished one is a 404, and without the permission there is no button', async () => {
  await using service = await openService([CUP]);
  const button = /action="([^"]+\/copy)"/;
  const [, action = ''] = button.exec(await service.list()) ?? [];
  const first = await service.copy('Cup final');

  const again = await service.submit(action, {}, service.headers);

  expect(again.headers.location).toBe(first);
  expect((await service.eve.read('event')).total).toBe(1);
  await service.change([NIGHT]);
  const gone = action.replace(/events\/[0-9a-f]+/, `events/${'0'.repeat(32)}`);
  expect((await service.submit(gone, {}, service.headers)).statusCode).toBe(404);
  const viewer = { ...(await appoint(service, 'vic@club.example', 'viewer')), accept: 'text/html' };
  const seen = await service.get(`/admin/content/ical/${service.id}`, viewer);
  expect([seen.statusCode, button.test(seen.body)]).toEqual([200, false]);
  expect((await service.submit(action, {}, viewer)).statusCode).toBe(403);
});

test('a removed copy can be restored for 30 days; then the date can be copied again', async () => {
  await using service = await openService([CUP]);
  const later = ['UID:later', 'DTSTART:20270301T200000Z', 'SUMMARY:Later'];
  await service.change([later]);
  const page = await service.copy('Later');
  const one = page.replace('/admin/content/', '').replace(/\?.*/, '');
  await service.eve.post(`${one}/remove`);
  expect(await service.list()).toContain('Our copy');

  service.clock.now += 31 * DAY;
  await deleteOldContent(service.ctx);

  expect(await service.copy('Later')).not.toBe(page);
});
