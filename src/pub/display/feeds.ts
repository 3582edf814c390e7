import { isDeepStrictEqual } from 'node:util';
import { listIcalEvents } from '#content/ical/sources/shown.ts';
import { HOURS } from '#content/kinds/hours.ts';
import { SPECIAL } from '#content/kinds/special.ts';
import type { HoursRecords } from '#content/opening-hours.ts';
import { everPublished, listPublished } from '#content/records/published.ts';
import { type PubShift, readShiftContent, SHIFTS } from '#content/shifts.ts';
import { kept } from '#kernel/cache.ts';
import { isoTime, MINUTE, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type CachedResponse, cachedJson } from '#kernel/http/cached-response.ts';
import { localDate } from '#kernel/local-time.ts';
import { forClub } from '#kernel/locale.ts';
import type { Snapshot } from '#kernel/workspace/snapshot.ts';
import {
  awaitFirstContent,
  type ContentSource,
  readContent,
  refreshContent,
} from '#kernel/workspace/stored-source.ts';
import { type MenuFacts, readMenu } from '#pub/menu/facts.ts';
import { type Menu, menuAt } from '#pub/menu/list.ts';
import { findForecast, type StoredForecast, type Weather, weatherAt } from '#pub/weather/weather.ts';
import { type AnnouncedDate, announcedAt, listAnnounced } from './announced.ts';
import {
  ANNOUNCEMENTS,
  type Announcement,
  announcementsAt,
  announcementToWire,
  type PubAnnouncement,
  readAnnouncementContent,
} from './announcements.ts';
import { EVENTS, type Event, eventsAt, type PubEvent, readEventContent, type WeekEvent } from './events.ts';
import {
  dutyAt,
  type NoteState,
  type PubDay,
  type PubHoursDay,
  pubDaysAround,
  pubHoursWeek,
} from './hours.ts';
import { type LinkFacts, type LinkPage, type LinkSlide, linkSlide, listLinkPages } from './links.ts';
import { announcedSlide, announcementSlide, eventSlide, listSlides, type Slide } from './slides.ts';
import { type CurrentTakeover, currentTakeover, listTakeovers, nextExpiry } from './takeovers.ts';
import {
  firstName,
  imageWords,
  type PubTender,
  photoUrl,
  qrImageUrl,
  readTenderContent,
  TENDERS,
  type TenderDirectoryEntry,
  tenderDirectory,
} from './tenders.ts';

/** The fields of every feed. */
interface FeedState {
  /** ISO 8601: when the oldest workspace part was read; with own content only, now rounded down to two minutes. */
  lastUpdated: string;
  /** `placeholder` until the workspace was read, own content was published, or a calendar is shown. */
  source: 'workspace' | 'placeholder';
  /** The sources of the content; absent while there is none. */
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
  /** Slides that begin soon, at least all of the next two days; absent if there are none. */
  laterSlides?: Slide[];
  /** Slides with QR codes of our own pages; absent while no page has content. */
  linkSlides?: LinkSlide[];
  /** Events of yesterday that are still on. */
  carryoverEvents: Event[];
  /** Hours and note of the opening of now with `noon` and `midnight` in words; absent while inactive. */
  openingInWords?: { hours: string; note: string };
  /** False while the hours are unknown: no shift was read and no own hours were ever published. */
  hoursKnown: boolean;
  /** From yesterday on, with opening times; absent while the hours are unknown. */
  pubDays?: PubDay[];
  /** The settings that the statuses and labels depend on. */
  nextWindowMin: number;
  timeZone: string;
  /** The list of drinks and food; absent while nothing is published. */
  menu?: Menu;
  /** The notice that fills the screens; absent while there is none. */
  takeover?: CurrentTakeover;
  /** Absent while the weather is off, unknown or old. */
  weather?: Weather;
}

export interface TendersFeed extends FeedState {
  tenders: TenderDirectoryEntry[];
}

/** Days ahead when the query has no `window`. */
const DEFAULT_WINDOW = 7;
const WIDEST_WINDOW = 30;

/** Parses the `window` of a query: days from 1 to 30. More count as 30, anything else as the default. */
export function parseWindow(text: unknown): number {
  const days = typeof text === 'string' && /^\s*\d+\s*$/.test(text) ? Number(text) : 0;
  return days < 1 ? DEFAULT_WINDOW : Math.min(days, WIDEST_WINDOW);
}

