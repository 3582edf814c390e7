import { z } from 'zod';
import { momentsOf } from '#content/opening-hours.ts';
import { time, WEEKDAYS } from '#content/records/fields.ts';
import type { Opening } from '#content/shifts.ts';
import { DAY, MINUTE } from '#kernel/clock.ts';
import { listOf } from '#kernel/http/validation.ts';
import { localDate } from '#kernel/local-time.ts';
import { coded } from '#kernel/messages/messages.ts';

/** Ranges of a weekday; one whose end is not after its start ends on the next day. */
const day = listOf(z.strictObject({ from: time, to: time }), 4).default([]);
const week = z.strictObject({ mon: day, tue: day, wed: day, thu: day, fri: day, sat: day, sun: day });

/** When a screen is expected to be off: while the pub is closed, never, or at times of its own. */
export const OffHoursInput = z.union(
  [z.literal('outside_opening'), z.literal('never'), week],
  coded('not_off_hours'),
);

export type OffHours = z.output<typeof OffHoursInput>;
export type OffWeek = Exclude<OffHours, string>;

/** Whether a screen is expected to be off now, and else since when it is expected to be on. */
export type Expected = { off: true } | { off: false; since: number };

/** With nothing known of when it was to be switched on, its silence alone counts. */
const ALWAYS_ON = { off: false, since: Number.NEGATIVE_INFINITY } as const;

/** @param openings of the pub; undefined while its hours are not known, so that nothing is expected to be off */
export function expectedAt(
  offHours: OffHours,
  { openings, now, zone }: { openings: readonly Opening[] | undefined; now: number; zone: string },
): Expected {
  if (offHours === 'never') return ALWAYS_ON;
  if (offHours === 'outside_opening') {
    if (!openings) return ALWAYS_ON;
    const current = openings.find(({ opens, closes }) => opens <= now && now < closes);
    return current ? { off: false, since: current.opens } : { off: true };
  }
  const spans = spansAround(offHours, now, zone);
  if (spans.some(({ opens, closes }) => opens <= now && now < closes)) return { off: true };
  return { off: false, since: Math.max(ALWAYS_ON.since, ...endsBefore(spans, now)) };
}

/** For how long a screen goes on before the pub opens and after it closes. */
const AROUND_OPENING = 30 * MINUTE;

/**
 * The spans in which a screen is off, in milliseconds, from now until `ahead` later: each begins now or later.
 * @param openings as in `expectedAt`
 */
export function offSpans(
  offHours: OffHours,
  {
    openings,
    now,
    zone,
    ahead,
  }: {
    openings: readonly Opening[] | undefined;
    now: number;
    zone: string;
    ahead: number;
  },
): [from: number, until: number][] {
  const last = now + ahead;
  const inside = (spans: readonly (readonly [number, number])[]) =>
    spans
      .map(([from, until]): [number, number] => [Math.max(from, now), Math.min(until, last)])
      .filter(([from, until]) => until > from);
  if (offHours === 'never') return [];
  if (offHours !== 'outside_opening') {
    const days = Math.ceil(ahead / DAY) + 1;
    const spans = spansAround(offHours, now, zone, days);
    return inside(spans.map(({ opens, closes }) => [opens, closes]));
  }
  if (!openings) return [];
  const on = openings
    .map(({ opens, closes }) => [opens - AROUND_OPENING, closes + AROUND_OPENING] as const)
    .sort(([a], [b]) => a - b);
  // An opening that begins while another goes on, or that is inside another, leaves no span between them.
  const ends = on.map((_, index) => Math.max(now, ...on.slice(0, index + 1).map(([, closes]) => closes)));
  const gaps = [now, ...ends].map((end, index) => [end, on[index]?.[0] ?? last] as const);
  return inside(gaps);
}

const endsBefore = (spans: readonly { closes: number }[], now: number): number[] =>
  spans.map(({ closes }) => closes).filter((at) => at <= now);

/** The ranges that begin today, on the six days before and on some days after. */
function spansAround(
  week: OffWeek,
  now: number,
  zone: string,
  after = 0,
): { opens: number; closes: number }[] {
  const first = Temporal.PlainDate.from(localDate(now, zone)).subtract({ days: 6 });
  return Array.from({ length: 7 + after }, (_, index) => first.add({ days: index })).flatMap((date) =>
    week[WEEKDAYS[date.dayOfWeek - 1]!].map(({ from, to }) =>
      momentsOf(date.toString(), { opens: from, closes: to }, zone),
    ),
  );
}
