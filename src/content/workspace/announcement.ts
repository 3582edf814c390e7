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

/** An announcement as its page says it. */
export interface AnnouncementPage {
  id: string;
  title: string;
  /** Lower case; `normal` where none was given. */
  priority: string;
  content: string;
  /** Seconds. */
  duration: number | null;
  hasImage: boolean;
  /** The page's last edit. */
  edited: string;
  /** Shown from this moment and before that one, in milliseconds; null for no limit. */
  from: number | null;
  until: number | null;
}

const [SHORTEST, LONGEST] = [5, 120];

/** What the screens show of a page, now or at another time. */
export function readAnnouncementPage(page: WorkspacePage, zone: string): PageRead<AnnouncementPage> {
  const { announcement } = RECORDS;
  if (!readFlag(page, announcement.onTv)) return leftOut('it is not ticked for the screens');
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
