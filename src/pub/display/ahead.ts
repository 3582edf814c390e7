import type { RosterTender } from '#content/display.ts';
import { SPECIAL } from '#content/kinds/special.ts';
import { closureOn, datesFrom } from '#content/opening-hours.ts';
import { listPublished } from '#content/records/published.ts';
import { mergeOpenings, readShiftContent } from '#content/shifts.ts';
import type { Context } from '#kernel/context.ts';
import { formatted, type Words } from '#kernel/language/words.ts';
import { localDate } from '#kernel/local-time.ts';
import { type Duty, dutyAt, hoursInWords } from './hours.ts';
import { firstName, imageWords, photoUrl, readTenderContent } from './tenders.ts';

/** A day with its hours and crew, formatted for display. */
export interface DayAhead {
  date: string;
  /** `5:00 PM – midnight`; several openings are joined with commas; null when closed or unknown. */
  hours: Words | null;
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
    const crew = new Set(ofDay.flatMap(({ shifts }) => shifts.flatMap(({ tenders }) => tenders)));
    const reason = closureOn(specials, date);
    return {
      date,
      ...(reason && { reason }),
      hours:
        ofDay.length === 0
          ? null
          : formatted((reader) => ofDay.map((one) => hoursInWords(one, zone).for(reader)).join(', ')),
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

/** Who is on duty now, and whether the pub is open. */
export function findDuty(ctx: Context): Duty {
  const { TIME_ZONE: zone, LAST_CALL_MINUTES: lastCallMinutes } = ctx.config;
  return dutyAt(readShiftContent(ctx).content ?? [], { now: ctx.now(), zone, lastCallMinutes });
}
