import { isInPub } from '#content/events/shown.ts';
import type { OpenEnded } from '#content/events/times.ts';
import { t } from '#kernel/language/message.ts';
import { parseTimestamp } from '#kernel/local-time.ts';
import type { WorkspacePage } from '#kernel/workspace/client.ts';
import { readEventTimes } from '#kernel/workspace/event-times.ts';
import { leftOut, type PageRead } from '#kernel/workspace/page-read.ts';
import { RECORDS, readFlag, readText, readUrl } from '#kernel/workspace/records.ts';

/** An event for the screens, read from its workspace page; times in milliseconds, `end` always after `start`. */
export interface EventPage {
  id: string;
  title: string;
  start: number;
  end: number;
  allDay: boolean;
  openEnded?: OpenEnded;
  rcTag: 'rc-direct' | 'rc-affiliate' | null;
  place: string;
  description: string;
  url: string | null;
  /** Time of the page's last edit. */
  editedAt: number;
}

/** Reads an event for the screens. */
export function readEventPage(page: WorkspacePage, zone: string): PageRead<EventPage> {
  const { event } = RECORDS;
  if (!readFlag(page, event.onTv)) return leftOut(t('content-admin.import_note.not_ticked'));
  const place = readText(page, event.location);
  if (!isInPub(place)) return leftOut(t('content-admin.import_note.not_in_pub'));
  const span = readEventTimes(page, event, zone);
  if (!span) return leftOut(t('content-admin.import_note.no_start'), { isFault: true });
  const { openEnded, ...times } = span;
  const title = readText(page, event.name) || page.title;
  return {
    item: {
      id: page.id,
      title,
      ...times,
      ...(openEnded && { openEnded: 'pub' }),
      rcTag: readTag(page),
      place,
      description: readText(page, event.description),
      url: readUrl(page, event.url) ?? null,
      editedAt: parseTimestamp(page.lastEdited, zone) ?? span.start,
    },
  };
}

export function readTag(page: WorkspacePage): EventPage['rcTag'] {
  const text = readText(page, RECORDS.event.tag);
  if (/(?:^|[^a-z])direct/i.test(text)) return 'rc-direct';
  return /(?:^|[^a-z])affiliate/i.test(text) ? 'rc-affiliate' : null;
}
