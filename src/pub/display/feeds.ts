import { listIcalEvents } from '#content/ical/sources/shown.ts';
import { HOURS } from '#content/kinds/hours.ts';
import { SPECIAL } from '#content/kinds/special.ts';
import { everPublished } from '#content/records/published.ts';
import { isoTime, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { CachedResponse } from '#kernel/http/cached-response.ts';
import {
  awaitFirstContent,
  type ContentSource,
  readContent,
  refreshContent,
} from '#kernel/workspace/content-cache.ts';
import type { Snapshot } from '#kernel/workspace/snapshot.ts';
import { type CurrentTakeover, currentTakeover, listTakeovers, nextExpiry } from '#pub/takeover/takeovers.ts';
import {
  ANNOUNCEMENTS,
  type Announcement,
  announcementsAt,
  announcementToWire,
  readAnnouncementContent,
} from './announcements.ts';
import { EVENTS, type Event, eventsAt, readEventContent, type WeekEvent } from './events.ts';
import { FeedCache, type Made, remembered } from './feed-cache.ts';
import {
  dutyAt,
  type NoteState,
  type PubDay,
  type PubHoursDay,
  pubDaysAround,
  pubHoursWeek,
} from './hours.ts';
import { type LinkFacts, type LinkPage, type LinkSlide, linkSlide, listLinkPages } from './links.ts';
import { readShiftContent, SHIFTS } from './shifts.ts';
import { announcementSlide, listSlides, type Slide } from './slides.ts';
import {
  firstName,
  imageWords,
  photoUrl,
  qrImageUrl,
  readTenderContent,
  TENDERS,
  type TenderDirectoryEntry,
  tenderDirectory,
} from './tenders.ts';

/** The fields of every feed. */
interface FeedState {
  /** ISO 8601: when the oldest part of the feed was read; of the club's own content alone, now to two minutes. */
  lastUpdated: string;
  /** `placeholder` until the first successful read, and until anything of the club's own was published. */
  source: 'workspace' | 'placeholder';
  /** Where the content is from; not there while it is from nowhere. */
  contentFrom?: ('house' | 'workspace' | 'ical')[];
  /** The last requests to the workspace failed. */
  stale: boolean;
}

export interface ActiveTender {
  id: string;
  fullName: string;
  showProfile: boolean;
  imageUrl: string;
  imageAlt?: string;
  imageFocus?: number;
  qrImageUrl: string;
  pageUrl: string;
}

export interface EventsFeed extends FeedState {
  todayEvents: Event[];
  weekEvents: WeekEvent[];
  announcements: Announcement[];
  /** Sunday to Saturday. */
  pubHoursWeek: PubHoursDay[];
  pubTender: {
    name: string;
    hours: string;
    note: string;
    noteState: NoteState;
    pageUrl: string;
    activeTenders: ActiveTender[];
  };
  slides: Slide[];
  /** Slides that come within two days; not there where none do. */
  laterSlides?: Slide[];
  /** Slides with the codes of our own pages; not there where none has anything to open. */
  linkSlides?: LinkSlide[];
  /** Of yesterday and still on. */
  carryoverEvents: Event[];
  /** False until a shift was read, or own hours were published: the hours are then unknown. */
  hoursKnown: boolean;
  /** From yesterday on, with the times of the openings; not there while the hours are unknown. */
  pubDays?: PubDay[];
  /** The settings that the statuses and labels depend on. */
  nextWindowMin: number;
  timeZone: string;
  /** What fills the screens; not there while nothing does. */
  takeover?: CurrentTakeover;
}

export interface TendersFeed extends FeedState {
  tenders: TenderDirectoryEntry[];
}

/** Days ahead without a `window`. */
export const DEFAULT_WINDOW = 7;
const WIDEST_WINDOW = 30;

/** The `window` of a query: a whole number of days from 1 to 30. */
export function parseWindow(text: unknown): number {
  const days = typeof text === 'string' && /^\s*\d+\s*$/.test(text) ? Number(text) : 0;
  return days < 1 ? DEFAULT_WINDOW : Math.min(days, WIDEST_WINDOW);
}

/** The feed as it is now. Never waits for the workspace. */
export function readEventsFeed(ctx: Context, windowDays = DEFAULT_WINDOW): EventsFeed {
  return eventsFeedAt(ctx, readDisplay(ctx), windowDays).feed;
}

export function readTendersFeed(ctx: Context): TendersFeed {
  return tendersFeedAt(ctx, readTenderDisplay(ctx)).feed;
}

/** Reads due content from the workspace; for a job. */
export async function refreshDisplay(ctx: Context): Promise<void> {
  await refreshContent(ctx, SOURCES);
}

/** Waits at most two seconds for content that was never read; for the start. */
export async function awaitFirstDisplay(ctx: Context): Promise<void> {
  await awaitFirstContent(ctx, SOURCES);
}

const SOURCES: ContentSource<unknown>[] = [EVENTS, ANNOUNCEMENTS, SHIFTS, TENDERS];

/**
 * The feeds in serialised form. Each is made again only when its content changes, or when the time has come at which
 * its content changes with the clock.
 */
export interface Feeds {
  events(windowDays: number): CachedResponse;
  tenders(): CachedResponse;
}

export function createFeeds(ctx: Context, facts: LinkFacts): Feeds {
  const events = new FeedCache<number, Display>((sources, windowDays) =>
    eventsFeedAt(ctx, sources, windowDays),
  );
  const tenders = new FeedCache<'', TendersDisplay>((sources) => tendersFeedAt(ctx, sources));
  const content = () => SOURCES.map((source) => readContent(ctx, source));
  const display = remembered(ctx, content, () => readDisplay(ctx, facts));
  ctx.hub.on(['content', 'takeovers'], display.forget);
  ctx.hub.on('settings', () => {
    display.forget();
    events.clear();
    tenders.clear();
  });
  return {
    events: (windowDays) => events.get(windowDays, display.get(), ctx.now()),
    tenders: () => tenders.get('', readTenderDisplay(ctx), ctx.now()),
  };
}

type SnapshotOf<Source> = Source extends ContentSource<infer T> ? Snapshot<T> : never;
/**
 * The last ones: whether anything of the club's own was ever published, and hours of its own; whether a calendar of
 * others is shown, which counts as such; what takes the screens over, and the pages that slides lead to.
 */
type Display = [
  events: SnapshotOf<typeof EVENTS>,
  announcements: SnapshotOf<typeof ANNOUNCEMENTS>,
  shifts: SnapshotOf<typeof SHIFTS>,
  tenders: SnapshotOf<typeof TENDERS>,
  own: boolean,
  ownHours: boolean,
  ical: boolean,
  takeovers: ReturnType<typeof listTakeovers>,
  /** Their names with commas between, so that equal ones are the same. */
  links: string,
  locale: string,
];
type TendersDisplay = [tenders: SnapshotOf<typeof TENDERS>, own: boolean];

function readDisplay(ctx: Context, facts?: LinkFacts): Display {
  const events = readEventContent(ctx);
  const hasEvents = (events.content?.length ?? 0) > 0;
  return [
    events,
    readAnnouncementContent(ctx),
    readShiftContent(ctx),
    readTenderContent(ctx),
    everPublished(ctx),
    everPublished(ctx, [HOURS, SPECIAL]),
    listIcalEvents(ctx, 'screens').length > 0,
    listTakeovers(ctx),
    facts ? listLinkPages(ctx, hasEvents, facts).join() : '',
    ctx.config.LOCALE,
  ];
}

const readTenderDisplay = (ctx: Context): TendersDisplay => [readTenderContent(ctx), everPublished(ctx)];

function eventsFeedAt(
  { config, now: clock }: Context,
  [
    eventsSnapshot,
    announcementsSnapshot,
    shiftsSnapshot,
    tendersSnapshot,
    own,
    ownHours,
    ical,
    takeovers,
    links,
  ]: Display,
  windowDays: number,
): Made<EventsFeed> {
  const now = clock();
  const { TIME_ZONE: zone, EVENT_NEXT_WINDOW_MIN: nextMinutes, LAST_CALL_MINUTES: lastCallMinutes } = config;
  const tenders = tendersSnapshot.content ?? [];
  const shifts = shiftsSnapshot.content ?? [];
  const events = eventsAt(eventsSnapshot.content ?? [], { now, zone, windowDays, nextMinutes });
  const announcements = announcementsAt(announcementsSnapshot.content ?? [], now, zone);
  const duty = dutyAt(shifts, { now, zone, lastCallMinutes });
  const onDuty = duty.tenders.flatMap((id) => tenders.find((tender) => tender.id === id) ?? []);
  const workspace = [eventsSnapshot, announcementsSnapshot, shiftsSnapshot, tendersSnapshot];
  const state = readState(workspace, { own, ical }, now);
  const takeover = currentTakeover(takeovers, now);
  const origin = config.BASE_URL ?? '';
  const hoursKnown = shifts.length > 0 || ownHours;
  const linked = links.split(',').filter(Boolean) as LinkPage[];
  const feed: EventsFeed = {
    todayEvents: events.todayEvents,
    weekEvents: events.weekEvents,
    announcements: announcements.shown.map(announcementToWire),
    pubHoursWeek: pubHoursWeek(shifts, now, zone),
    pubTender: {
      name: onDuty.map(firstName).join(' & '),
      hours: duty.hours,
      note: duty.note,
      noteState: duty.noteState,
      pageUrl: onDuty.find(({ pageUrl }) => pageUrl !== '')?.pageUrl ?? '',
      activeTenders: onDuty.map((tender) => ({
        id: tender.id,
        fullName: tender.fullName,
        showProfile: tender.showProfile,
        imageUrl: photoUrl(tender),
        ...imageWords(tender),
        qrImageUrl: qrImageUrl(tender),
        pageUrl: tender.pageUrl,
      })),
    },
    slides: listSlides(announcements.shown, events.pictured, tenders, origin),
    ...(announcements.later.length > 0 && { laterSlides: announcements.later.map(announcementSlide) }),
    ...(linked.length > 0 && { linkSlides: linked.map((page) => linkSlide(page, origin)) }),
    ...state.fields,
    carryoverEvents: events.carryoverEvents,
    hoursKnown,
    ...(hoursKnown && { pubDays: pubDaysAround(shifts, now, zone) }),
    nextWindowMin: nextMinutes,
    timeZone: zone,
    ...(takeover && { takeover }),
  };
  const changes = [events.until, announcements.until, duty.until, state.until, nextExpiry(takeovers, now)];
  return { feed, until: Math.min(...changes) };
}

function tendersFeedAt({ now }: Context, [snapshot, own]: TendersDisplay): Made<TendersFeed> {
  const { fields, until } = readState([snapshot], { own, ical: false }, now());
  return { feed: { tenders: tenderDirectory(snapshot.content ?? []), ...fields }, until };
}

function readState(
  snapshots: readonly Snapshot<unknown>[],
  { own, ical }: { own: boolean; ical: boolean },
  now: number,
): { fields: FeedState; until: number } {
  const times = snapshots.flatMap(({ readAt }) => readAt ?? []);
  const read = times.length > 0;
  const published = own || ical;
  const slice = 2 * MINUTE;
  const ownTime = now - (now % slice);
  return {
    fields: {
      lastUpdated: isoTime(read ? Math.min(...times) : published ? ownTime : now),
      source: read || published ? 'workspace' : 'placeholder',
      stale: snapshots.some(({ stale }) => stale),
      ...((read || published) && {
        contentFrom: (['house', 'workspace', 'ical'] as const).filter(
          (_from, index) => [own, read, ical][index],
        ),
      }),
    },
    // Without the workspace it carries the present time; clients cache the feed for two minutes.
    until: read ? Number.POSITIVE_INFINITY : (published ? ownTime : now) + slice,
  };
}
