import { expect, test } from 'vitest';
import { readDueSources } from '#content/ical/sources/reading.ts';
import { DAY } from '#kernel/clock.ts';
import { type ReadEvent, readWithIcalJs, readWithNodeIcal } from '#test/calendar/feed/readers.ts';
import { calendarService, subscribe } from '#test/calendar/fixtures.ts';
import { calendarHost, calendarText, eventLines } from '#test/stand-ins/calendar-host.ts';
import { NOON, type TestApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { smallPicture, upload } from '#test/support/pictures.ts';
import { screenModel } from '#views/assets/tv/model.js';

const ZONE = 'America/New_York';
/** A Saturday; the clock is stopped at noon. */
const TODAY = Temporal.PlainDate.from('2026-11-21');
const DAYS_IN_FEED = 400;

interface Planned {
  title: string;
  /** Milliseconds; for a whole day a date, with an exclusive end. */
  start: number | string;
  end: number | string;
}

const at = (date: Temporal.PlainDate, time: string, zone = ZONE) =>
  date.toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds;
const dayOf = ({ start }: Planned) =>
  typeof start === 'string'
    ? start
    : Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(ZONE).toPlainDate().toString();

/** Title, first date, start, end, and days from start to end. */
const WEEKLY = [
  ['Dance', '2026-11-21', '21:00', '01:30', 1],
  ['Roast', '2026-11-22', '13:00', '16:00', 0],
  ['Quiz', '2026-11-24', '20:00', '23:00', 0],
  ['Choir', '2026-11-26', '19:30', '21:00', 0],
  ['Late band', '2026-11-27', '22:00', '02:15', 1],
] as const;

const ownEvents = (): Planned[] => [
  ...WEEKLY.flatMap(([title, first, from, until, later]) =>
    Array.from({ length: 60 }, (_, week) => {
      const date = Temporal.PlainDate.from(first).add({ weeks: week });
      const end = date.add({ days: later }).toPlainDateTime(until);
      // An end time that occurs twice in the night of the clock change is the later one.
      const endsAt = end.toZonedDateTime(ZONE, { disambiguation: 'later' }).epochMilliseconds;
      return { title, start: at(date, from), end: endsAt };
    }),
  ),
  { title: 'Anniversary', start: '2026-11-25', end: '2026-11-26' },
];

/** Another calendar with 500 events in nearly a year, each in one of four date formats. */
function otherCalendar(): { lines: string[][]; planned: Planned[] } {
  const lines: string[][] = [];
  const planned: Planned[] = [];
  for (let index = 0; index < 500; index += 1) {
    const date = TODAY.add({ days: Math.floor(index * 0.7) });
    const title = `Evening ${index}`;
    const basic = date.toString().replaceAll('-', '');
    const [stated, start] = [
      [`DTSTART:${basic}T230000Z`, at(date, '23:00', 'UTC')],
      [`DTSTART;TZID=Europe/Berlin:${basic}T220000`, at(date, '22:00', 'Europe/Berlin')],
      [`DTSTART:${basic}T190000`, at(date, '19:00')],
      [`DTSTART;VALUE=DATE:${basic}`, date.toString()],
    ][index % 4] as [string, number | string];
    const [uid, stamp, , summary] = eventLines(title, '') as [string, string, string, string];
    const isDay = typeof start === 'string';
    lines.push([uid, stamp, stated, summary, 'LOCATION:Pub', ...(isDay ? [] : ['DURATION:PT90M'])]);
    planned.push({ title, start, end: isDay ? date.add({ days: 1 }).toString() : start + 90 * 60_000 });
  }
  return { lines, planned };
}

/** One line each, sorted. */
const asLines = (events: readonly Planned[]) =>
  events.map(({ title, start, end }) => `${title} from ${start} until ${end}`).sort();

/** Returns title and start (for a whole day its date) of the entries on a page. */
const entriesIn = (page: string, entry: string): string[] =>
  page
    .split(`<li class="${entry}"`)
    .slice(1)
    .map((item) => {
      const title = /<h3>(.*?)<\/h3>/.exec(item)?.[1]?.replaceAll(/<[^>]*>/g, '');
      return `${title} ${/datetime="(.*?)"/.exec(item)?.[1]}`;
    });

/** Creates all content of a club before its first evening. Returns the ids of its tenders. */
async function furnish(service: TestApp, address: string) {
  const eve = await editorAt(service);
  const crew = await Promise.all(
    ['Ann Doe', 'Bo Ek', 'Cy Fox'].map((full_name) =>
      eve.publish('tender', { full_name, bio: `${full_name} pours.`, show_profile: true }),
    ),
  );
  const evening = [{ opens: '17:00', closes: '23:00' }];
  const late = [{ opens: '17:00', closes: '01:00' }];
  await eve.publish('hours', {
    from: '2026-11-01',
    week: { tue: evening, wed: evening, thu: evening, fri: late, sat: late, sun: evening },
  });
  await eve.publish('roster', { date: '2026-11-21', tenders: crew.slice(0, 2) });
  for (const [title, date, time, end_time, end_days] of WEEKLY)
    await eve.publish('event', { title, date, time, end_time, end_days, place: 'Pub', rule: 'FREQ=WEEKLY' });
  await eve.publish('event', { title: 'Anniversary', place: 'Pub', date: '2026-11-25' });
  const picture = (await upload(service, eve.headers, { bytes: await smallPicture() })).json().id;
  await eve.publish('announcement', { title: 'Mulled wine', text: 'Tonight at the bar.', picture });
  const source = { name: 'The theatre', address, goes_to: ['screens', 'calendar'] };
  expect((await service.post('/api/admin/ical', source, eve.headers)).statusCode).toBe(200);
  await readDueSources(service.ctx);
  const { sources } = (await service.get('/api/admin/ical', eve.headers)).json();
  expect(sources).toMatchObject([{ events: 500, error: null }]);
  return { crew };
}

test('the first evening of a club: screens, pages and calendars agree', async () => {
  const { lines, planned: others } = otherCalendar();
  await using host = await calendarHost(() => ({ body: calendarText(lines) }));
  await using service = await calendarService({
    NODE_ENV: 'production',
    ICAL_PRIVATE_HOSTS: '127.0.0.1',
    PUB_ADMIN_TOKEN: '',
  });
  expect((await service.get('/api/events')).json()).toMatchObject({
    source: 'placeholder',
    hoursKnown: false,
    todayEvents: [],
    slides: [],
  });
  const { crew } = await furnish(service, `${host.url}/basic.ics`);
  const planned = [...ownEvents(), ...others].sort(
    (a, b) => instantOf(a.start) - instantOf(b.start) || instantOf(a.end) - instantOf(b.end),
  );

  // The calendar of a subscriber, as read by two libraries.
  const last = TODAY.add({ days: DAYS_IN_FEED }).toString();
  const { feed: url } = await subscribe(service);
  await service.calendarContext.programmeFeed.refresh();
  const { body } = await service.get(url);
  const read = readWithIcalJs(body);
  const byUid = (events: ReadEvent[]) => events.toSorted((a, b) => (a.uid < b.uid ? -1 : 1));
  expect(byUid(readWithNodeIcal(body))).toEqual(byUid(read));
  expect(new Set(read.map(({ uid }) => uid)).size).toBe(read.length);
  expect(asLines(read.map(({ summary: title, ...times }) => ({ ...times, title })))).toEqual(
    asLines(planned.filter((event) => dayOf(event) < last)),
  );

  // The screens.
  const feed = (await service.get('/api/events?window=30')).json();
  const shown = [...feed.carryoverEvents, ...feed.todayEvents, ...feed.weekEvents];
  const wired = (events: { title: string; startIso: string; endIso: string }[]) =>
    asLines(events.map(({ title, startIso: start, endIso: end }) => ({ title, start, end })));
  const until = (days: number) => {
    const beyond = TODAY.add({ days: days + 1 }).toString();
    return planned.filter((event) => dayOf(event) < beyond);
  };
  expect(wired(shown)).toEqual(
    wired(until(30).map(({ title, start, end }) => ({ title, startIso: isoOf(start), endIso: isoOf(end) }))),
  );
  expect(feed.slides).toMatchObject([{ type: 'announcement', title: 'Mulled wine' }]);
  const image = await service.get(feed.slides[0].imageUrl);
  expect([image.statusCode, image.headers['content-type']]).toEqual([200, 'image/webp']);
  expect(feed.pubTender).toMatchObject({
    name: 'Ann & Bo',
    hours: '5:00 PM – 1:00 AM',
    noteState: 'upcoming',
  });
  expect(
    (await service.get('/api/tenders'))
      .json()
      .tenders.map(({ id }: { id: string }) => id)
      .sort(),
  ).toEqual(crew.toSorted());

  const evening = NOON + 8.5 * 3_600_000;
  const tonight = planned.filter((event) => dayOf(event) === TODAY.toString());
  const model = screenModel(feed, evening, { zone: ZONE, readAt: NOON, fresh: false });
  expect(model.today.map(({ title }) => title)).toEqual(
    tonight.filter(({ end }) => instantOf(end) > evening).map(({ title }) => title),
  );
  expect(model).toMatchObject({ closed: false, pub: { state: 'active', who: 'Ann & Bo' } });
  const [tomorrow] = screenModel(feed, NOON + DAY, { zone: ZONE, readAt: NOON + DAY, fresh: true }).today;
  expect(tomorrow?.title).toBe(until(1).find((event) => dayOf(event) > TODAY.toString())?.title);

  // The pages.
  const page = async (path: string) => (await service.get(path, { accept: 'text/html' })).body;
  const said = ({ title, start }: Planned) => `${title} ${typeof start === 'string' ? start : isoOf(start)}`;
  const events = await page('/events');
  expect(entriesIn(events, 'event')).toEqual(until(14).map(said));
  const titles = planned.map(({ title }) => title);
  const weekly = new Set<string>(WEEKLY.map(([title]) => title));
  const once = planned.filter(({ title }, index) => !weekly.has(title) || titles.indexOf(title) === index);
  expect(entriesIn(await page('/programme'), 'programme-entry')).toEqual(once.slice(0, 100).map(said));
  const [, link] = /href="(\/events\/[^"]+)">Dance</.exec(events) ?? [];
  expect(await page(link ?? '')).toMatch(/<h1[^>]*>Dance</);
  const tenders = await page('/tenders/');
  for (const name of ['Ann Doe', 'Bo Ek', 'Cy Fox']) expect(tenders).toContain(name);
});

const instantOf = (time: number | string): number =>
  typeof time === 'string' ? at(Temporal.PlainDate.from(time), '00:00') : time;
const isoOf = (time: number | string): string => new Date(instantOf(time)).toISOString();
