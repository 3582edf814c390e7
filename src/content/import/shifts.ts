import { SPECIAL } from '#content/kinds/special.ts';
import { momentsOf, type OpenShift } from '#content/opening-hours.ts';
import { readShiftTimes } from '#content/workspace/shift.ts';
import { DAY, MINUTE } from '#kernel/clock.ts';
import { t } from '#kernel/language/message.ts';
import { formatShort } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { addDays } from '#kernel/local-time.ts';
import type { WorkspacePage } from '#kernel/workspace/client.ts';
import { leaveOut, type Planned, planRecord } from './planned.ts';
import { NOT_EXACT, wallOf } from './walls.ts';

/** The week of today begins at most 7 days ago, and a shift may begin the day before. */
const DAYS_BACK = 8;
/** The most minutes of a shift before the opening, and after the closing. */
const LONGEST_MINUTES = 720;

/** Plans the import of a shift page: the hours of its date, and its tenders. @param tendersOf finds its tenders */
export async function planShift(
  page: WorkspacePage,
  { now, zone }: { now: number; zone: string },
  tendersOf: (page: WorkspacePage) => Promise<string[]>,
): Promise<Planned> {
  const read = readShiftTimes(page, zone);
  if ('leftOut' in read) return leaveOut(SPECIAL, page, read.leftOut);
  const { opens, closes, end } = read.item;
  if (end < addDays(now, -DAYS_BACK, zone))
    return leaveOut(SPECIAL, page, t('content-admin.import_note.over', { when: formatShort(end, zone) }));
  if (closes - opens >= DAY) return leaveOut(SPECIAL, page, t('content-admin.import_note.whole_day'));
  const notes: Words[] = [];
  const { date, range } = rangeOf(read.item, zone, notes);
  const tenders = await tendersOf(page);
  const input = { from: date, to: date, ranges: [{ ...range, tenders }] };
  return planRecord(SPECIAL, page, input, {
    title: page.title ? `${page.title}, ${date}` : t('content-admin.import_note.shift_title', { date }),
    notes,
  });
}

function rangeOf({ start, end, opens, closes }: Omit<OpenShift, 'tenders'>, zone: string, notes: Words[]) {
  const { date, time } = wallOf(opens, zone);
  const hours = { opens: time, closes: wallOf(closes, zone).time };
  const [before, after] = [opens - start, end - closes].map((ms) => Math.round(ms / MINUTE)) as [
    number,
    number,
  ];
  const kept = momentsOf(date, hours, zone);
  if (kept.opens !== opens || kept.closes !== closes) notes.push(NOT_EXACT);
  if (Math.max(before, after) > LONGEST_MINUTES) notes.push(t('content-admin.import_note.shift_minutes'));
  const range = {
    ...hours,
    before: Math.min(before, LONGEST_MINUTES),
    after: Math.min(after, LONGEST_MINUTES),
  };
  return { date, range };
}
