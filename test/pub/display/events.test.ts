import { expect, test } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import type { EventsFeed } from '#pub/display/feeds.ts';
import { event, number, onTv, record, select, text, tick, when } from '#test/stand-ins/pub-workspace.ts';
import { title } from '#test/stand-ins/workspace-server.ts';
import { NOON } from '#test/support/app.ts';
import { type Pub, startPub } from '#test/support/pub-service.ts';

// The tests' clock is at noon on Sat, Nov 21, 2026, in New York (UTC-5).
const TODAY = '2026-11-21';

test('an event of today has its labels, its instants and its status', async () => {
  await using pub = await startPub({
    events: [event('Quiz night', `${TODAY}T19:00:00.000-05:00`, { 'RC Tag': select('RC Direct') })],
  });

  expect((await feedOf(pub)).todayEvents).toEqual([
    {
      title: 'Quiz night',
      start: '7:00 PM',
      end: '11:00 PM',
      startIso: '2026-11-22T00:00:00.000Z',
      endIso: '2026-11-22T04:00:00.000Z',
      rcTag: 'rc-direct',
      allDay: false,
      open_ended: true,
      status: 'Later',
    },
  ]);
});

test('an event of a later day has its date', async () => {
  await using pub = await startPub({
    events: [event('Open mic', '2026-11-23T20:00:00.000-05:00', {}, '2026-11-23T23:30:00.000-05:00')],
  });

  expect((await feedOf(pub)).weekEvents).toEqual([
    {
      title: 'Open mic',
      date: 'Mon, Nov 23',
      start: '8:00 PM',
      end: '11:30 PM',
      startIso: '2026-11-24T01:00:00.000Z',
      endIso: '2026-11-24T04:30:00.000Z',
      rcTag: null,
      allDay: false,
    },
  ]);
});

test('only events of the pub that are ticked for its TV are shown', async () => {
  const at = (more: object) => ({ 'Event Start': when(`${TODAY}T19:00:00.000-05:00`), ...more });
  await using pub = await startPub({
    events: [
      record('In the pub', at({ Location: select('Pub'), ...onTv })),
      record('In the PUB garden', at({ Location: text('The PUB garden'), ...onTv })),
      record('Not ticked', at({ Location: select('Pub'), 'Include on Pub TV': tick(false) })),
      record('In the hall', at({ Location: select('Hall'), ...onTv })),
      record('Nowhere', at(onTv)),
      record('Thrown away', at({ Location: select('Pub'), ...onTv }), { in_trash: true }),
    ],
  });

  expect(titles((await feedOf(pub)).todayEvents)).toEqual(['In the PUB garden', 'In the pub']);
});

test('the status follows the clock: Later, Next from an hour before, Now, Done', async () => {
  await using pub = await startPub({
    events: [event('Quiz', `${TODAY}T19:00:00.000-05:00`, {}, `${TODAY}T21:00:00.000-05:00`)],
  });
  const seen: [string, string | undefined][] = [];

  for (const time of [
    '17:59:59.999',
    '18:00',
    '18:59:59.999',
    '19:00',
    '20:59:59.999',
    '21:00',
    '23:59:59.999',
  ])
    seen.push([time, (await feedOf(pub, `${TODAY}T${time}-05:00`)).todayEvents[0]?.status]);

  expect(seen).toEqual([
    ['17:59:59.999', 'Later'],
    ['18:00', 'Next'],
    ['18:59:59.999', 'Next'],
    ['19:00', 'Now'],
    ['20:59:59.999', 'Now'],
    ['21:00', 'Done'],
    ['23:59:59.999', 'Done'],
  ]);
});

test('EVENT_NEXT_WINDOW_MIN sets how long an event is Next', async () => {
  await using pub = await startPub(
    { events: [event('Quiz', `${TODAY}T13:00:00.000-05:00`)] },
    { EVENT_NEXT_WINDOW_MIN: '15' },
  );

  expect((await feedOf(pub)).todayEvents[0]?.status).toBe('Later');
  expect((await feedOf(pub, `${TODAY}T12:45-05:00`)).todayEvents[0]?.status).toBe('Next');
  expect((await feedOf(pub)).nextWindowMin).toBe(15);
});

