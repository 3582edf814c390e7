import { HOUR, isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { formatDay, formatTime, formatWhen, localDate, startOfDate } from '#kernel/local-time.ts';
import { askContent } from '#kernel/workspace/content-cache.ts';
import type { ProgrammeEntry, ProgrammeProps } from '#views/calendar/programme.ts';
import { lineOf, textOf, urlOf } from './ics.ts';
import { PROGRAMME, type Program, programsOn } from './programme.ts';

const SHOWN_AT_MOST = 100;

/** What is on from now on, day by day, as the page shows it. */
export async function programmeAhead(ctx: Context): Promise<Omit<ProgrammeProps, 'enabled'>> {
  const zone = ctx.config.TIME_ZONE;
  const now = ctx.now();
  const today = localDate(now, zone);
  const { content, readAt, stale } = await askContent(ctx, PROGRAMME);
  const ahead = programsOn(content ?? [], today, zone).filter(({ end }) => end > now);
  const from = startOfDate(today, zone) ?? now;
  const shown = ahead.slice(0, SHOWN_AT_MOST);
  const byDay = Map.groupBy(shown, ({ start }) => localDate(Math.max(start, from), zone));
  const days = [...byDay].map(([day, programs]) => ({
    label: dayLabel(day, today),
    entries: programs.map((program) => entryOf(program, day, zone)),
  }));
  const asOf = stale && readAt !== null ? formatWhen(readAt, zone) : undefined;
  return { days, more: ahead.length - shown.length, asOf, zone };
}

function entryOf(program: Program, day: string, zone: string): ProgrammeEntry {
  const { start, allDay, cancelled } = program;
  return {
    title: lineOf(program.title),
    when: whenOf(program, day, zone),
    datetime: allDay ? localDate(start, zone) : isoTime(start),
    location: lineOf(program.location),
    description: textOf(program.description),
    url: urlOf(program) ?? null,
    cancelled,
  };
}

function whenOf({ start, end, allDay }: Program, day: string, zone: string): string {
  const lastDay = localDate(end - 1, zone);
  if (allDay) return lastDay === day ? 'All day' : `Until ${formatDay(end - 1, zone)}`;
  if (localDate(start, zone) < day) return `Until ${untilOf(end, day, zone)}`;
  // A night that ends before morning is still one evening.
  const night = end - start <= 12 * HOUR ? day : localDate(end, zone);
  return `${formatTime(start, zone)} to ${night === day ? formatTime(end, zone) : untilOf(end, day, zone)}`;
}

function untilOf(end: number, day: string, zone: string): string {
  const time = formatTime(end, zone);
  return localDate(end, zone) === day ? time : `${formatDay(end, zone)}, ${time}`;
}

function dayLabel(day: string, today: string): string {
  const year = day.slice(0, 4) === today.slice(0, 4) ? {} : ({ year: 'numeric' } as const);
  const date = Temporal.PlainDate.from(day);
  return date.toLocaleString('en-US', { weekday: 'long', month: 'long', day: 'numeric', ...year });
}
