import { expect, test } from 'vitest';
import { KINDS } from '#content/kinds.ts';
import { DAY } from '#kernel/clock.ts';
import { ROWS_A_PAGE } from '#kernel/http/validation.ts';
import { testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';

const TODAY = '2026-11-21';

async function openService() {
  const service = await testApp();
  const eve = await editorAt(service);
  const headers = { ...eve.headers, accept: 'text/html' };
  return Object.assign(service, {
    eve,
    /** The rows of a list, as the words of their cells. */
    async rows(kind: string, query = ''): Promise<string[][]> {
      const { body } = await service.get(`/admin/content/${kind}${query}`, headers);
      const [, rows = ''] = /.*<tbody role="rowgroup">(.*?)<\/tbody>/s.exec(body) ?? [];
      return [...rows.matchAll(/<tr role="row">(.*?)<\/tr>/gs)].map(([, row = '']) =>
        [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) =>
          cell
            .replaceAll('<br>', ' / ')
            .replaceAll(/<[^>]*>/g, '')
            .replaceAll(/\s+/g, ' ')
            .trim(),
        ),
      );
    },
  });
}

test('events are listed by their next date, and those that are over come last', async () => {
  await using service = await openService();
  const { publish, create } = service.eve;
  const evening = { time: '20:00', end_time: '23:00', place: 'Pub' };
  await publish('event', { title: 'Quiz', date: '2026-10-03', rule: 'FREQ=WEEKLY', ...evening });
  await publish('event', { title: 'Fair', date: '2026-12-02', place: 'Yard' });
  await publish('event', { title: 'Old film', date: '2026-10-01', ...evening });
  await publish('event', { title: 'Last film', date: '2026-11-01', ...evening });
  await publish('event', { title: 'Anniversary', date: '2027-11-20', ...evening });
  await create('event', { title: 'Choir', date: '2026-11-22', ...evening });

  expect(await service.rows('event')).toEqual([
    ['Today, 8:00 PM / Every Saturday', 'Quiz', 'Pub', ''],
    ['Tomorrow, 8:00 PM', 'Choir', 'Pub', 'Draft'],
    ['Wed, Dec 2, all day', 'Fair', 'Yard', ''],
    ['Sat, Nov 20, 2027, 8:00 PM', 'Anniversary', 'Pub', ''],
    ['Sun, Nov 1 / Over', 'Last film', 'Pub', ''],
    ['Thu, Oct 1 / Over', 'Old film', 'Pub', ''],
  ]);
  // The next one counts once today’s has ended.
  service.clock.now += DAY;
  expect((await service.rows('event'))[1]).toEqual([
    'Sat, Nov 28, 8:00 PM / Every Saturday',
    'Quiz',
    'Pub',
    '',
  ]);
});

test('a series lists its next date as it was changed, and what is over on the pages after', async () => {
  await using service = await openService();
  const { publish, patch } = service.eve;
  const quiz = await publish('event', { title: 'Quiz', date: TODAY, time: '20:00', rule: 'FREQ=WEEKLY' });
  await patch(`event/${quiz}`, {
    version: 1,
    publish: true,
    body: {
      changes: {
        [TODAY]: { as: 'cancelled' },
        '2026-11-28': { as: 'changed', time: '18:00', place: 'Hall' },
      },
    },
  });
  for (let day = 1; day <= ROWS_A_PAGE; day++)
    await publish('event', { title: `Past ${day}`, date: '2026-01-05', time: '20:00' });

  const [first] = await service.rows('event');
  expect(first).toEqual(['Sat, Nov 28, 6:00 PM / Every Saturday', 'Quiz', 'Hall', '']);
  expect(await service.rows('event', '?page=2')).toHaveLength(1);
  await patch(`event/${quiz}`, { version: 2, publish: true, body: { cancelled: true } });
  expect((await service.rows('event'))[0]).toEqual([
    'Today, 8:00 PM / Cancelled · Every Saturday',
    'Quiz',
    '',
    '',
  ]);
});

test('announcements are listed by the end of their time, special days by their date', async () => {
  await using service = await openService();
  const { publish } = service.eve;
  await publish('announcement', { title: 'Roof', screens: ['hall'] });
  await publish('announcement', { title: 'Gone', until: '2026-11-20' });
  await publish('announcement', { title: 'Vote', from: '2026-11-30', until: '2026-12-02T20:00' });
  await publish('special', { from: '2026-12-24', to: '2026-12-26', closed: true, reason: 'Christmas' });
  await publish('special', { from: TODAY, ranges: [{ opens: '11:00', closes: '15:00' }] });
  await publish('special', { from: '2026-11-01', closed: true });

  expect(await service.rows('announcement')).toEqual([
    ['Wed, Dec 2, 8:00 PM / from Mon, Nov 30', 'Vote', 'All', ''],
    ['No end', 'Roof', 'hall', ''],
    ['Yesterday', 'Gone', 'All', ''],
  ]);
  expect(await service.rows('special')).toEqual([
    ['Today', '11:00 AM – 3:00 PM', '', ''],
    ['Thu, Dec 24 – Sat, Dec 26', 'Closed', 'Christmas', ''],
    ['Sun, Nov 1', 'Closed', '', ''],
  ]);
});

test('the other kinds say what they are about', async () => {
  await using service = await openService();
  const { publish } = service.eve;
  const ann = await publish('tender', { full_name: 'Ann Doe', meet: true });
  await publish('roster', { date: TODAY, tenders: [ann] });
  await publish('roster', { date: TODAY, range: { opens: '18:00', closes: '20:00' }, tenders: [] });
  const section = await publish('menu_section', { title: 'On tap', on_tap: true, days: ['fri', 'sat'] });
  const sizes = [{ label: 'Pint', price: 700 }, { label: 'Half' }];
  await publish('menu_item', { name: 'Stout', maker: 'Old Brewery', section, sizes });

  expect(await service.rows('tender')).toEqual([['Ann Doe', 'Yes', 'Yes', '']]);
  expect(await service.rows('roster')).toEqual([
    ['Sat, Nov 21, 2026', 'Ann Doe', 'The whole opening', ''],
    ['Sat, Nov 21, 2026', 'Nobody', '6:00 PM – 8:00 PM', ''],
  ]);
  expect(await service.rows('menu_section')).toEqual([['On tap', 'Drinks, on tap', 'Fri, Sat', '']]);
  expect(await service.rows('menu_item')).toEqual([
    ['Stout / Old Brewery', 'On tap', 'Pint $7.00, Half ask', ''],
  ]);
});

test('each kind has one column that leads to the record', () => {
  for (const { name, columns } of KINDS)
    expect([name, columns.filter(({ leads }) => leads).length]).toEqual([name, 1]);
});