test('an event past midnight is listed until it ends, apart from the events of the new day', async () => {
  await using pub = await startPub({
    events: [
      event('Late show', `${TODAY}T21:00:00.000-05:00`, {}, '2026-11-22T01:00:00.000-05:00'),
      event('Brunch', '2026-11-22T11:00:00.000-05:00'),
    ],
  });

  const before = await feedOf(pub, `${TODAY}T23:59:59.999-05:00`);
  const after = await feedOf(pub, '2026-11-22T00:00-05:00');
  const over = await feedOf(pub, '2026-11-22T01:00-05:00');

  expect([titles(before.todayEvents), titles(before.carryoverEvents), titles(before.weekEvents)]).toEqual([
    ['Late show'],
    [],
    ['Brunch'],
  ]);
  expect([titles(after.todayEvents), titles(after.carryoverEvents), titles(after.weekEvents)]).toEqual([
    ['Brunch'],
    ['Late show'],
    [],
  ]);
  expect(after.carryoverEvents[0]).toMatchObject({ status: 'Now', start: '9:00 PM', end: '1:00 AM' });
  expect(over.carryoverEvents).toEqual([]);
});

test('an event ends at its own end, else with its range, else after its hours, else it is open', async () => {
  const at = (time: string) => `${TODAY}T${time}:00.000-05:00`;
  const cases: [
    rule: string,
    more: Parameters<typeof event>[2],
    rangeEnd: string | undefined,
    end: string,
  ][] = [
    ['its own end comes first', { 'Event End': when(at('22:30')) }, at('21:00'), '10:30 PM'],
    ['then its range', { 'Duration Hours': number(5) }, at('21:00'), '9:00 PM'],
    ['then its hours', { 'Duration Hours': number(2.5) }, undefined, '9:30 PM'],
    ['hours may be a text', { 'Duration Hours': text('1,5 hours') }, undefined, '8:30 PM'],
    ['else it is open', {}, undefined, '11:00 PM'],
    ['no night is so long', { 'Duration Hours': number(25) }, undefined, '11:00 PM'],
    ['none goes backwards', { 'Duration Hours': number(-1) }, undefined, '11:00 PM'],
    ['an end at the start is none', { 'Event End': when(at('19:00')) }, undefined, '11:00 PM'],
    ['nor is one before it', { 'Event End': when(at('18:00')) }, at('20:15'), '8:15 PM'],
  ];
  await using pub = await startPub({
    events: cases.map(([rule, more, rangeEnd]) => event(rule, at('19:00'), more, rangeEnd)),
  });

  const { todayEvents } = await feedOf(pub);

  expect(Object.fromEntries(todayEvents.map(({ title, end }) => [title, end]))).toEqual(
    Object.fromEntries(cases.map(([rule, , , end]) => [rule, end])),
  );
  expect(todayEvents.filter(({ open_ended }) => open_ended).map(({ end }) => end)).toEqual(
    cases.flatMap(([, , , end]) => (end === '11:00 PM' ? end : [])),
  );
});

test('an event with only a date lasts all day, and one with a range through its last day', async () => {
  await using pub = await startPub({
    events: [event('Fair', TODAY), event('Festival', '2026-11-20', {}, '2026-11-22')],
  });

  const feed = await feedOf(pub);

  expect(feed.todayEvents).toEqual([
    {
      title: 'Fair',
      start: 'All day',
      end: '',
      startIso: '2026-11-21T05:00:00.000Z',
      endIso: '2026-11-22T05:00:00.000Z',
      rcTag: null,
      allDay: true,
      status: 'Now',
    },
  ]);
  expect(feed.carryoverEvents[0]).toMatchObject({ title: 'Festival', endIso: '2026-11-23T05:00:00.000Z' });
});

test('an event whose start cannot be read is left out, and logged once', async () => {
  await using pub = await startPub({
    events: [
      record('No start', { Location: select('Pub'), ...onTv }),
      record('Soon', { 'Event Start': text('next week'), Location: select('Pub'), ...onTv }),
      event('Quiz', `${TODAY}T19:00:00.000-05:00`),
    ],
  });
  // As a text column it can no longer be filtered by dates, and the workspace refuses such a filter.
  pub.workspace.databases[0]!.sources[0]!.columns['Event Start'] = { type: 'rich_text' };
  for (const minute of [2, 4]) {
    pub.service.clock.now = NOON + minute * MINUTE;
    await pub.refresh();
  }

  expect(await feedOf(pub)).toMatchObject({ todayEvents: [{ title: 'Quiz' }], stale: false });
  expect(pub.service.logged.filter((line) => line.includes('its start cannot be read'))).toHaveLength(2);
});

