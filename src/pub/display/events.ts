import { z } from 'zod';
import { EVENT } from '#content/events/kind.ts';
import { type CalendarEntry, type EventRecord, screenEventsOf } from '#content/events/shown.ts';
import { OPEN_ENDED } from '#content/events/times.ts';
import { type IcalEvent, listIcalEvents } from '#content/ical/sources/shown.ts';
import { type Ends, endsOf } from '#content/open-ends.ts';
import { listShownPictures } from '#content/pictures/shown.ts';
import { listImportedPages, listPublished } from '#content/records/published.ts';
import { daysAfter } from '#content/recurrence/dates.ts';
import { readEventPage } from '#content/workspace/event.ts';
import { kept, oncePerObject } from '#kernel/cache.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { t } from '#kernel/language/message.ts';
import { addDays, formatDay, formatTime, localDate, startOfDate } from '#kernel/local-time.ts';
import { forClub } from '#kernel/locale.ts';
import { itemOf } from '#kernel/workspace/page-read.ts';
import { readPages } from '#kernel/workspace/reading.ts';
import { RECORDS } from '#kernel/workspace/records.ts';
import type { Snapshot } from '#kernel/workspace/snapshot.ts';
import { type ContentSource, readContent } from '#kernel/workspace/stored-source.ts';
import { imageUrl } from '#pub/page-ids.ts';
import { eventStatus } from './shared/event-status.js';

/** An event of the pub as it is stored; times in milliseconds, `end` always after `start`. */
export type PubEvent = z.output<typeof PubEvent>;
const PubEvent = z.object({
  /** Id of the workspace page or of the calendar entry; missing in content stored by earlier versions. */
  id: z.string().optional(),
  title: z.string(),
  start: z.int(),
  end: z.int(),
  allDay: z.boolean(),
  /** Present only when no end was entered: then no page says `end`. */
  openEnded: z.enum(OPEN_ENDED).optional(),
  rcTag: z.enum(['rc-direct', 'rc-affiliate']).nullable(),
  /** Never set for workspace pages. The title in the feed says it as well. */
  cancelled: z.literal(true).optional(),
  /** Only for the club's own events: the picture's `id`, and `of`, the record under which it is served. */
  picture: z.object({ id: z.string(), of: z.string() }).optional(),
  imageAlt: z.string().optional(),
  /** The focus area of the picture, 1 to 9 from the top left. */
  imageFocus: z.int().optional(),
  /** Details for the event's page; missing in content stored by earlier versions. */
  name: z.string().optional(),
  place: z.string().optional(),
  description: z.string().optional(),
  url: z.string().nullish(),
  editedAt: z.int().optional(),
});

/** An event of a later day. An all-day one has the start `All day` and an empty end. */
export interface WeekEvent {
  title: string;
  /** `Sat, Nov 21`. */
  date: string;
  /** `7:00 PM`, like `end`. */
  start: string;
  end: string;
  startIso: string;
  endIso: string;
  rcTag: PubEvent['rcTag'];
  allDay: boolean;
  /** Present only when true: no end was entered, and pages do not show the one that it is held to have. */
  open_ended?: true;
  /** Present only when true. */
  cancelled?: true;
  /** Address, alternative text and focus area (1 to 9) of the picture, if there is one. */
  imageUrl?: string;
  imageAlt?: string;
  imageFocus?: number;
}

/** An event of today, or one of yesterday that is still on. */
export interface Event extends Omit<WeekEvent, 'date'> {
  status: ReturnType<typeof eventStatus>;
}

/** An event with a picture: `imageUrl` is never empty. */
export type PicturedEvent = WeekEvent & { imageUrl: string };

