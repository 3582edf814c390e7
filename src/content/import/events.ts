import { EVENT } from '#content/events/kind.ts';
import { isInPub } from '#content/events/shown.ts';
import { readEventPage, readTag } from '#content/workspace/event.ts';
import { isDraftProgram, readProgramPage } from '#content/workspace/program.ts';
import { addDays, formatShort } from '#kernel/local-time.ts';
import type { WorkspacePage } from '#kernel/workspace/client.ts';
import { RECORDS, readFlag } from '#kernel/workspace/records.ts';
import { leaveOut, type Planned, planRecord, shortAddress, shorten } from './planned.ts';
import { spanFields } from './walls.ts';

/** Events that began earlier are shown neither on the screens nor in the calendar. */
const DAYS_BACK = 90;

/** Where the pages of a database are shown. */
export interface Purpose {
  screens: boolean;
  programme: boolean;
}

/**
 * Plans the import of a page of the events or the programme. A draft of the programme stays a draft unless the screens
 * show it.
 */
export function planEvent(
  page: WorkspacePage,
  { screens, programme }: Purpose,
  { now, zone }: { now: number; zone: string },
): Planned {
  const screen = readEventPage(page, zone);
  const program = readProgramPage(page, zone);
  if ('leftOut' in program) return leaveOut(EVENT, page, program.leftOut);
  if (!programme && 'leftOut' in screen) return leaveOut(EVENT, page, screen.leftOut);
  const { item } = program;
  if (item.start < addDays(now, -DAYS_BACK, zone))
    return leaveOut(EVENT, page, `it began ${formatShort(item.start, zone)}`);

  const notes: string[] = [];
  const span = spanFields(item, zone, notes);
  if (span.end_days > 60) return leaveOut(EVENT, page, 'it lasts longer than 60 days');
  const isShown = screens && 'item' in screen;
  const isDraft = programme && isDraftProgram(page);
  const cancelled = programme && item.cancelled;
  if (isShown && isDraft) notes.push('it is a draft of the programme and comes for the screens alone');
  if (isShown && cancelled && !isDraft) notes.push('it is cancelled: the screens say so from now on');
  const title = shorten(item.title, 200, 'its title', notes);
  const input = {
    title,
    place: shorten(item.location, 300, 'its place', notes),
    description: shorten(item.description, 8_000, 'its text', notes),
    url: shortAddress(item.url ?? '', notes),
    tag: screens ? readTag(page) : null,
    // A row elsewhere was not shown, whatever its flag says.
    in_pub: screens && readFlag(page, RECORDS.event.onTv) && isInPub(item.location),
    in_calendar: programme && !(isShown && isDraft),
    cancelled: cancelled && !isDraft,
    ...span,
    stamps: { all: item.editedAt, dates: {} },
  };
  return planRecord(EVENT, page, input, { title, notes, publish: isShown || !isDraft });
}
