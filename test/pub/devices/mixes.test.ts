import { describe, expect, test } from 'vitest';
import { HOUR } from '#kernel/clock.ts';
import { mixFromForm, mixToForm } from '#pub/devices/mix-form.ts';
import {
  EVERYTHING,
  MixInput,
  mixAt,
  mixWindows,
  PRESETS,
  presetOf,
  TimesInput,
} from '#pub/devices/mixes.ts';
import { OffHoursInput, offSpans } from '#pub/devices/off-hours.ts';
import { mixAt as shownAt } from '../../../views/assets/tv/mix.js';

const ZONE = 'America/New_York';
const at = (text: string) => Temporal.PlainDateTime.from(text).toZonedDateTime(ZONE).epochMilliseconds;
/** 2026-11-20 is a Friday. */
const FRIDAY_NOON = at('2026-11-20T12:00');

const menu = (days: string[], from: string, to: string) => ({
  days,
  between: { from, to },
  mix: 'menu_board',
});
const pictures = { days: ['sat'], between: null, mix: 'pictures_only' };

describe('the mix of a moment is that of the window that began last', () => {
  test.each<[string, unknown[], string, string | null]>([
    ['before its window', [menu(['fri'], '22:00', '02:00')], '2026-11-20T21:59', 'everything'],
    ['at its start', [menu(['fri'], '22:00', '02:00')], '2026-11-20T22:00', 'menu_board'],
    ['after midnight', [menu(['fri'], '22:00', '02:00')], '2026-11-21T01:00', 'menu_board'],
    ['not at its end', [menu(['fri'], '22:00', '02:00')], '2026-11-21T02:00', 'everything'],
    ['not a day later', [menu(['fri'], '22:00', '02:00')], '2026-11-21T22:00', 'everything'],
    ['every day', [menu([], '11:00', '14:00')], '2026-11-22T13:59', 'menu_board'],
    ['a whole day', [pictures], '2026-11-21T00:00', 'pictures_only'],
    ['not after it', [pictures], '2026-11-22T00:00', 'everything'],
    ['later in the day wins', [pictures, menu([], '20:00', '22:00')], '2026-11-21T21:00', 'menu_board'],
    ['however they are listed', [menu([], '20:00', '22:00'), pictures], '2026-11-21T21:00', 'menu_board'],
    [
      'the earlier goes on after it',
      [pictures, menu([], '20:00', '22:00')],
      '2026-11-21T22:00',
      'pictures_only',
    ],
    [
      'a window of yesterday began earlier',
      [menu(['fri'], '22:00', '06:00'), pictures],
      '2026-11-21T03:00',
      'pictures_only',
    ],
    [
      'of two that begin together the later in the list',
      [menu([], '20:00', '22:00'), { days: [], between: { from: '20:00', to: '21:00' }, mix: 'whats_on' }],
      '2026-11-21T20:30',
      'whats_on',
    ],
  ])('%s', (_how, times, moment, preset) => {
    const windows = mixWindows(TimesInput.parse(times), FRIDAY_NOON, ZONE);
    expect(presetOf(mixAt(EVERYTHING, windows, at(moment)))).toBe(preset);
    // The screen works it out alone, from the same windows.
    const told = windows.map(({ from, until, mix }) => ({
      from: new Date(from).toISOString(),
      until: new Date(until).toISOString(),
      mix: { ...mix, preset: presetOf(mix) },
    }));
    const usual = { ...EVERYTHING, preset: 'everything', pictures: [] };
    const shown = shownAt({ mix: usual, times: told } as never, at(moment)) as { preset: string };
    expect(shown.preset).toBe(preset);
  });

  // In 2026 the clocks of New York go forward on March 8 and back on November 1, both on a Sunday at 2 AM.
  test.each([
    ['spring', ['sat'], '22:00', '03:00', '2026-03-07T12:00', '2026-03-08T02:00:00-05:00', 4],
    [
      'spring, its end is skipped',
      ['sat'],
      '22:00',
      '02:30',
      '2026-03-07T12:00',
      '2026-03-08T03:30:00-04:00',
      4.5,
    ],
    ['autumn', ['sat'], '22:00', '02:00', '2026-10-31T12:00', '2026-11-01T02:00:00-05:00', 5],
    [
      'autumn, its end comes twice',
      ['sat'],
      '22:00',
      '01:30',
      '2026-10-31T12:00',
      '2026-11-01T01:30:00-05:00',
      4.5,
    ],
    ['autumn, the whole day', ['sun'], null, null, '2026-10-31T12:00', '2026-11-02T00:00:00-05:00', 25],
    ['spring, the whole day', ['sun'], null, null, '2026-03-07T12:00', '2026-03-09T00:00:00-04:00', 23],
  ])('on the day when the clocks change: %s', (_how, days, from, to, now, until, hours) => {
    const between = from && to ? { from, to } : null;
    const [window] = mixWindows(TimesInput.parse([{ days, between, mix: 'whats_on' }]), at(now), ZONE);
    expect(window!.until).toBe(Date.parse(until));
    expect((window!.until - window!.from) / HOUR).toBe(hours);
  });

  test('windows of three days are told, and those that still run', () => {
    const windows = mixWindows(TimesInput.parse([menu([], '22:00', '02:00')]), at('2026-11-20T01:00'), ZONE);
    expect(windows.map(({ from }) => from)).toEqual(
      ['2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22'].map((date) => at(`${date}T22:00`)),
    );
  });
});

