import { type CalendarEntry, isInPub } from '#content/events/shown.ts';
import { t } from '#kernel/language/message.ts';
import { parseTimestamp } from '#kernel/local-time.ts';
import { clubReader } from '#kernel/locale.ts';
import type { WorkspacePage } from '#kernel/workspace/client.ts';
import { readEventTimes } from '#kernel/workspace/event-times.ts';
import { leftOut, type PageRead } from '#kernel/workspace/page-read.ts';
import { RECORDS, readText, readUrl } from '#kernel/workspace/records.ts';

/** Reads an entry of the members' calendar; drafts too, see `isDraftProgram`. */
export function readProgramPage(page: WorkspacePage, zone: string): PageRead<CalendarEntry> {
  const { program } = RECORDS;
  const span = readEventTimes(page, program, zone);
  if (!span) return leftOut(t('content-admin.import_note.no_start'), { isFault: true });
  const { openEnded, ...times } = span;
  const location = readText(page, program.location);
  return {
    item: {
      id: page.id,
      title: readText(page, program.name) || page.title || t('calendar.untitled').for(clubReader()),
      ...times,
      ...(openEnded && { openEnded: isInPub(location) ? 'pub' : 'elsewhere' }),
      location,
      description: readText(page, program.description),
      url: readUrl(page, program.url) ?? null,
      cancelled: /^\W*(?:cancel|called off)/i.test(readText(page, program.status)),
      editedAt: parseTimestamp(page.lastEdited, zone) ?? span.start,
    },
  };
}

/** Whether the entry is a draft, which members must not see. */
export const isDraftProgram = (page: WorkspacePage): boolean =>
  /^\W*draft/i.test(readText(page, RECORDS.program.status));
