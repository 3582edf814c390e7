import { EVENT } from '#content/events/kind.ts';
import { isInPub } from '#content/events/shown.ts';
import { readEventPage, readTag } from '#content/workspace/event.ts';
import { isDraftProgram, readProgramPage } from '#content/workspace/program.ts';
import { t } from '#kernel/language/message.ts';
import { formatShort } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { addDays } from '#kernel/local-time.ts';
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
    return leaveOut(
      EVENT,
      page,
      t('content-admin.import_note.began', { when: formatShort(item.start, zone) }),
    );

  const notes: Words[] = [];
  const span = spanFields(item, zone, notes);
  if (span.end_days > 60) return leaveOut(EVENT, page, t('content-admin.import_note.too_long'));
  const isShown = screens && 'item' in screen;
  const isDraft = programme && isDraftProgram(page);
  const cancelled = programme && item.cancelled;
  if (isShown && isDraft) notes.push(t('content-admin.import_note.draft_on_screens'));
  if (isShown && cancelled && !isDraft) notes.push(t('content-admin.import_note.cancelled'));
  const title = shorten(item.title, 200, 'title', notes);
  const input = {
    title,
    place: shorten(item.location, 300, 'place', notes),
    description: shorten(item.description, 8_000, 'text', notes),
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
