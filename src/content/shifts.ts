import { z } from 'zod';
import { kept } from '#kernel/cache.ts';
import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { addDays, localDate } from '#kernel/local-time.ts';
import { itemOf } from '#kernel/workspace/page-read.ts';
import { readPages } from '#kernel/workspace/reading.ts';
import { RECORDS } from '#kernel/workspace/records.ts';
import type { Snapshot } from '#kernel/workspace/snapshot.ts';
import { type ContentSource, readContent } from '#kernel/workspace/stored-source.ts';
import { HOURS } from './kinds/hours.ts';
import { ROSTER } from './kinds/roster.ts';
import { SPECIAL } from './kinds/special.ts';
import { datesFrom, hasOwnDay, shiftsOn, wholeCrewOn } from './opening-hours.ts';
import { everPublished, listImportedPages, listPublished } from './records/published.ts';
import { findPage, readShiftTimes, readTenders } from './workspace/shift.ts';

/** A shift as it is stored, in milliseconds: when tenders work, and when the pub is open. */
export type PubShift = z.output<typeof PubShift>;
const PubShift = z.object({
  start: z.int(),
  end: z.int(),
  opens: z.int(),
  closes: z.int(),
  /** Ids of the tenders, 32 digits each. */
  tenders: z.array(z.string()),
  /** The id of the workspace page that it is read from. */
  page: z.string().optional(),
});

/** A period in which the pub is open without a break, with its shifts. */
export interface Opening {
  opens: number;
  closes: number;
  /** From the start of the first shift to the end of the last. */
  start: number;
  end: number;
  shifts: PubShift[];
}

/** Enough for the start of the current week, and for a shift that begins on the day before. */
const DAYS_BACK = 8;
const DAYS_AHEAD = 21;
/** Days around today for whose shifts the tenders are read; of other shifts only the hours are needed. */
const NEAR_BACK = 2;
const NEAR_AHEAD = 4;

export const SHIFTS: ContentSource<PubShift[]> = {
  name: 'shifts',
  databaseId: (config) => config.WORKSPACE_SHIFTS_DATABASE_ID,
  async read(ctx) {
    const { TIME_ZONE: zone, WORKSPACE_SHIFTS_DATABASE_ID: database = '' } = ctx.config;
    const day = (offset: number) => addDays(ctx.now(), offset, zone);
    const pages = await readPages(ctx, database, [
      { property: RECORDS.shift.shift, from: day(-DAYS_BACK), until: day(DAYS_AHEAD) },
    ]);
    const shifts: PubShift[] = [];
    for (const page of pages) {
      const times = itemOf(ctx, page, readShiftTimes(page, zone));
      if (!times || times.end < day(-DAYS_BACK) || times.start > day(DAYS_AHEAD)) continue;
      const near = times.end > day(-NEAR_BACK) && times.start < day(NEAR_AHEAD);
      shifts.push({
        ...times,
        tenders: near ? await readTenders(page, (id) => findPage(ctx, id)) : [],
        page: page.id,
      });
    }
    return shifts.sort(byOpening);
  },
  parse: (json) => z.array(PubShift).parse(json),
};

/** Crews with equal times are sorted by page id, the same order as that of their records after an import. */
const byOpening = (a: PubShift, b: PubShift) =>
  a.opens - b.opens || a.start - b.start || compare(a.page ?? '', b.page ?? '');
const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

const SHOWN_SHIFTS = kept<Snapshot<PubShift[]>>();

/**
 * Reads the shifts from DAYS_BACK to DAYS_AHEAD, of the workspace and of the club's own hours. An own special day
 * replaces the workspace's hours, but keeps its crew. `content` is undefined while no hours are known.
 * @param read whether the workspace's shifts are asked for, or only used as they are
 */
export function readShiftContent(ctx: Context, read = readContent<PubShift[]>): Snapshot<PubShift[]> {
  const { TIME_ZONE: zone } = ctx.config;
  const snapshot = read(ctx, SHIFTS);
  const [hours, specials, rosters] = [
    ...[listPublished(ctx, HOURS), listPublished(ctx, SPECIAL), listPublished(ctx, ROSTER)],
  ] as const;
  const imported = listImportedPages(ctx, SPECIAL);
  const known = everPublished(ctx, [HOURS, SPECIAL]);
  const first = localDate(addDays(ctx.now(), -DAYS_BACK - 1, zone), zone);
  const from = [snapshot, hours, specials, rosters, imported, known, first, zone];
  const make = (): Snapshot<PubShift[]> => {
    const records = { hours, specials, rosters };
    if (!known && rosters.length === 0 && imported.size === 0) return snapshot;
    const pages = (snapshot.content ?? []).filter(({ page }) => page === undefined || !imported.has(page));
    const ownDate = (shift: PubShift) => localDate(shift.opens, zone);
    const own = datesFrom(first, DAYS_BACK + DAYS_AHEAD + 2).flatMap((date) => {
      const replaced = hasOwnDay(records, date) ? pages.filter((shift) => ownDate(shift) === date) : [];
      return shiftsOn(records, date, zone, replaced);
    });
    const kept = pages
      .filter((shift) => !hasOwnDay(records, ownDate(shift)))
      .map((shift) => ({ ...shift, tenders: wholeCrewOn(records, ownDate(shift)) ?? shift.tenders }));
    const content = [...kept, ...own].sort(byOpening);
    return { ...snapshot, content: known || snapshot.content !== undefined ? content : undefined };
  };
  return ctx.cache.get(SHOWN_SHIFTS, '', make, from);
}

/**
 * Whether the pub is open. While no shifts are known `configured` is false, and `open: false` does not mean closed.
 * Times in milliseconds; `opensAt` is the next opening.
 */
export function findPubState(ctx: Context): {
  configured: boolean;
  open: boolean;
  closesAt: number | null;
  opensAt: number | null;
} {
  const { content } = readShiftContent(ctx);
  const now = ctx.now();
  const openings = mergeOpenings(content ?? []);
  const current = openings.find(({ opens, closes }) => opens <= now && now < closes);
  return {
    configured: content !== undefined,
    open: current !== undefined,
    closesAt: current?.closes ?? null,
    opensAt: openings.find(({ opens }) => opens > now)?.opens ?? null,
  };
}

/** Merges hours that touch or overlap into one opening, unless it would be longer than a day. */
export function mergeOpenings(shifts: readonly PubShift[]): Opening[] {
  const openings: Opening[] = [];
  for (const shift of shifts.toSorted((a, b) => a.opens - b.opens)) {
    const last = openings.at(-1);
    const closes = Math.max(last?.closes ?? 0, shift.closes);
    if (!last || shift.opens > last.closes || closes - last.opens > DAY) {
      openings.push({ ...shift, shifts: [shift] });
    } else {
      last.shifts.push(shift);
      last.closes = closes;
      last.start = Math.min(last.start, shift.start);
      last.end = Math.max(last.end, shift.end);
    }
  }
  return openings;
}