test('columns with other names and types are accepted', async () => {
  const pages = {
    events: [
      record('', {
        title: title('Darts'),
        'event start': {
          type: 'formula',
          formula: { type: 'date', date: { start: `${TODAY}T19:00:00.000-05:00` } },
        },
        VENUE: { type: 'rollup', rollup: { type: 'array', array: [select('The Pub')] } },
        include_on_pub_tv: select('Yes'),
        Tag: text('rc-affiliate'),
        Hours: text('3'),
      }),
    ],
  };
  await using pub = await startPub(pages, {}, { cold: true });
  pub.workspace.databases[0]!.sources[0]!.columns = {};
  await pub.refresh();

  expect((await feedOf(pub)).todayEvents[0]).toMatchObject({
    title: 'Darts',
    start: '7:00 PM',
    end: '10:00 PM',
    rcTag: 'rc-affiliate',
  });
});

test('the window is a whole number of days from 1 to 30', async () => {
  await using pub = await startPub({
    events: Array.from({ length: 40 }, (_, day) =>
      event(`In ${day} days`, Temporal.PlainDate.from(TODAY).add({ days: day }).toString()),
    ),
  });
  const lastOf = async (query: string) => (await feedOf(pub, undefined, query)).weekEvents.at(-1)?.title;

  expect(await lastOf('')).toBe('In 7 days');
  expect(await lastOf('?window=1')).toBe('In 1 days');
  expect(await lastOf('?window=14')).toBe('In 14 days');
  expect(await lastOf('?window=30')).toBe('In 30 days');
  for (const high of ['31', '999999999999999999999999'])
    expect(await lastOf(`?window=${high}`)).toBe('In 30 days');
  for (const bad of ['0', '-3', '2.5', 'week', '', '1e1', '0x9'])
    expect(await lastOf(`?window=${bad}`)).toBe('In 7 days');
  expect(await lastOf('?window=3&window=4')).toBe('In 7 days');
});

test.each([
  ['into summer time', '2026-03-07', '2026-03-08T07:00:00Z'],
  ['out of summer time', '2026-10-31', '2026-11-01T05:00:00Z'],
])('around the change %s each day has its own events', async (_what, eve, change) => {
  const zone = 'America/New_York';
  const day = Temporal.PlainDate.from(eve);
  const at = (days: number, time: string) =>
    day.add({ days }).toZonedDateTime({ timeZone: zone, plainTime: time }).toInstant().toString();
  await using pub = await startPub({
    events: [
      event('Eve, late', at(0, '23:30'), {}, at(1, '03:30')),
      event('Day, first minute', at(1, '00:00')),
      event('Day, last minute', at(1, '23:59')),
      event('Next day, first minute', at(2, '00:00')),
      event('Last of the window', at(8, '23:59')),
      event('Beyond the window', at(9, '00:00')),
    ],
  });

  const feed = await feedOf(pub, at(1, '12:00'), '?window=7');
  const night = await feedOf(pub, Temporal.Instant.from(change).add({ minutes: -1 }).toString());

  expect(titles(feed.todayEvents)).toEqual(['Day, first minute', 'Day, last minute']);
  expect(titles(feed.weekEvents)).toEqual(['Next day, first minute', 'Last of the window']);
  expect(feed.weekEvents[0]).toMatchObject({ start: '12:00 AM', end: '4:00 AM' });
  expect(titles(night.carryoverEvents)).toEqual(['Eve, late']);
  expect(night.carryoverEvents[0]?.end).toBe('3:30 AM');
});

test('an event across the change out of summer time lasts from its start instant to its end instant', async () => {
  // 1:30 AM comes twice: this one starts at the first and ends at the second.
  await using pub = await startPub({
    events: [event('Night owls', '2026-11-01T01:30:00.000-04:00', {}, '2026-11-01T01:30:00.000-05:00')],
  });
  const statusAt = async (time: string) => (await feedOf(pub, time)).todayEvents[0]?.status;

  expect(await statusAt('2026-11-01T05:29:59.999Z')).toBe('Next');
  expect(await statusAt('2026-11-01T05:30:00Z')).toBe('Now');
  expect(await statusAt('2026-11-01T06:29:59.999Z')).toBe('Now');
  expect(await statusAt('2026-11-01T06:30:00Z')).toBe('Done');
});

/** Returns the feed; `at` sets the clock and refreshes it from the workspace first. */
async function feedOf(pub: Pub, at?: string, query = ''): Promise<EventsFeed> {
  if (at) {
    pub.service.clock.now = Temporal.Instant.from(at).epochMilliseconds;
    await pub.refresh();
  }
  return (await pub.service.get(`/api/events${query}`)).json();
}

const titles = (events: { title: string }[]) => events.map(({ title }) => title);
