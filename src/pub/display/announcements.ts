import { z } from 'zod';
import { ANNOUNCEMENT, type AnnouncementBody } from '#content/kinds/announcement.ts';
import type { Published } from '#content/records/published.ts';
import type { Context } from '#kernel/context.ts';
import type { WorkspacePage } from '#kernel/workspace/client.ts';
import type { ContentSource } from '#kernel/workspace/content-cache.ts';
import { readPages } from '#kernel/workspace/reading.ts';
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
import type { Snapshot } from '#kernel/workspace/snapshot.ts';
import { readUnion } from './own-content.ts';
import { imageUrl, originalId } from './page-ids.ts';

/** An announcement as it is stored. */
export type PubAnnouncement = z.output<typeof PubAnnouncement>;
const PubAnnouncement = z.object({
  id: z.string(),
  title: z.string(),
  /** Lower case; `normal` where none was given. */
  priority: z.string(),
  content: z.string(),
  /** Seconds. */
  duration: z.number().nullable(),
  hasImage: z.boolean(),
  /** The page's last edit; of an own record its picture. */
  edited: z.string(),
  /** Of an own record: the id of its picture. */
  picture: z.string().optional(),
  /** Shown from this moment and before that one; null for no limit. */
  from: z.int().nullable(),
  until: z.int().nullable(),
});

export interface Announcement {
  id: string;
  title: string;
  priority: string;
  text: string;
  /** Empty when there is no image. */
  imageUrl: string;
  duration: number | null;
}

/** The most urgent first; others come after them. */
const PRIORITIES = ['urgent', 'high', 'normal', 'low'];
const [SHORTEST, LONGEST] = [5, 120];

/** All announcements of the workspace for the screens, also future and past ones, sorted by priority. */
export const ANNOUNCEMENTS: ContentSource<PubAnnouncement[]> = {
  name: 'announcements',
  databaseId: (config) => config.WORKSPACE_ANNOUNCEMENTS_DATABASE_ID,
  async read(ctx) {
    const { WORKSPACE_ANNOUNCEMENTS_DATABASE_ID: database = '', TIME_ZONE: zone } = ctx.config;
    const pages = await readPages(ctx, database, [{ property: RECORDS.announcement.onTv, ticked: true }]);
    return pages
      .filter((page) => readFlag(page, RECORDS.announcement.onTv))
      .map((page) => toAnnouncement(page, zone))
      .sort(byPriority);
  },
  parse: (json) => z.array(PubAnnouncement).parse(json),
};

/** All announcements, of the workspace and the club's own. */
export const readAnnouncementContent = (ctx: Context): Snapshot<PubAnnouncement[]> =>
  readUnion(ctx, ANNOUNCEMENTS, ANNOUNCEMENT, {
    toItem: (record) => ownAnnouncement(record, ctx.config.TIME_ZONE),
    compare: byPriority,
  });

/** The announcements to show at a moment, and until when the list stays the same. */
export function announcementsAt(
  announcements: readonly PubAnnouncement[],
  now: number,
): { shown: PubAnnouncement[]; until: number } {
  const moments = announcements.flatMap(({ from, until }) => [from ?? now, until ?? now]);
  return {
    shown: announcements.filter(({ from, until }) => now >= (from ?? now) && (until === null || now < until)),
    until: Math.min(...moments.filter((moment) => moment > now)),
  };
}

export function announcementToWire(announcement: PubAnnouncement): Announcement {
  const { id, title, priority, content, duration } = announcement;
  return {
    id: originalId(id),
    title,
    priority,
    text: content || title,
    imageUrl: announcementImageUrl(announcement),
    duration,
  };
}

/** Empty when there is no image. */
export const announcementImageUrl = ({ id, hasImage, edited }: PubAnnouncement): string =>
  hasImage ? imageUrl('announcement', id, edited) : '';

function ownAnnouncement({ id, body }: Published<AnnouncementBody>, zone: string): PubAnnouncement {
  const { title, priority, text: content, seconds: duration, picture, from, until } = body;
  return {
    ...{ id, title, priority, content, duration },
    ...{ hasImage: picture !== null, edited: picture ?? '', ...(picture && { picture }) },
    from: from === null ? null : (startOf(from, zone) ?? null),
    until: endOf(until ?? undefined, zone) ?? null,
  };
}

function byPriority(a: PubAnnouncement, b: PubAnnouncement): number {
  return priorityRank(a) - priorityRank(b) || compare(a.title, b.title) || compare(a.id, b.id);
}

function toAnnouncement(page: WorkspacePage, zone: string): PubAnnouncement {
  const { announcement } = RECORDS;
  const from = readDate(page, announcement.showFrom);
  const until = readDate(page, announcement.showUntil);
  const seconds = readNumber(page, announcement.duration);
  return {
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
  };
}

function priorityRank({ priority }: PubAnnouncement): number {
  const rank = PRIORITIES.indexOf(priority);
  return rank < 0 ? PRIORITIES.length : rank;
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
