import { expect, test } from 'vitest';
import type { IcalContent } from '#content/ical/content.ts';
import { type ReadAnswer, readInThread } from '#content/ical/reader.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const calendar = (...lines: string[]) =>
  Buffer.from(['BEGIN:VCALENDAR', 'PRODID:-//x//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n'));
const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'];
/** With a long limit, for a busy machine. */
const read = (body: Buffer, before: string | null = null, now = NOW) =>
  readInThread(body, { zone: 'America/New_York', now, before, limit: 170_000 });

function contentOf(answer: ReadAnswer): IcalContent {
  if (!answer.ok) throw new Error(answer.fault);
  return JSON.parse(answer.content);
}

test('texts are stored once for all dates of a series', async () => {
  const series = ['UID:u', 'DTSTART:20261124T200000Z', 'RRULE:FREQ=WEEKLY;COUNT=3'];
  const texts = ['SUMMARY:Quiz\\, hard', 'LOCATION:Pub', 'CATEGORIES:fun,pub', 'URL:https://x.example/'];
  const answer = await read(calendar('REFRESH-INTERVAL;VALUE=DURATION:PT3H', ...event(...series, ...texts)));

  expect(answer).toMatchObject({ product: '-//x//EN', refreshMs: 3 * 3_600_000, coming: 3, same: false });
  const { texts: kept, dates } = contentOf(answer);
  expect(kept).toEqual([
    {
      title: 'Quiz, hard',
      place: 'Pub',
      description: '',
      url: 'https://x.example/',
      categories: ['fun', 'pub'],
    },
  ]);
  expect(new Set(dates.map(({ key }) => key)).size).toBe(3);
});

test('a moved date keeps its key; only changed dates get a new time of change', async () => {
  const series = event(
    'UID:u',
    'DTSTAMP:20261101T000000Z',
    'DTSTART:20261124T200000Z',
    'RRULE:FREQ=WEEKLY;COUNT=2',
  );
  const first = await read(calendar(...series));
  const before = contentOf(first);
  const moved = ['UID:u', 'RECURRENCE-ID:20261201T200000Z', 'DTSTART:20261203T200000Z'];
  const later = calendar(...series.map((line) => line.replace('20261101', '20261119')), ...event(...moved));
  const after = contentOf(await read(later, JSON.stringify(before), NOW + 1_000));

  expect(after.dates.map(({ key }) => key)).toEqual(before.dates.map(({ key }) => key));
  expect(after.dates.map(({ changedAt }) => new Date(changedAt).toISOString())).toEqual([
    '2026-11-01T00:00:00.000Z',
    '2026-11-20T12:00:01.000Z',
  ]);
  expect(await read(later, JSON.stringify(after), NOW + 9_000)).toMatchObject({ same: true });
});

test('of more than 5,000 dates past ones are dropped first', async () => {
  const day = (index: number) =>
    new Date(NOW + (index - 80) * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
  const many = Array.from({ length: 6_000 }, (_, index) =>
    event(`UID:${index}`, `DTSTART:${day(Math.floor(index / 20))}T200000Z`),
  );
  const answer = await read(calendar(...many.flat()));

  expect(answer).toMatchObject({ kept: 5_000 });
  const { dates } = contentOf(answer);
  expect(dates).toHaveLength(5_000);
  expect(dates.at(-1)?.start).toBeGreaterThan(NOW + 200 * 86_400_000);
});

test('a thread that takes too long is ended', async () => {
  const answer = await readInThread(calendar(), { zone: 'UTC', now: NOW, before: null, limit: 1 });

  expect(answer).toEqual({ ok: false, fault: 'too_long' });
});

test('a web page is refused as a calendar', async () => {
  expect(await read(Buffer.from('<p>Sign in'))).toEqual({ ok: false, fault: 'not_calendar' });
});