/** What the feed of the events is made of. */
interface Display {
  events: Snapshot<PubEvent[]>;
  announced: readonly AnnouncedDate[];
  announcements: Snapshot<PubAnnouncement[]>;
  shifts: Snapshot<PubShift[]>;
  tenders: Snapshot<PubTender[]>;
  /** Whether own content was ever published. */
  isPublished: boolean;
  /** Whether own hours were ever published. */
  hasOwnHours: boolean;
  /** Whether an external calendar is shown, which counts as own content. */
  hasCalendar: boolean;
  takeovers: ReturnType<typeof listTakeovers>;
  forecast: StoredForecast | undefined;
  specials: HoursRecords['specials'];
  menu: MenuFacts;
  /** The pages that slides lead to. */
  links: readonly LinkPage[];
}

/** A serialised feed, and for how many milliseconds it stays the same. */
interface Serialised {
  response: CachedResponse;
  age: number;
}

/**
 * The feeds in serialised form. Each is built again only when its content changes, or at the next time at which the
 * clock changes it.
 */
export interface Feeds {
  events(windowDays: number): CachedResponse;
  tenders(): CachedResponse;
  menu(): CachedResponse;
}

/** The display may depend on the time, too. */
const DISPLAY = kept<Display>({ age: SECOND });
/** By the days of the window. */
const EVENTS_FEED = kept<Serialised>({ age: ({ age }) => age });
const MENU_FEED = kept<Serialised>({ age: ({ age }) => age });
const TENDERS_FEED = kept<Serialised>({ age: ({ age }) => age });

export function createFeeds(ctx: Context, facts: LinkFacts): Feeds {
  const { cache, hub } = ctx;
  return {
    events(windowDays) {
      const settings = hub.version('settings');
      const stored = [
        ctx.changes(),
        hub.version('content'),
        hub.version('takeovers'),
        hub.version('menu'),
        settings,
      ];
      const read = SOURCES.map((source) => readContent(ctx, source));
      const display = cache.get(DISPLAY, '', (before) => renewDisplay(ctx, facts, before), [
        ...stored,
        ...read,
      ]);
      const make = () => serialise(ctx, eventsFeedAt(ctx, display, windowDays));
      return cache.get(EVENTS_FEED, windowDays, make, [display, settings]).response;
    },
    tenders() {
      const from = [readTenderContent(ctx), everPublished(ctx), hub.version('settings')] as const;
      const make = () => serialise(ctx, tendersFeedAt(ctx, from[0], from[1]));
      return cache.get(TENDERS_FEED, '', make, from).response;
    },
    menu() {
      const facts = readMenu(ctx);
      const make = () => serialise(ctx, menuFeedAt(ctx, facts));
      return cache.get(MENU_FEED, '', make, [facts, hub.version('settings')]).response;
    },
  };
}

const serialise = ({ now }: Context, { feed, until }: Made<object>): Serialised => ({
  response: cachedJson(feed),
  age: until - now(),
});

/** Reads the current feed. Never waits for the workspace. */
export function readEventsFeed(ctx: Context, windowDays = DEFAULT_WINDOW): EventsFeed {
  return eventsFeedAt(ctx, readDisplay(ctx), windowDays).feed;
}

export function readTendersFeed(ctx: Context): TendersFeed {
  return tendersFeedAt(ctx, readTenderContent(ctx), everPublished(ctx)).feed;
}

/** Reads due content from the workspace; for a job. */
export async function refreshDisplay(ctx: Context): Promise<void> {
  await refreshContent(ctx, SOURCES);
}

/** Waits at most two seconds for content that was never read; called at the start. */
export async function awaitFirstDisplay(ctx: Context): Promise<void> {
  await awaitFirstContent(ctx, SOURCES);
}

const SOURCES: ContentSource<unknown>[] = [EVENTS, ANNOUNCEMENTS, SHIFTS, TENDERS];

/** Returns the same object while nothing in it has changed, so that the feed that was made of it stays. */
function renewDisplay(ctx: Context, facts: LinkFacts, before: Display | undefined): Display {
  const display = readDisplay(ctx, facts);
  return before && isDeepStrictEqual(display, before) ? before : display;
}

function readDisplay(ctx: Context, facts?: LinkFacts): Display {
  const events = readEventContent(ctx);
  const hasEvents = (events.content?.length ?? 0) > 0;
  return {
    events,
    announced: listAnnounced(ctx),
    announcements: readAnnouncementContent(ctx),
    shifts: readShiftContent(ctx),
    tenders: readTenderContent(ctx),
    isPublished: everPublished(ctx),
    hasOwnHours: everPublished(ctx, [HOURS, SPECIAL]),
    hasCalendar: listIcalEvents(ctx, 'screens').length > 0,
    takeovers: listTakeovers(ctx),
    forecast: findForecast(ctx),
    specials: listPublished(ctx, SPECIAL),
    menu: readMenu(ctx),
    links: facts ? listLinkPages(ctx, hasEvents, facts) : [],
  };
}

