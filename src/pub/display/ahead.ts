import type { RosterTender } from '#content/display.ts';
import { SPECIAL } from '#content/kinds/special.ts';
import { closureOn, datesFrom } from '#content/opening-hours.ts';
import { listPublished } from '#content/records/published.ts';
import { findPubState, mergeOpenings, readShiftContent } from '#content/shifts.ts';
import type { Context } from '#kernel/context.ts';
import { localDate, spanInWords, timeInWords } from '#kernel/local-time.ts';
import { firstName, imageWords, photoUrl, readTenderContent } from './tenders.ts';

/** A day with its hours and crew, formatted for display. */
export interface DayAhead {
  date: string;
  /** `5:00 PM – midnight`; several openings are joined with commas; null when closed or unknown. */
  hours: string | null;
  /** Why a special day closes it; absent without a reason. */
  reason?: string;
  /** Names of the tenders on duty. */
  crew: string[];
}

/** How many days of opening hours the pages show, today included. */
export const HOURS_DAYS = 7;

/** Lists the coming days, today first. Hours are known for at most three weeks. */
export function listDaysAhead(ctx: Context, days: number): DayAhead[] {
  const { TIME_ZONE: zone } = ctx.config;
  const openings = mergeOpenings(readShiftContent(ctx).content ?? []);
  const specials = listPublished(ctx, SPECIAL);
  const names = new Map(readTenderContent(ctx).content?.map(({ id, fullName }) => [id, fullName]));
  return datesFrom(localDate(ctx.now(), zone), days).map((date) => {
    const ofDay = openings.filter(({ opens }) => localDate(opens, zone) === date);
    const labels = ofDay.map(({ opens, closes }) => spanInWords(opens, closes, zone).join(' – '));
    const crew = new Set(ofDay.flatMap(({ shifts }) => shifts.flatMap(({ tenders }) => tenders)));
    const reason = closureOn(specials, date);
    return {
      date,
      ...(reason && { reason }),
      hours: labels.join(', ') || null,
      crew: [...crew].flatMap((id) => names.get(id) ?? []),
    };
  });
}

/** Lists the tenders who can be put on a roster, sorted by name. */
export function listRosterTenders(ctx: Context): RosterTender[] {
  return (readTenderContent(ctx).content ?? []).map((tender) => ({
    id: tender.id,
    name: tender.fullName,
    first: firstName(tender),
    active: tender.active,
    imageUrl: photoUrl(tender),
    ...imageWords(tender),
  }));
}

/** Says in words whether the pub is open and until when; `note` is the feed's note about it. */
export function describeOpening(ctx: Context, note: string): string {
  const { TIME_ZONE: zone } = ctx.config;
  const { closesAt, opensAt } = findPubState(ctx);
  if (note.startsWith('Open until') && closesAt !== null) return `Open until ${timeInWords(closesAt, zone)}`;
  if (note.startsWith('Opens at') && opensAt !== null) return `Opens at ${timeInWords(opensAt, zone)}`;
  return note;
}
