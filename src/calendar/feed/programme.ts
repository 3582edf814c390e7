import { z } from 'zod';
import type { WorkspacePart } from '#content/display.ts';
import { fillCalendar, possibleEntries } from '#content/events/horizon.ts';
import { fittingBeside } from '#content/ical/sources/feed-room.ts';
import { listIcalEvents } from '#content/ical/sources/shown.ts';
import { EVENT } from '#content/kinds/event.ts';
import { listImportedPages, listPublished } from '#content/records/published.ts';
import { daysAfter } from '#content/recurrence/dates.ts';
import { isDraftProgram, readProgramPage } from '#content/workspace/program.ts';
import { DAY } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import type { Context } from '#kernel/context.ts';
import { oncePerObject } from '#kernel/derived.ts';
import { addDays, localDate, startOfDate } from '#kernel/local-time.ts';
import { type ContentSource, readContent } from '#kernel/workspace/content-cache.ts';
import { itemOf } from '#kernel/workspace/page-read.ts';
import { readPages } from '#kernel/workspace/reading.ts';
import { RECORDS } from '#kernel/workspace/records.ts';
import type { Snapshot } from '#kernel/workspace/snapshot.ts';

/** Something the club offers; times in milliseconds, `end` always after `start`. */
export type Program = z.output<typeof Program>;
const Program = z.object({
  /** Of the workspace's page; of the club's own event that of its record, with the date where it repeats. */
  id: z.string(),
  title: z.string(),
  start: z.int(),
  /** Of an all-day one the midnight after its last day. */
  end: z.int(),
  allDay: z.boolean(),
  location: z.string(),
  description: z.string(),
  url: z.string().nullable(),
  cancelled: z.boolean(),
  editedAt: z.int(),
});

const DAYS_BACK = 30;
const DAYS_AHEAD = 400;
/** A program may have begun so long before the first day that is shown and still be on. */
const LONGEST_DAYS = 60;
/** How long a cancelled one stays, so that every calendar hears of it. */
const CANCELLED_FOR = 30 * DAY;

const databaseId = (config: Config) =>
  config.WORKSPACE_PROGRAMS_DATABASE_ID ?? config.WORKSPACE_EVENTS_DATABASE_ID;

/** Whether there is a programme to be read at all. */
export const isConfigured = (ctx: Context): boolean =>
  ctx.workspace !== undefined && databaseId(ctx.config) !== undefined;

/** The programme, in the order of its beginnings. */
export const PROGRAMME: ContentSource<Program[]> = {
  name: 'programs',
  databaseId,
  async read(ctx) {
    const { TIME_ZONE: zone } = ctx.config;
    const from = addDays(ctx.now(), -(DAYS_BACK + LONGEST_DAYS), zone);
    const until = addDays(ctx.now(), DAYS_AHEAD + LONGEST_DAYS, zone);
    const narrowings = [{ property: RECORDS.program.start, from, until }];
    const pages = await readPages(ctx, databaseId(ctx.config) ?? '', narrowings);
    return pages
      .filter((page) => !isDraftProgram(page))
      .flatMap((page) => itemOf(ctx, page, readProgramPage(page, zone)) ?? [])
      .filter(({ start }) => start >= from && start < until)
      .sort(byStart);
  },
  parse: (json) => z.array(Program).parse(json),
};

/** What of the workspace and of the club's own events is in the calendar. */
export interface Programme extends Snapshot<Program[]> {
  /** For so many days the dates of the club's own series are in it; null while there are none. */
  horizon: number | null;
}

/**
 * The programme: the pages of the workspace that were not imported, the club's own events, and those of the calendars
 * that it reads. The same object until one of these changes, or the day. It never waits for the workspace.
 */
export function readProgramme(ctx: Context): Programme {
  const { TIME_ZONE: house } = ctx.config;
  const snapshot = readContent(ctx, PROGRAMME);
  const own = listPublished(ctx, EVENT);
  const imported = listImportedPages(ctx, EVENT);
  const today = localDate(ctx.now(), house);
  const calendars = listIcalEvents(ctx, 'calendar');
  const entriesOf = ctx.derived.get('calendar entries of events', [today, house], () => {
    const window = {
      from: daysAfter(today, -(DAYS_BACK + LONGEST_DAYS)),
      until: daysAfter(today, DAYS_AHEAD + LONGEST_DAYS),
    };
    return oncePerObject(possibleEntries({ today, window, house }));
  });
  return ctx.derived.get('programme', [snapshot, own, imported, calendars, today, house], () => {
    if (own.length === 0 && imported.size === 0 && calendars.length === 0)
      return { ...snapshot, horizon: null };
    const pages = listWorkspacePrograms(ctx);
    const now = startOfDate(today, house) ?? 0;
    const foreign = programsOn(calendars, today, house);
    // Half of the file is theirs at most: own series reach less far before their next dates are left out.
    const others = [...programsOn(pages, today, house), ...fittingBeside([], foreign, now, 1 / 2)];
    const { entries, horizon } = fillCalendar(own, others, { today, house, entriesOf });
    const all = [...pages, ...entries];
    const added = fittingBeside(programsOn(all, today, house), foreign, now);
    return { ...snapshot, content: [...all, ...added].sort(byStart), horizon };
  });
}

/** The programs of workspace pages that were not imported. */
export function listWorkspacePrograms(ctx: Context): Program[] {
  const imported = listImportedPages(ctx, EVENT);
  return (readContent(ctx, PROGRAMME).content ?? []).filter(({ id }) => !imported.has(id));
}

/** What the calendar takes from pages of the workspace that were not imported; undefined while they were not read. */
export function listProgrammePages(ctx: Context): WorkspacePart[] | undefined {
  if (isConfigured(ctx) && readContent(ctx, PROGRAMME).content === undefined) return undefined;
  return listWorkspacePrograms(ctx).map(({ id, title }) => ({ id, kind: EVENT.name, title }));
}

const byStart = (a: Program, b: Program) => a.start - b.start || a.end - b.end || (a.id < b.id ? -1 : 1);

/** What the feed holds on a day: from thirty days back to four hundred ahead, without what was cancelled long ago. */
export function programsOn(programs: readonly Program[], day: string, zone: string): Program[] {
  const from = startOfDate(day, zone, -DAYS_BACK) ?? 0;
  const until = startOfDate(day, zone, DAYS_AHEAD) ?? 0;
  const forgotten = (startOfDate(day, zone) ?? 0) - CANCELLED_FOR;
  return programs.filter(
    ({ start, end, cancelled, editedAt }) =>
      end > from && start < until && !(cancelled && editedAt < forgotten),
  );
}