/** A feed, and until when it stays the same, in milliseconds. */
interface Made<Feed> {
  feed: Feed;
  until: number;
}

function eventsFeedAt(
  { config, now: clock }: Context,
  display: Display,
  windowDays: number,
): Made<EventsFeed> {
  const now = clock();
  const { TIME_ZONE: zone, EVENT_NEXT_WINDOW_MIN: nextMinutes, LAST_CALL_MINUTES: lastCallMinutes } = config;
  const { takeovers, links } = display;
  const tenders = display.tenders.content ?? [];
  const shifts = display.shifts.content ?? [];
  const events = eventsAt(display.events.content ?? [], { now, zone, windowDays, nextMinutes });
  const announcements = announcementsAt(display.announcements.content ?? [], now, zone);
  const announced = announcedAt(display.announced, now);
  const today = localDate(now, zone);
  const ahead = (dates: readonly AnnouncedDate[]) => dates.map((date) => announcedSlide(date, today, zone));
  const ofToday = events.pictured.map(eventSlide);
  const known = new Set(ofToday.map(({ id }) => id));
  const ofEvents = [...ofToday, ...ahead(announced.shown).filter(({ id }) => !known.has(id))];
  const later = [...announcements.later.map(announcementSlide), ...ahead(announced.later)];
  const duty = dutyAt(shifts, { now, zone, lastCallMinutes });
  const onDuty = duty.tenders.flatMap((id) => tenders.find((tender) => tender.id === id) ?? []);
  const state = readState(
    [display.events, display.announcements, display.shifts, display.tenders],
    { own: display.isPublished, ical: display.hasCalendar },
    now,
  );
  const takeover = currentTakeover(takeovers, now);
  const sky = weatherAt(display.forecast, now, config);
  const list = menuAt(display.menu, config, now);
  const origin = config.BASE_URL ?? '';
  const hoursKnown = shifts.length > 0 || display.hasOwnHours;
  const feed: EventsFeed = {
    todayEvents: events.todayEvents,
    weekEvents: events.weekEvents,
    announcements: announcements.shown.map(announcementToWire),
    pubHoursWeek: pubHoursWeek(shifts, now, zone),
    pubTender: {
      name: onDuty.map(firstName).join(' & '),
      hours: duty.hours ? forClub(duty.hours.digits) : '',
      note: forClub(duty.note),
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
    slides: listSlides(announcements.shown, ofEvents, tenders, origin),
    ...(later.length > 0 && { laterSlides: later }),
    ...(links.length > 0 && { linkSlides: links.map((page) => linkSlide(page, origin)) }),
    ...state.fields,
    carryoverEvents: events.carryoverEvents,
    ...(duty.hours && {
      openingInWords: { hours: forClub(duty.hours.inWords), note: forClub(duty.inWords) },
    }),
    hoursKnown,
    ...(hoursKnown && { pubDays: pubDaysAround(shifts, display.specials, now, zone) }),
    nextWindowMin: nextMinutes,
    timeZone: zone,
    ...(list && { menu: list.menu }),
    ...(takeover && { takeover }),
    ...(sky.weather && { weather: sky.weather }),
  };
  const changes = [
    events.until,
    sky.until,
    announced.until,
    announcements.until,
    duty.until,
    state.until,
    nextExpiry(takeovers, now),
  ];
  if (list) changes.push(list.until);
  return { feed, until: Math.min(...changes) };
}

function tendersFeedAt({ now }: Context, snapshot: Snapshot<PubTender[]>, own: boolean): Made<TendersFeed> {
  const { fields, until } = readState([snapshot], { own, ical: false }, now());
  return { feed: { tenders: tenderDirectory(snapshot.content ?? []), ...fields }, until };
}

/** The list by itself; empty while nothing is published. */
function menuFeedAt({ config, now: clock }: Context, facts: MenuFacts): Made<object> {
  const now = clock();
  const list = menuAt(facts, config, now);
  return list
    ? { feed: list.menu, until: list.until }
    : { feed: { sections: [], next: [] }, until: Number.POSITIVE_INFINITY };
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
    // Without the workspace the feed carries the current time, so it expires; clients cache it for two minutes.
    until: read ? Number.POSITIVE_INFINITY : (published ? ownTime : now) + slice,
  };
}
