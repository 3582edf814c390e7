import { z } from 'zod';
import type { WorkspacePart } from '#content/display.ts';
import { candidateEntries, fillCalendar } from '#content/events/horizon.ts';
import { EVENT } from '#content/events/kind.ts';
import { OPEN_ENDED } from '#content/events/times.ts';
import { eventsThatFit } from '#content/ical/sources/feed-room.ts';
import { listIcalEvents } from '#content/ical/sources/shown.ts';
import { endsOf } from '#content/open-ends.ts';
import { listImportedPages, listPublished } from '#content/records/published.ts';
import { daysAfter } from '#content/recurrence/dates.ts';
import { isDraftProgram, readProgramPage } from '#content/workspace/program.ts';
import { kept, oncePerObject } from '#kernel/cache.ts';
import { DAY } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import type { Context } from '#kernel/context.ts';
import { addDays, localDate, startOfDate } from '#kernel/local-time.ts';
import { itemOf } from '#kernel/workspace/page-read.ts';
import { readPages } from '#kernel/workspace/reading.ts';
import { RECORDS } from '#kernel/workspace/records.ts';
import type { Snapshot } from '#kernel/workspace/snapshot.ts';
import { type ContentSource, readContent } from '#kernel/workspace/stored-source.ts';

/** An event of the programme; times in milliseconds, `end` always after `start`. */
export type Program = z.output<typeof Program>;
const Program = z.object({
  /** The id of the workspace page, or of the record of the club's own event, with the date if it repeats. */
  id: z.string(),
  title: z.string(),
  start: z.int(),
  /** For an all-day event, the midnight after its last day. */
  end: z.int(),
  allDay: z.boolean(),
  /** Present only when no end was entered: then no page says `end`. */
  openEnded: z.enum(OPEN_ENDED).optional(),
  location: z.string(),
  description: z.string(),
  url: z.string().nullable(),
  cancelled: z.boolean(),
  editedAt: z.int(),
  /** The same for all dates of a series of an external calendar. */
  series: z.string().optional(),
  /** Of the event of a meeting: what its UID is made of, and the number of its changes. */
  uid: z.string().optional(),
  sequence: z.int().optional(),
});

const DAYS_BACK = 30;
const DAYS_AHEAD = 400;
/** A program may start this long before the first shown day and still be running. */
const LONGEST_DAYS = 60;
/** How long a cancelled program stays in the feed, so that every calendar gets the cancellation. */
const CANCELLED_FOR = 30 * DAY;

const databaseId = (config: Config) =>
  config.WORKSPACE_PROGRAMS_DATABASE_ID ?? config.WORKSPACE_EVENTS_DATABASE_ID;

/** Whether a programme in the workspace is configured. */
export const isConfigured = (ctx: Context): boolean =>
  ctx.workspace !== undefined && databaseId(ctx.config) !== undefined;

/** The programme in the workspace, by start. */
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

/** The content of the calendar, from the workspace and the club's own events. */
export interface Programme extends Snapshot<Program[]> {
  /** Number of days for which it contains the dates of the club's own series; null without series. */
  horizon: number | null;
}

/** The entries of each event, until the day changes. */
const EXPAND = kept<ReturnType<typeof candidateEntries>>();
const SHOWN = kept<Programme>();
const ENDED = kept<Programme>();

/**
 * Returns the programme: the workspace pages that were not imported, the club's own events, and those of the external
 * calendars. It is the same object until one of these or the day changes. Never waits for the workspace.
 */
export function readProgramme(ctx: Context): Programme {
  const { TIME_ZONE: house } = ctx.config;
  const snapshot = readContent(ctx, PROGRAMME);
  const own = listPublished(ctx, EVENT);
  const imported = listImportedPages(ctx, EVENT);
  const today = localDate(ctx.now(), house);
  const calendars = listIcalEvents(ctx, 'calendar');
  const makeExpand = () => {
    const window = {
      from: daysAfter(today, -(DAYS_BACK + LONGEST_DAYS)),
      until: daysAfter(today, DAYS_AHEAD + LONGEST_DAYS),
    };
    return oncePerObject(candidateEntries({ today, window, house }));
  };
  const entriesOf = ctx.cache.get(EXPAND, '', makeExpand, [today, house]);
  const make = (): Programme => {
    if (own.length === 0 && imported.size === 0 && calendars.length === 0)
      return { ...snapshot, horizon: null };
    const pages = listWorkspacePrograms(ctx);
    const now = startOfDate(today, house) ?? 0;
    const foreign = programsOn(calendars, today, house);
    // Up to half of the feed is reserved for external events; the club's own series then reach less far ahead.
    const others = [...programsOn(pages, today, house), ...eventsThatFit([], foreign, now, 1 / 2)];
    const { entries, horizon } = fillCalendar(own, others, { today, house, entriesOf });
    const all = [...pages, ...entries];
    const added = eventsThatFit(programsOn(all, today, house), foreign, now);
    return { ...snapshot, content: [...all, ...added].sort(byStart), horizon };
  };
  const shown = ctx.cache.get(SHOWN, '', make, [snapshot, own, imported, calendars, today, house]);
  const { content = [] } = shown;
  if (content.every(({ openEnded }) => openEnded === undefined)) return shown;
  const placeOf = ({ location }: Program) => location;
  const ends = endsOf(ctx, { of: 'calendar', pages: snapshot.content, placeOf });
  return ctx.cache.get(ENDED, '', () => ({ ...shown, content: content.map(ends) }), [shown, ends]);
}

/** The programs of workspace pages that were not imported. */
export function listWorkspacePrograms(ctx: Context): Program[] {
  const imported = listImportedPages(ctx, EVENT);
  return (readContent(ctx, PROGRAMME).content ?? []).filter(({ id }) => !imported.has(id));
}

/** Lists the workspace pages in the calendar that were not imported; undefined until they are read. */
export function listProgrammePages(ctx: Context): WorkspacePart[] | undefined {
  if (isConfigured(ctx) && readContent(ctx, PROGRAMME).content === undefined) return undefined;
  return listWorkspacePrograms(ctx).map(({ id, title }) => ({ id, kind: EVENT.name, title }));
}

/** Of those at one time the title decides, as on the screens; of the same, the id. */
const byStart = (a: Program, b: Program): number => {
  const [one, other] = a.title === b.title ? [a.id, b.id] : [a.title, b.title];
  return a.start - b.start || a.end - b.end || (one < other ? -1 : 1);
};

/** The programs in the feed of a day: from 30 days back to 400 days ahead, without those cancelled long ago. */
export function programsOn(programs: readonly Program[], day: string, zone: string): Program[] {
  const from = startOfDate(day, zone, -DAYS_BACK) ?? 0;
  const until = startOfDate(day, zone, DAYS_AHEAD) ?? 0;
  const forgotten = (startOfDate(day, zone) ?? 0) - CANCELLED_FOR;
  return programs.filter(
    ({ start, end, cancelled, editedAt }) =>
      end > from && start < until && !(cancelled && editedAt < forgotten),
  );
}
