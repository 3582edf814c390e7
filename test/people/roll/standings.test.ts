import { describe, expect, it, test } from 'vitest';
import { localDate } from '#kernel/local-time.ts';
import {
  addStanding,
  covers,
  dayBefore,
  endOn,
  findOverlap,
  isDay,
  type Standing,
  standingOn,
} from '#people/roll/standings.ts';

const full = (first_day: string, last_day: string | null = null): Standing => ({
  kind_id: 'full',
  votes: true,
  first_day,
  last_day,
});
const honorary = (first_day: string, last_day: string | null = null): Standing => ({
  ...full(first_day, last_day),
  kind_id: 'honorary',
});
const suspended = (first_day: string, last_day: string | null = null): Standing => ({
  ...full(first_day, last_day),
  kind_id: 'suspended',
  votes: false,
});

describe('a standing on a day', () => {
  test.each([
    ['the day before it begins', '2026-03-28', false],
    ['its first day', '2026-03-29', true],
    ['its last day', '2026-10-25', true],
    ['the day after', '2026-10-26', false],
  ])('%s', (_name, day, holds) => {
    expect(covers(full('2026-03-29', '2026-10-25'), day)).toBe(holds);
  });

  // The seconds on both sides of midnight, on days with clock changes.
  test.each([
    ['Europe/Berlin', '2026-03-28T22:59:59Z', false],
    ['Europe/Berlin', '2026-03-28T23:00:00Z', true],
    ['Europe/Berlin', '2026-10-25T22:59:59Z', true],
    ['Europe/Berlin', '2026-10-25T23:00:00Z', false],
    ['America/New_York', '2026-03-29T03:59:59Z', false],
    ['America/New_York', '2026-03-29T04:00:00Z', true],
    ['America/New_York', '2026-10-26T03:59:59Z', true],
    ['America/New_York', '2026-10-26T04:00:00Z', false],
  ])('begins and ends with the day in %s at %s', (zone, instant, holds) => {
    const day = localDate(Temporal.Instant.from(instant).epochMilliseconds, zone);
    expect(covers(full('2026-03-29', '2026-10-25'), day)).toBe(holds);
  });

  it('is, of overlapping ones, that of a kind without a vote, and then the later one', () => {
    const all = [
      full('2020-01-01'),
      suspended('2026-05-01', '2026-05-31'),
      { ...suspended('2026-05-10'), kind_id: 'x' },
    ];
    expect(standingOn(all, '2026-04-30')?.kind_id).toBe('full');
    expect(standingOn(all, '2026-05-09')?.kind_id).toBe('suspended');
    expect(standingOn(all, '2026-05-10')?.kind_id).toBe('x');
    expect(standingOn(all, '2019-12-31')).toBeUndefined();
  });
});

describe('overlapping standings are found', () => {
  test.each<[string, Standing[], boolean]>([
    ['one after the other', [full('2020-01-01', '2020-12-31'), full('2021-01-01')], false],
    ['a day in common', [full('2020-01-01', '2020-12-31'), honorary('2020-12-31')], true],
    ['one within another', [full('2020-01-01'), honorary('2022-01-01', '2022-01-01')], true],
    ['a kind without a vote over another', [full('2020-01-01'), suspended('2022-01-01')], false],
    ['the same kind twice', [suspended('2020-01-01'), suspended('2022-01-01', '2023-01-01')], true],
    ['two ends unknown', [full('2020-01-01'), honorary('2010-01-01')], true],
  ])('%s', (_name, standings, overlap) => {
    expect(findOverlap(standings) !== undefined).toBe(overlap);
  });
});

describe('adding a standing', () => {
  test.each<[string, Standing[], Standing, Standing[]]>([
    ['to none', [], full('2026-01-01'), [full('2026-01-01')]],
    [
      'ends the running one the day before',
      [full('2020-01-01')],
      honorary('2026-03-01'),
      [full('2020-01-01', '2026-02-28'), honorary('2026-03-01')],
    ],
    [
      'replaces one that began the same day',
      [full('2026-03-01')],
      honorary('2026-03-01'),
      [honorary('2026-03-01')],
    ],
    [
      'leaves what has ended',
      [full('2020-01-01', '2020-12-31')],
      honorary('2026-03-01'),
      [full('2020-01-01', '2020-12-31'), honorary('2026-03-01')],
    ],
    [
      'of a suspension for a while ends nothing',
      [full('2020-01-01')],
      suspended('2026-03-01', '2026-03-31'),
      [full('2020-01-01'), suspended('2026-03-01', '2026-03-31')],
    ],
    [
      'of a kind without a vote and an end ends the running one',
      [full('2020-01-01')],
      suspended('2026-03-01'),
      [full('2020-01-01', '2026-02-28'), suspended('2026-03-01')],
    ],
    [
      'keeps a suspension for a while',
      [full('2020-01-01'), suspended('2026-02-01', '2026-04-30')],
      honorary('2026-03-01'),
      [full('2020-01-01', '2026-02-28'), suspended('2026-02-01', '2026-04-30'), honorary('2026-03-01')],
    ],
  ])('%s', (_name, before, added, after) => {
    expect(addStanding(before, added)).toEqual(after);
  });
});

test('ending the standings on a day changes neither ended nor later ones', () => {
  expect(
    endOn([full('2020-01-01', '2020-12-31'), full('2021-01-01'), honorary('2027-01-01')], '2026-06-30'),
  ).toEqual([full('2020-01-01', '2020-12-31'), full('2021-01-01', '2026-06-30'), honorary('2027-01-01')]);
});

test('days are checked and counted by the calendar', () => {
  expect(dayBefore('2024-03-01')).toBe('2024-02-29');
  const days = [
    '2024-02-29',
    '2023-02-29',
    '2024-2-9',
    '0999-01-01',
    '2024-02-29T00:00',
    '',
    '+002024-01-01',
  ];
  expect(days.map(isDay)).toEqual([true, false, false, false, false, false, false]);
});
