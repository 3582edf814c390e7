import { t } from '#kernel/language/message.ts';
import type { WorkspacePage } from '#kernel/workspace/client.ts';
import { leftOut, type PageRead } from '#kernel/workspace/page-read.ts';
import {
  endOf,
  RECORDS,
  readDate,
  readFiles,
  readFlag,
  readNumber,
  readText,
  startOf,
} from '#kernel/workspace/records.ts';

/** An announcement read from its workspace page. */
export interface AnnouncementPage {
  id: string;
  title: string;
  /** Lower case; `normal` if the page has none. */
  priority: string;
  content: string;
  /** Seconds. */
  duration: number | null;
  hasImage: boolean;
  /** Time of the page's last edit. */
  edited: string;
  /** Shown from `from` until before `until`, in milliseconds; null for no limit. */
  from: number | null;
  until: number | null;
}

const [SHORTEST, LONGEST] = [5, 120];

/** Reads an announcement for the screens, whether or not it is shown now. */
export function readAnnouncementPage(page: WorkspacePage, zone: string): PageRead<AnnouncementPage> {
  const { announcement } = RECORDS;
  if (!readFlag(page, announcement.onTv)) return leftOut(t('content-admin.import_note.not_ticked'));
  const from = readDate(page, announcement.showFrom);
  const until = readDate(page, announcement.showUntil);
  const seconds = readNumber(page, announcement.duration);
  return {
    item: {
      id: page.id,
      title: readText(page, announcement.name) || page.title,
      priority: readText(page, announcement.priority).toLowerCase() || 'normal',
      content: readText(page, announcement.content),
      duration: seconds === undefined ? null : Math.min(LONGEST, Math.max(SHORTEST, seconds)),
      hasImage: readFiles(page, announcement.image).length > 0,
      edited: page.lastEdited,
      from: (from && startOf(from.start, zone)) ?? null,
      // One date range may hold both the start and the end.
      until: endOf(until ? (until.end ?? until.start) : from?.end, zone) ?? null,
    },
  };
}