/** The kinds of events that visitors can filter by, according to the organiser. */
export const EVENT_KINDS = ['direct', 'affiliate', 'other'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export function kindOfEvent({ rcTag }: Pick<PubEvent, 'rcTag'>): EventKind {
  if (rcTag === null) return 'other';
  return rcTag === 'rc-direct' ? 'direct' : 'affiliate';
}

/** Covers yesterday with a margin: the workspace may read a date without a time in another time zone. */
const DAYS_BACK = 3;
/** The widest window with a margin, in case the workspace is unavailable for days. */
const DAYS_AHEAD = 45;

/** The workspace's events that are shown in the pub, sorted by start. */
export const EVENTS: ContentSource<PubEvent[]> = {
  name: 'events',
  databaseId: (config) => config.WORKSPACE_EVENTS_DATABASE_ID,
  async read(ctx) {
    const { TIME_ZONE: zone, WORKSPACE_EVENTS_DATABASE_ID: database = '' } = ctx.config;
    const from = addDays(ctx.now(), -DAYS_BACK, zone);
    const until = addDays(ctx.now(), DAYS_AHEAD, zone);
    const pages = await readPages(ctx, database, [
      { property: RECORDS.event.start, from, until },
      { property: RECORDS.event.onTv, ticked: true },
    ]);
    return pages
      .flatMap((page) => itemOf(ctx, page, readEventPage(page, zone)) ?? [])
      .filter(({ start }) => start >= from && start < until)
      .sort(byStart);
  },
  parse: (json) => z.array(PubEvent).parse(json),
};

/** The dates of each record, until the day changes. */
const EXPAND = kept<(record: EventRecord) => ReturnType<typeof screenEventsOf>>();
const SHOWN_EVENTS = kept<Snapshot<PubEvent[]>>();
const ENDED_EVENTS = kept<Snapshot<PubEvent[]>>();

/**
 * Reads all events shown in the pub: workspace pages that were not imported, the club's own events, and those of iCal
 * calendars. Returns the same object until one of these or the date changes. Never waits for the workspace.
 */
export function readEventContent(ctx: Context): Snapshot<PubEvent[]> {
  const { TIME_ZONE: zone } = ctx.config;
  const snapshot = readContent(ctx, EVENTS);
  const own = listPublished(ctx, EVENT);
  const imported = listImportedPages(ctx, EVENT);
  const today = localDate(ctx.now(), zone);
  const calendars = listIcalEvents(ctx, 'screens');
  const pictures = listShownPictures(ctx);
  const inputs = [snapshot, own, imported, calendars, pictures, today, zone];
  const makeExpand = () => {
    const window = { from: daysAfter(today, -DAYS_BACK), until: daysAfter(today, DAYS_AHEAD) };
    return oncePerObject((record: EventRecord) => screenEventsOf(record, window, zone));
  };
  const eventsOf = ctx.cache.get(EXPAND, '', makeExpand, [today, zone]);
  const make = (): Snapshot<PubEvent[]> => {
    if (own.length === 0 && imported.size === 0 && calendars.length === 0) return snapshot;
    const pages = listWorkspaceEvents(ctx);
    const events = own.flatMap((record) => eventsOf(record).map((event) => describedEvent(event, pictures)));
    return { ...snapshot, content: [...pages, ...events, ...calendars.map(fromCalendar)].sort(byStart) };
  };
  const shown = ctx.cache.get(SHOWN_EVENTS, '', make, inputs);
  const { content = [] } = shown;
  if (content.every(({ openEnded }) => openEnded === undefined)) return shown;
  const ends = endsOfPub(ctx);
  return ctx.cache.get(ENDED_EVENTS, '', () => ({ ...shown, content: content.map(ends) }), [shown, ends]);
}

/** How the events of the screens end that have no end. */
export const endsOfPub = (ctx: Context): Ends<PubEvent> =>
  endsOf(ctx, { of: 'pub', pages: readContent(ctx, EVENTS).content, placeOf: ({ place = '' }) => place });

/** Adds the alternative text and the focus area of its picture. */
export function describedEvent(event: PubEvent, pictures: ReturnType<typeof listShownPictures>): PubEvent {
  const words = event.picture && pictures.get(event.picture.id);
  return words ? { ...event, imageAlt: words.alt, imageFocus: words.focus } : event;
}

/** Lists the events of workspace pages that were not imported. */
export function listWorkspaceEvents(ctx: Context): PubEvent[] {
  const imported = listImportedPages(ctx, EVENT);
  const { content = [] } = readContent(ctx, EVENTS);
  return content.filter(({ id }) => id === undefined || !imported.has(id));
}

const fromCalendar = ({ title: name, location: place, cancelled, ...event }: IcalEvent): PubEvent => ({
  ...event,
  name,
  place,
  title: name,
  rcTag: null,
  ...(cancelled && { cancelled }),
});

/** Lists the events of `days` days from the local date `day` on, and earlier ones that are still on, by start. */
export function pubEventsFrom(ctx: Context, day: string, days: number): PubEvent[] {
  const { TIME_ZONE: zone } = ctx.config;
  const [from, until] = [startOfDate(day, zone) ?? 0, startOfDate(day, zone, days) ?? 0];
  return (readEventContent(ctx).content ?? []).filter(
    ({ start, end }) => start < until && (start >= from || end > ctx.now()),
  );
}

/** How many days ahead visitors can look up events: as far as the feed of the screens reaches. */
const PUBLIC_DAYS = 31;

/**
 * Finds an event by its id, in the format of the calendar.
 * @param announced further events that visitors can look up
 */
export function findPubEvent(
  ctx: Context,
  id: string,
  announced: readonly PubEvent[] = [],
): (CalendarEntry & Pick<WeekEvent, 'imageUrl' | 'imageAlt' | 'imageFocus'>) | undefined {
  const { TIME_ZONE: zone } = ctx.config;
  const today = localDate(ctx.now(), zone);
  const listed = pubEventsFrom(ctx, daysAfter(today, -DAYS_BACK), PUBLIC_DAYS + DAYS_BACK);
  const event = [...listed, ...announced].find((one) => one.id === id);
  if (!event) return undefined;
  const { title, name = title, place = '', description = '', url = null, cancelled = false } = event;
  const { start, end, allDay, openEnded, editedAt = start } = event;
  const { imageUrl, imageAlt, imageFocus } = eventToWire(event, zone);
  return {
    id,
    title: name,
    start,
    end,
    allDay,
    openEnded,
    location: place,
    description,
    url,
    cancelled,
    editedAt,
    ...(imageUrl && { imageUrl, imageAlt: imageAlt ?? '', ...(imageFocus && { imageFocus }) }),
  };
}

/** Returns the event lists of the feed at `now`, and until when they stay the same. */
export function eventsAt(
  events: readonly PubEvent[],
  {
    now,
    zone,
    windowDays,
    nextMinutes,
  }: { now: number; zone: string; windowDays: number; nextMinutes: number },
): {
  todayEvents: Event[];
  weekEvents: WeekEvent[];
  carryoverEvents: Event[];
  /** Events with a picture that are on today and not over. */
  pictured: PicturedEvent[];
  until: number;
} {
  const day = (offset: number) => startOfDate(localDate(now, zone), zone, offset)!;
  const [yesterday, today, tomorrow] = [day(-1), day(0), day(1)];
  const between = (from: number, until: number) =>
    events.filter(({ start }) => start >= from && start < until);
  const withStatus = (event: PubEvent): Event => {
    const { date: _date, ...rest } = eventToWire(event, zone);
    return { ...rest, status: eventStatus(rest.startIso, rest.endIso, now, nextMinutes) };
  };

  const ofToday = between(today, tomorrow);
  const carried = between(yesterday, today).filter(({ end }) => end > now);
  const moments = [...ofToday, ...carried].flatMap(({ start, end }) => [
    start - nextMinutes * 60_000,
    start,
    end,
  ]);
  return {
    todayEvents: ofToday.map(withStatus),
    weekEvents: between(tomorrow, day(windowDays + 1)).map((event) => eventToWire(event, zone)),
    carryoverEvents: carried.map(withStatus),
    pictured: [...carried, ...ofToday.filter(({ end }) => end > now)].flatMap((event) =>
      event.picture ? { ...eventToWire(event, zone), imageUrl: eventImageUrl(event.picture) } : [],
    ),
    until: Math.min(tomorrow, ...moments.filter((moment) => moment > now)),
  };
}

export function eventToWire(
  { title, start, end, allDay, openEnded, rcTag, cancelled, picture, imageAlt, imageFocus }: PubEvent,
  zone: string,
): WeekEvent {
  return {
    title: cancelled ? forClub(t('tv.feed.cancelled', { title })) : title,
    date: formatDay(start, zone),
    start: allDay ? forClub(t('tv.feed.all_day')) : formatTime(start, zone),
    end: allDay ? '' : formatTime(end, zone),
    startIso: isoTime(start),
    endIso: isoTime(end),
    rcTag,
    allDay,
    ...(openEnded && { open_ended: true }),
    ...(cancelled && { cancelled }),
    ...(picture && { imageUrl: eventImageUrl(picture), imageAlt: imageAlt ?? '' }),
    ...(picture && imageFocus !== undefined && { imageFocus }),
  };
}

const eventImageUrl = ({ of, id }: NonNullable<PubEvent['picture']>): string => imageUrl('event', of, id);

const byStart = (a: PubEvent, b: PubEvent) =>
  a.start - b.start || a.end - b.end || (a.title < b.title ? -1 : 1);
