import { z } from 'zod';
import { ANNOUNCEMENT, type AnnouncementBody } from '#content/kinds/announcement.ts';
import { WEEKDAYS } from '#content/kinds/fields.ts';
import { momentsOf } from '#content/opening-hours.ts';
import type { Published } from '#content/records/published.ts';
import { readAnnouncementPage } from '#content/workspace/announcement.ts';
import type { Context } from '#kernel/context.ts';
import type { ContentSource } from '#kernel/workspace/content-cache.ts';
import { readPages } from '#kernel/workspace/reading.ts';
import { endOf, RECORDS, startOf } from '#kernel/workspace/records.ts';
import type { Snapshot } from '#kernel/workspace/snapshot.ts';
import { readUnion } from './own-content.ts';
import { imageUrl, originalId } from './page-ids.ts';
import { beginsSoon, isWithin, type Window, windowsOf } from './windows.ts';

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
  /** Of an own record: the id of its picture, on which days and at what time it is shown, and on which screens. */
  picture: z.string().optional(),
  /** What it shows. */
  imageAlt: z.string().optional(),
  days: z.array(z.enum(WEEKDAYS)).optional(),
  between: z.object({ from: z.string(), to: z.string() }).nullable().optional(),
  screens: z.array(z.string()).optional(),
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
  /** Of a picture of the club's own: what it shows, empty for decoration. */
  imageAlt?: string;
  duration: number | null;
}

/** The most urgent first; others come after them. */
const PRIORITIES = ['urgent', 'high', 'normal', 'low'];

/** All announcements of the workspace for the screens, also future and past ones, sorted by priority. */
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

/** All announcements, of the workspace and the club's own. */
export const readAnnouncementContent = (ctx: Context): Snapshot<PubAnnouncement[]> =>
  readUnion(ctx, ANNOUNCEMENTS, ANNOUNCEMENT, {
    toItem: (record) => ownAnnouncement(record, ctx.config.TIME_ZONE),
    compare: byPriority,
  });

/** An announcement with the windows in which screens show it; without windows it is always shown. */
export interface ShownAnnouncement extends PubAnnouncement {
  windows?: Window[];
}

/** The announcements to show at a moment, those that come within two days, and until when both stay the same. */
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

/** What is announced at this moment, for everybody; not what is for some screens alone. */
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

/** A record of the club's own as an announcement. */
export function ownAnnouncement(
  { id, body }: Pick<Published<AnnouncementBody>, 'id' | 'body'>,
  zone: string,
): PubAnnouncement {
  const { title, priority, text: content, seconds: duration, picture, days, between, screens } = body;
  return {
    ...{ id, title, priority, content, duration, days, between, screens, ...limitsOf(body, zone) },
    ...{ hasImage: picture !== null, edited: picture ?? '', ...(picture && { picture }) },
  };
}

/** From when and until when. An evening that runs past midnight is of the day on which it begins, at both ends. */
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
