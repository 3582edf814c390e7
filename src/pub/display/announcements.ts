import { z } from 'zod';
import { ANNOUNCEMENT, type AnnouncementBody } from '#content/kinds/announcement.ts';
import { momentsOf } from '#content/opening-hours.ts';
import { WEEKDAYS } from '#content/records/fields.ts';
import type { Published } from '#content/records/published.ts';
import { readAnnouncementPage } from '#content/workspace/announcement.ts';
import type { Context } from '#kernel/context.ts';
import { readPages } from '#kernel/workspace/reading.ts';
import { endOf, RECORDS, startOf } from '#kernel/workspace/records.ts';
import type { Snapshot } from '#kernel/workspace/snapshot.ts';
import type { ContentSource } from '#kernel/workspace/stored-source.ts';
import { imageUrl, originalId } from '#pub/page-ids.ts';
import { beginsSoon, isWithin, type Window, windowsOf } from '#pub/windows.ts';
import { readUnion } from './own-content.ts';

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
  /** The page's last edit; for the club's own record the id of its picture. */
  edited: z.string(),
  /** The id of the picture. This and the fields up to `screens` exist only for the club's own records. */
  picture: z.string().optional(),
  /** Alternative text of the picture. */
  imageAlt: z.string().optional(),
  /** The focus area of the picture, 1 to 9 from the top left. */
  imageFocus: z.int().optional(),
  days: z.array(z.enum(WEEKDAYS)).optional(),
  between: z.object({ from: z.string(), to: z.string() }).nullable().optional(),
  screens: z.array(z.string()).optional(),
  /** When it is shown, in milliseconds: from `from` until before `until`; null for no limit. */
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
  /** Alternative text, only for the club's own pictures; empty for decoration. */
  imageAlt?: string;
  duration: number | null;
}

/** Sort order of the priorities; unknown ones come last. */
const PRIORITIES = ['urgent', 'high', 'normal', 'low'];

/** All workspace announcements that are meant for the screens, also future and past ones, sorted by priority. */
export const ANNOUNCEMENTS: ContentSource<PubAnnouncement[]> = {
  name: 'announcements',
  databaseId: (config) => config.WORKSPACE_ANNOUNCEMENTS_DATABASE_ID,
  async read(ctx) {
    const { WORKSPACE_ANNOUNCEMENTS_DATABASE_ID: database = '', TIME_ZONE: zone } = ctx.config;
    const pages = await readPages(ctx, database, [{ property: RECORDS.announcement.onTv, ticked: true }]);
    return pages.flatMap((page) => readAnnouncementPage(page, zone).item ?? []).sort(byPriority);
  },
  parse: (json) => z.array(PubAnnouncement).parse(json),
};

/** Reads all announcements: those of the workspace and the club's own. */
export const readAnnouncementContent = (ctx: Context): Snapshot<PubAnnouncement[]> =>
  readUnion(ctx, ANNOUNCEMENTS, ANNOUNCEMENT, {
    toItem: (record) => ownAnnouncement(record, ctx.config.TIME_ZONE),
    compare: byPriority,
  });

/** An announcement with the windows in which screens show it; without windows it is always shown. */
export interface ShownAnnouncement extends PubAnnouncement {
  windows?: Window[];
}

/** Returns the announcements to show at `now`, those that begin soon, and until when both lists stay the same. */
export function announcementsAt(
  announcements: readonly PubAnnouncement[],
  now: number,
  zone: string,
): { shown: ShownAnnouncement[]; later: ShownAnnouncement[]; until: number } {
  const [shown, later]: [ShownAnnouncement[], ShownAnnouncement[]] = [[], []];
  const moments: number[] = [];
  for (const announcement of announcements) {
    const { from, until, days = [], between = null } = announcement;
    const windows = windowsOf({ from, until, days, between }, now, zone);
    moments.push(...(windows ?? []).flat());
    if (!windows) shown.push(announcement);
    else if (isWithin(windows, now)) shown.push({ ...announcement, windows });
    else if (beginsSoon(windows, now)) later.push({ ...announcement, windows });
  }
  return { shown, later, until: Math.min(...moments.filter((moment) => moment > now)) };
}

/** Lists the current announcements for public pages, without those that are limited to some screens. */
export function listAnnouncementsNow(ctx: Context): Announcement[] {
  const { content = [] } = readAnnouncementContent(ctx);
  const { shown } = announcementsAt(content, ctx.now(), ctx.config.TIME_ZONE);
  return shown.filter(({ screens = [] }) => screens.length === 0).map(announcementToWire);
}

export function announcementToWire(announcement: PubAnnouncement): Announcement {
  const { id, title, priority, content, duration, imageAlt } = announcement;
  return {
    id: originalId(id),
    title,
    priority,
    text: content || title,
    imageUrl: announcementImageUrl(announcement),
    ...(imageAlt !== undefined && { imageAlt }),
    duration,
  };
}

/** Empty when there is no image. */
export const announcementImageUrl = ({ id, hasImage, edited }: PubAnnouncement): string =>
  hasImage ? imageUrl('announcement', id, edited) : '';

/** Converts one of the club's own records to an announcement. */
export function ownAnnouncement(
  { id, body }: Pick<Published<AnnouncementBody>, 'id' | 'body'>,
  zone: string,
): PubAnnouncement {
  const { title, priority, text: content, seconds: duration, picture, days, between, screens } = body;
  return {
    id,
    title,
    priority,
    content,
    duration,
    days,
    between,
    screens,
    ...limitsOf(body, zone),
    hasImage: picture !== null,
    edited: picture ?? '',
    ...(picture && { picture }),
  };
}

/** Start and end. Hours that run past midnight belong to the day on which they begin, for both limits. */
function limitsOf(
  { from, until, between }: AnnouncementBody,
  zone: string,
): Pick<PubAnnouncement, 'from' | 'until'> {
  const evening = between && between.to <= between.from ? { opens: between.from, closes: between.to } : null;
  const isDate = (text: string) => !text.includes('T');
  const first = from !== null && isDate(from) && evening ? momentsOf(from, evening, zone).opens : undefined;
  const last =
    until !== null && isDate(until) && evening ? momentsOf(until, evening, zone).closes : undefined;
  return {
    from: first ?? (from === null ? null : (startOf(from, zone) ?? null)),
    until: last ?? endOf(until ?? undefined, zone) ?? null,
  };
}

function byPriority(a: PubAnnouncement, b: PubAnnouncement): number {
  return priorityRank(a) - priorityRank(b) || compare(a.title, b.title) || compare(a.id, b.id);
}

function priorityRank({ priority }: PubAnnouncement): number {
  const rank = PRIORITIES.indexOf(priority);
  return rank < 0 ? PRIORITIES.length : rank;
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
