import { isDeepStrictEqual } from 'node:util';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { datesFrom, momentsOf } from '#content/opening-hours.ts';
import { tick, time, WEEKDAYS } from '#content/records/fields.ts';
import { HOUR } from '#kernel/clock.ts';
import type { ScreensTable } from '#kernel/db/schema.ts';
import { isOnThisMachine } from '#kernel/environment/checks.ts';
import { listOf, oneOf, requiredText, wholeNumber } from '#kernel/http/validation.ts';
import { addDays, localDate, startOfDate } from '#kernel/local-time.ts';
import { coded } from '#kernel/messages/messages.ts';
import { ownValue } from '#kernel/own-value.ts';

/** What can be left out of a screen. */
export const MIX_TICKS = [
  'events',
  'announcements',
  'crew',
  'menu',
  'codes',
  'now_playing',
  'weather',
] as const;

/** How a screen is laid out: slides beside the day, slides alone, the menu alone, pictures alone. */
export const LAYOUTS = ['day', 'slides', 'menu', 'picture'] as const;

/** The names of mixes that most screens need no more than. */
export const PRESET_NAMES = ['everything', 'whats_on', 'menu_board', 'pictures_only'] as const;
export type Preset = (typeof PRESET_NAMES)[number];

/** How a picture lies on the screen: whole, or filling it, cropped around its focus area. */
const FITS = ['contain', 'cover'] as const;

/** How many pages of other hosts a mix has at most. */
export const PAGES_AT_MOST = 3;
export const PICTURES_AT_MOST = 20;
export const SECONDS_OF_PICTURE = 15;
export const SECONDS_OF_PAGE = 30;

const seconds = (usual: number) => wholeNumber(5, 120).default(usual);

/** The address of a page of another host; for development also one of this machine without https. */
const pageUrl = requiredText(1_000).transform((text, issues) => {
  const url = URL.parse(text);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isOnThisMachine(text));
  if (url && isSafe && url.username === '' && url.password === '') return url.href;
  issues.addIssue({ code: 'custom', message: coded('not_page_address') });
  return z.NEVER;
});

const fields = {
  events: tick(true),
  announcements: tick(true),
  crew: tick(true),
  menu: tick(true),
  codes: tick(true),
  now_playing: tick(true),
  weather: tick(true),
  layout: oneOf(LAYOUTS).default('day'),
  /** Ids of sections of the menu; empty: all. */
  sections: listOf(requiredText(64), 12).default([]),
  /** Of `layout: menu`: the whole list on one page where the smallest type allows it. Absent: false. */
  whole_list: z.boolean(coded('not_true_or_false')).optional(),
  /** Of `layout: picture`; empty: the pictures of the announcements and events that are shown. */
  pictures: listOf(
    z.strictObject({
      id: requiredText(64).transform((id) => id.replaceAll('-', '')),
      seconds: seconds(SECONDS_OF_PICTURE),
      /** Absent: `contain`. */
      fit: oneOf(FITS).optional(),
    }),
    PICTURES_AT_MOST,
  ).default([]),
  /** Pages of other hosts, between the slides. */
  pages: listOf(z.strictObject({ url: pageUrl, seconds: seconds(SECONDS_OF_PAGE) }), PAGES_AT_MOST).default(
    [],
  ),
};
const schema = z.strictObject(fields, {
  error: ({ code }) => (code === 'invalid_type' ? coded('not_mix', { choices: PRESET_NAMES }) : undefined),
});

/** What a screen shows. */
export type Mix = z.output<typeof schema>;

export const EVERYTHING: Mix = schema.parse({});

/** What a screen shows that has this alone. */
const only = (shown: readonly (typeof MIX_TICKS)[number][], layout: Mix['layout']): Mix => ({
  ...EVERYTHING,
  ...Object.fromEntries(MIX_TICKS.map((name) => [name, shown.includes(name)])),
  layout,
});

export const PRESETS: Readonly<Record<Preset, Mix>> = {
  everything: EVERYTHING,
  whats_on: only(['events', 'announcements', 'weather'], 'day'),
  menu_board: only(['menu'], 'menu'),
  pictures_only: only([], 'picture'),
};

