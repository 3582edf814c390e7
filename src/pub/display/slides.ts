import { createHash } from 'node:crypto';
import { isoTime } from '#kernel/clock.ts';
import { t } from '#kernel/language/message.ts';
import { localDate } from '#kernel/local-time.ts';
import { forClub } from '#kernel/locale.ts';
import type { AnnouncedDate } from './announced.ts';
import { announcementImageUrl, type ShownAnnouncement } from './announcements.ts';
import { eventToWire, type PubEvent, type WeekEvent } from './events.ts';
import type { LinkSlide } from './links.ts';
import { imageWords, type PubTender, photoUrl, profileUrl, qrImageUrl, takesTips } from './tenders.ts';

/** An announcement with a text, an image, or both: `body` and `imageUrl` may be empty. */
export interface AnnouncementSlide {
  id: string;
  type: 'announcement';
  title: string;
  body: string;
  priority: string;
  durationMs: number | null;
  imageUrl: string;
  /** Only for the club's own pictures: the alternative text, empty for decoration, and the focus area, 1 to 9. */
  imageAlt?: string;
  imageFocus?: number;
  /** When to show it: half-open ISO 8601 intervals; absent means always. */
  windows?: [start: string, end: string][];
  /** Names of the screens that show it; absent means all. */
  screens?: string[];
}

export interface TenderSlide {
  id: string;
  type: 'tender';
  title: string;
  name: string;
  /** Empty when there is no photo. */
  imageUrl: string;
  imageAlt?: string;
  imageFocus?: number;
  qrImageUrl: string;
  /** Where the QR code leads. */
  qrUrl: string;
  /** Whether there is a way to tip; absent otherwise. */
  tips?: true;
}

export type Slide = AnnouncementSlide | TenderSlide;

/** A slide of the feed as a screen reads it: with the fields of every kind, whatever its own is. */
export type AnySlide = {
  [Field in Exclude<FieldOf<FeedSlide>, 'type'>]?: ValueOf<FeedSlide, Field> | undefined;
} & Pick<FeedSlide, 'type'>;
type FeedSlide = Slide | LinkSlide;
type FieldOf<Kind> = Kind extends unknown ? keyof Kind : never;
type ValueOf<Kind, Field> = Kind extends unknown ? (Field extends keyof Kind ? Kind[Field] : never) : never;

/**
 * Lists the announcements in their order, the slides of events, then every active tender with `meet`, on duty or not.
 * @param origin prefix of the addresses in QR codes, empty for relative ones
 */
export function listSlides(
  announcements: readonly ShownAnnouncement[],
  events: readonly AnnouncementSlide[],
  tenders: readonly PubTender[],
  origin: string,
): Slide[] {
  return [
    ...announcements.map(announcementSlide),
    ...events,
    ...tenders
      .filter(({ active, meet }) => active && meet)
      .map((tender): TenderSlide => {
        const { id, fullName } = tender;
        return {
          id: `tender-${stableNumber(id)}`,
          type: 'tender',
          title: forClub(t('tv.feed.meet')),
          name: fullName,
          imageUrl: photoUrl(tender),
          ...imageWords(tender),
          qrImageUrl: qrImageUrl(tender),
          qrUrl: origin + profileUrl(id),
          ...(takesTips(tender) && { tips: true as const }),
        };
      }),
  ];
}

/** The id of the slide of an announcement. */
export const announcementSlideId = (id: string): string => `announcement-${stableNumber(id)}`;

/** Builds the slide of an announcement. */
export function announcementSlide(announcement: ShownAnnouncement): AnnouncementSlide {
  const { id, title, content, priority, duration, windows, screens = [] } = announcement;
  return {
    id: announcementSlideId(id),
    type: 'announcement',
    title,
    body: content,
    priority,
    durationMs: duration === null ? null : duration * 1_000,
    imageUrl: announcementImageUrl(announcement),
    ...imageWords(announcement),
    ...(windows && {
      windows: windows.map(([start, end]): [string, string] => [isoTime(start), isoTime(end)]),
    }),
    ...(screens.length > 0 && { screens }),
  };
}

/** Builds the slide of an event, shown until it ends; of the type `announcement`, which all screens can show. */
export function eventSlide(event: EventOnSlide): AnnouncementSlide {
  const { id = '', title, startIso, endIso, imageUrl = '', imageAlt = '', imageFocus } = event;
  return {
    id: `event-${stableNumber(`${imageUrl || id} ${startIso}`)}`,
    type: 'announcement',
    title,
    body: timesOf(event),
    priority: 'normal',
    durationMs: null,
    imageUrl,
    ...imageWords({ imageAlt, imageFocus }),
    windows: [[isoTime(0), endIso]],
  };
}

/** The times of an event in words. */
const timesOf = ({ start, end, open_ended }: EventOnSlide): string =>
  open_ended ? forClub(t('tv.feed.from', { time: start })) : end ? `${start} – ${end}` : start;

/** An event as the feed gives it; the id stands in for a picture. */
type EventOnSlide = Omit<WeekEvent, 'date'> & Pick<PubEvent, 'id'>;

/** Builds the slide that announces an event, with its date unless that is `today`. */
export function announcedSlide(
  { event, from }: AnnouncedDate,
  today: string,
  zone: string,
): AnnouncementSlide {
  const { date, ...wire } = eventToWire(event, zone);
  const slide = eventSlide({ ...wire, id: event.id });
  const dated = () => {
    if (wire.allDay) return date;
    if (wire.open_ended) return forClub(t('tv.feed.date_from', { date, time: wire.start }));
    return forClub(t('common.time.day_and_time', { day: date, time: timesOf(wire) }));
  };
  const body = localDate(event.start, zone) <= today ? slide.body : dated();
  return { ...slide, body, windows: [[isoTime(from), wire.endIso]] };
}

/** A number that depends on the page's id only, so it stays the same when other pages change. */
const stableNumber = (pageId: string): number =>
  createHash('sha256').update(pageId).digest().readUIntBE(0, 6);
