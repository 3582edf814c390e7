import { datesFrom } from '#content/opening-hours.ts';
import type { Context } from '#kernel/context.ts';
import { localDate, spanInWords, timeInWords } from '#kernel/local-time.ts';
import { findPubState, mergeOpenings, readShiftContent } from './shifts.ts';
import { readTenderContent } from './tenders.ts';

/** A day as people will read it. */
export interface DayAhead {
  date: string;
  /** `5:00 PM – midnight`, several with commas between; null while it is closed, or nothing is known. */
  hours: string | null;
  /** Names of who works. */
  crew: string[];
}

/** So many days of hours are on the pages, today first. */
export const HOURS_DAYS = 7;

/** The coming days, today first. At most three weeks are known. */
export function listDaysAhead(ctx: Context, days: number): DayAhead[] {
  const { TIME_ZONE: zone } = ctx.config;
  const openings = mergeOpenings(readShiftContent(ctx).content ?? []);
  const names = new Map(readTenderContent(ctx).content?.map(({ id, fullName }) => [id, fullName]));
  return datesFrom(localDate(ctx.now(), zone), days).map((date) => {
    const ofDay = openings.filter(({ opens }) => localDate(opens, zone) === date);
    const labels = ofDay.map(({ opens, closes }) => spanInWords(opens, closes, zone).join(' – '));
    const crew = new Set(ofDay.flatMap(({ shifts }) => shifts.flatMap(({ tenders }) => tenders)));
    return {
      date,
      hours: labels.join(', ') || null,
      crew: [...crew].flatMap((id) => names.get(id) ?? []),
    };
  });
}

/** The tenders who can be put on a roster, by name. */
export function listRosterTenders(ctx: Context): { id: string; name: string; active: boolean }[] {
  return (readTenderContent(ctx).content ?? []).map(({ id, fullName, active }) => ({
    id,
    name: fullName,
    active,
  }));
}

/** Whether the pub is open and until when, in words; `note` is what the feed says of it. */
export function describeOpening(ctx: Context, note: string): string {
  const { TIME_ZONE: zone } = ctx.config;
  const { closesAt, opensAt } = findPubState(ctx);
  if (note.startsWith('Open until') && closesAt !== null) return `Open until ${timeInWords(closesAt, zone)}`;
  if (note.startsWith('Opens at') && opensAt !== null) return `Opens at ${timeInWords(opensAt, zone)}`;
  return note;
}