/** A mix, or the name of one. What it leaves out is shown. */
export const MixInput = z
  .unknown()
  .transform((value) => (typeof value === 'string' ? ownValue<Mix>(PRESETS, value) : undefined) ?? value)
  .pipe(schema);

/** The name of a mix, if it has one; what it lists does not change its name. */
export const presetOf = ({ sections, whole_list, pictures, pages, ...mix }: Mix): Preset | null =>
  PRESET_NAMES.find((name) => {
    const { sections: _, whole_list: _either, pictures: _none, pages: _few, ...preset } = PRESETS[name];
    return isDeepStrictEqual(mix, preset);
  }) ?? null;

/** At which times a screen shows another mix. */
export type TimeOfDay = z.output<typeof timeOfDay>;
const timeOfDay = z.strictObject({
  /** Empty: every day. */
  days: listOf(oneOf(WEEKDAYS), 7)
    .transform((days) => WEEKDAYS.filter((day) => days.includes(day)))
    .default([]),
  /** Local times; an end that is not after the start is on the next day. Null: the whole day. */
  between: z
    .strictObject({ from: time, to: time })
    .refine(({ from, to }) => from !== to, { path: ['to'], message: coded('ends_at_start') })
    .nullable()
    .default(null),
  mix: MixInput,
});
export const TIMES_AT_MOST = 6;
export const TimesInput = listOf(timeOfDay, TIMES_AT_MOST);

/** What a screen shows while it is off. */
export const OFF_SHOWS = ['dim', 'clock', 'black'] as const;

type Row = Pick<Selectable<ScreensTable>, 'mix' | 'times'>;

export const readMix = ({ mix }: Pick<Row, 'mix'>): Mix => (mix === null ? EVERYTHING : JSON.parse(mix));
export const readTimes = ({ times }: Pick<Row, 'times'>): TimeOfDay[] => JSON.parse(times);

/** The addresses of the pages of other hosts that a screen shows at any time of day. */
export const pagesOf = (row: Row): string[] =>
  [readMix(row), ...readTimes(row).map(({ mix }) => mix)].flatMap(({ pages }) => pages.map(({ url }) => url));

/** The origins that the page of a screen has to frame. */
export const framedBy = (row: Row): string[] => [...new Set(pagesOf(row).map((url) => new URL(url).origin))];

/** A mix at an absolute time, in milliseconds; half open. */
export interface MixWindow {
  from: number;
  until: number;
  mix: Mix;
}

/** For how long a screen is told in advance, so that it goes on without a network. */
export const TOLD_AHEAD = 72 * HOUR;
/** From yesterday on: its windows may last until today. */
const DAYS_LOOKED_AT = 6;

/** The windows that have not ended and begin within `TOLD_AHEAD`, in the order in which they begin. */
export function mixWindows(times: readonly TimeOfDay[], now: number, zone: string): MixWindow[] {
  const dates = datesFrom(localDate(addDays(now, -1, zone), zone), DAYS_LOOKED_AT);
  return times
    .flatMap(({ days, between, mix }) =>
      dates
        .filter((date) => days.length === 0 || days.includes(weekdayOf(date)))
        .map((date) => ({ ...spanOn(date, between, zone), mix })),
    )
    .filter(({ from, until }) => until > now && from < now + TOLD_AHEAD)
    .sort((a, b) => a.from - b.from);
}

const weekdayOf = (date: string) => WEEKDAYS[Temporal.PlainDate.from(date).dayOfWeek - 1]!;

function spanOn(date: string, between: TimeOfDay['between'], zone: string): { from: number; until: number } {
  if (between === null) return { from: startOfDate(date, zone) ?? 0, until: startOfDate(date, zone, 1) ?? 0 };
  const { opens, closes } = momentsOf(date, { opens: between.from, closes: between.to }, zone);
  return { from: opens, until: closes };
}

/** The mix of a moment: that of the window that began last, else the usual one. */
export const mixAt = (usual: Mix, windows: readonly MixWindow[], at: number): Mix =>
  windows.findLast(({ from, until }) => from <= at && at < until)?.mix ?? usual;