test('a mix is a name or what is shown; what it leaves out is shown', () => {
  expect(MixInput.parse('menu_board')).toEqual(PRESETS.menu_board);
  expect(MixInput.parse({ crew: false })).toEqual({ ...EVERYTHING, crew: false });
  expect(presetOf(MixInput.parse({ pages: [{ url: 'https://weather.example/x' }] }))).toBe('everything');
  expect(presetOf(MixInput.parse({ crew: false }))).toBeNull();
  expect(MixInput.parse({ pages: [{ url: 'https://a.example' }], pictures: [{ id: 'ab-c' }] })).toMatchObject(
    {
      pages: [{ url: 'https://a.example/', seconds: 30 }],
      pictures: [{ id: 'abc', seconds: 15 }],
    },
  );
});

test.each<[unknown, string]>([
  ['cinema', ''],
  [7, ''],
  [{ layout: 'cinema' }, 'layout'],
  [{ crew: 'yes' }, 'crew'],
  [{ music: true }, ''],
  [{ pages: [{ url: 'http://a.example' }] }, 'pages.0.url'],
  [{ pages: [{ url: 'https://ann@a.example' }] }, 'pages.0.url'],
  [{ pages: [{ url: 'a.example' }] }, 'pages.0.url'],
  [{ pages: Array(4).fill({ url: 'https://a.example' }) }, 'pages'],
  [{ pages: [{ url: 'https://a.example', seconds: 4 }] }, 'pages.0.seconds'],
  [{ pictures: [{ id: 'abc', seconds: 121 }] }, 'pictures.0.seconds'],
  [{ pictures: [{ id: 'abc', fit: 'stretch' }] }, 'pictures.0.fit'],
  [{ pictures: Array(21).fill({ id: 'abc' }) }, 'pictures'],
])('%j is no mix', (mix, path) => {
  const { error } = MixInput.safeParse(mix);
  expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual([path]);
});

test.each<[unknown, string]>([
  [Array(7).fill(menu([], '20:00', '22:00')), ''],
  [[menu(['monday'], '20:00', '22:00')], '0.days.0'],
  [[menu([], '20:00', '20:00')], '0.between.to'],
  [[menu([], '20:00', '25:00')], '0.between.to'],
  [[{ days: [], between: null }], '0.mix'],
])('%j are no times of day', (times, path) => {
  const { error } = TimesInput.safeParse(times);
  expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual([path]);
});

describe('a screen is told when it is off', () => {
  const opening = (opens: string, closes: string) => ({
    opens: at(opens),
    closes: at(closes),
    start: at(opens),
    end: at(closes),
    shifts: [],
  });
  const evenings = [
    opening('2026-11-19T17:00', '2026-11-20T00:00'),
    opening('2026-11-20T17:00', '2026-11-21T02:00'),
    opening('2026-11-21T12:00', '2026-11-21T14:00'),
    opening('2026-11-21T14:45', '2026-11-22T02:00'),
  ];
  const own = OffHoursInput.parse({ fri: [{ from: '22:00', to: '02:00' }] });
  test.each([
    [
      'half an hour around the opening',
      'outside_opening' as const,
      [
        ['2026-11-20T12:00', '2026-11-20T16:30'],
        ['2026-11-21T02:30', '2026-11-21T11:30'],
        ['2026-11-22T02:30', '2026-11-22T12:00'],
      ],
    ],
    ['never', 'never' as const, []],
    ['at times of its own, over midnight', own, [['2026-11-20T22:00', '2026-11-21T02:00']]],
  ])('%s', (_how, offHours, spans) => {
    const found = offSpans(offHours, { openings: evenings, now: FRIDAY_NOON, zone: ZONE, ahead: 48 * HOUR });
    expect(found).toEqual(spans.map((span) => span.map((moment) => at(moment))));
  });

  test('not while the hours are unknown, and all the time without any', () => {
    const how = { now: FRIDAY_NOON, zone: ZONE, ahead: HOUR };
    expect(offSpans('outside_opening', { ...how, openings: undefined })).toEqual([]);
    expect(offSpans('outside_opening', { ...how, openings: [] })).toEqual([
      [FRIDAY_NOON, FRIDAY_NOON + HOUR],
    ]);
  });
});

test('the form keeps and changes whether the list is on one page, which does not change the name of a mix', () => {
  const mix = { ...PRESETS.menu_board, whole_list: true };
  expect(presetOf(mix)).toBe('menu_board');
  const fields = mixToForm({ mix, times: [] });
  expect(MixInput.parse(mixFromForm(fields, undefined).mix)).toEqual(mix);
  const stored = { mix: JSON.stringify(mix), times: '[]' };
  const { whole_list: _, ...unticked } = fields;
  expect(MixInput.parse(mixFromForm(unticked, stored).mix).whole_list).toBeUndefined();
});
