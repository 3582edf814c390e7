import { expect, test } from 'vitest';
import type { HoursBody } from '#content/kinds/hours.ts';
import type { RosterBody } from '#content/kinds/roster.ts';
import type { SpecialBody } from '#content/kinds/special.ts';
import { shiftsOn } from '#content/opening-hours.ts';
import type { Body } from '#content/records/kind.ts';
import type { Published } from '#content/records/published.ts';

const ZONE = 'America/New_York';
const [ANN, BOB] = ['a', 'b'];
let last = 0;

function published<B extends Body>(body: B, origin: string | null = null): Published<B> {
  last += 1;
  return { id: String(last), version: 1, uid_base: String(last), origin, published_at: last, body };
}

const range = (hours: string, tenders: string[] = []) => {
  const [opens = '', closes = ''] = hours.split('-');
  return { opens, closes, before: 0, after: 0, tenders };
};
const closedAllWeek = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] };
const hours = (from: string, week: Partial<HoursBody['week']>) =>
  published<HoursBody>({ from, week: { ...closedAllWeek, ...week }, note: '' });
const special = (from: string, to: string, ranges: string[], origin: string | null = null) =>
  published<SpecialBody>(
    { from, to, closed: ranges.length === 0, ranges: ranges.map((one) => range(one)), reason: '' },
    origin,
  );
const roster = (date: string, range: RosterBody['range'], ...tenders: string[]) =>
  published<RosterBody>({ date, range, tenders });

/** Returns the shifts of a day as local times with their tenders. */
function on(date: string, records: Partial<Parameters<typeof shiftsOn>[0]>): string[] {
  const local = (at: number) =>
    Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(ZONE).toPlainTime().toString({
      smallestUnit: 'minute',
    });
  return shiftsOn({ hours: [], specials: [], rosters: [], ...records }, date, ZONE).map(
    ({ start, end, opens, closes, tenders }) =>
      `${local(start)} ${local(opens)}-${local(closes)} ${local(end)} ${tenders.join('&')}`.trim(),
  );
}

const FRIDAY = '2026-11-27';

test('a weekly schedule applies from its first day, and the newest one applies', () => {
  const summer = hours('2026-05-01', { fri: [range('17:00-23:00')] });
  const winter = hours(FRIDAY, { fri: [range('18:00-22:00')] });

  expect(on('2026-11-20', { hours: [winter, summer] })).toEqual(['17:00 17:00-23:00 23:00']);
  expect(on(FRIDAY, { hours: [winter, summer] })).toEqual(['18:00 18:00-22:00 22:00']);
  expect(on('2026-11-28', { hours: [winter, summer] })).toEqual([]);
});

test('a shift may extend beyond the opening hours, and past midnight', () => {
  const week = hours('2026-05-01', { fri: [{ ...range('17:00-01:00', [ANN]), before: 30, after: 45 }] });

  expect(on(FRIDAY, { hours: [week] })).toEqual(['16:30 17:00-01:00 01:45 a']);
});

test('a special day replaces the hours that begin on it; the shorter of two wins, then the newer', () => {
  const week = hours('2026-05-01', { thu: [range('17:00-01:00')], fri: [range('17:00-23:00')] });
  const closed = special(FRIDAY, '2026-12-02', []);
  const lunch = special(FRIDAY, FRIDAY, ['11:00-14:00', '17:00-20:00']);

  expect(on('2026-11-26', { hours: [week], specials: [closed] })).toEqual(['17:00 17:00-01:00 01:00']);
  expect(on(FRIDAY, { hours: [week], specials: [closed] })).toEqual([]);
  expect(on(FRIDAY, { hours: [week], specials: [lunch, closed] })).toEqual([
    '11:00 11:00-14:00 14:00',
    '17:00 17:00-20:00 20:00',
  ]);
  const after = special(FRIDAY, FRIDAY, []);
  expect(on(FRIDAY, { hours: [week], specials: [lunch, after] })).toEqual([]);
});

test('imported shifts of one day are all kept', () => {
  const [lunch, evening] = [
    special(FRIDAY, FRIDAY, ['11:00-14:00'], 'workspace:1'),
    special(FRIDAY, FRIDAY, ['17:00-20:00'], 'workspace:2'),
  ];

  expect(on(FRIDAY, { specials: [lunch, evening] })).toHaveLength(2);
});

test('a roster replaces the tenders, for the whole opening or for its hours', () => {
  const week = hours('2026-05-01', { fri: [range('11:00-14:00', [BOB]), range('17:00-23:00', [BOB])] });

  expect(on(FRIDAY, { hours: [week], rosters: [roster(FRIDAY, null, ANN)] })).toEqual([
    '11:00 11:00-14:00 14:00 a',
    '17:00 17:00-23:00 23:00 a',
  ]);
  const late = roster(FRIDAY, { opens: '16:00', closes: '20:00' }, ANN);
  expect(on(FRIDAY, { hours: [week], rosters: [late] })).toEqual([
    '11:00 11:00-14:00 14:00 b',
    '17:00 17:00-23:00 23:00',
    '16:00 17:00-20:00 20:00 a',
  ]);
  const through = roster(FRIDAY, { opens: '10:00', closes: '23:30' }, ANN);
  expect(on(FRIDAY, { hours: [week], rosters: [through] })).toEqual([
    '11:00 11:00-14:00 14:00',
    '10:00 11:00-14:00 14:00 a',
    '17:00 17:00-23:00 23:00',
    '17:00 17:00-23:00 23:30 a',
  ]);
  expect(on('2026-11-28', { hours: [week], rosters: [roster('2026-11-28', late.body.range, ANN)] })).toEqual(
    [],
  );
});

test('opening at a repeated time means the first, closing the last; skipped times move forward', () => {
  const night = hours('2026-01-01', { sat: [range('20:00-01:30')], sun: [range('02:30-05:00')] });
  const [fall] = shiftsOn({ hours: [night], specials: [], rosters: [] }, '2026-10-31', ZONE);

  expect((fall!.closes - fall!.opens) / 3_600_000).toBe(6.5);
  expect(on('2026-03-08', { hours: [night] })).toEqual(['03:30 03:30-05:00 05:00']);
});
