import ical, { type ICalEventData, ICalEventStatus, ICalEventTransparency } from 'ical-generator';
import { tzlib_get_ical_block, tzlib_get_offset, tzlib_get_timezones } from 'timezones-ical-library';
import { HOUR, SECOND } from '#kernel/clock.ts';
import { nearestName } from '#kernel/settings/colour-names.ts';
import { cleanLine, cleanText, escapeText, fold, unescapeText, unfold } from './ics-text.ts';
import type { Program } from './programme.ts';
import { sequenceOf } from './sequence.ts';

export interface FeedContent {
  /** The name of the feed; undefined for the file of one event, which programs would else open as a new calendar. */
  title?: string | undefined;
  /** The page with the same content; undefined while BASE_URL is not set. */
  url?: string | undefined;
  /** IANA name of the zone in which times are written. */
  zone: string;
  /** Of a feed: the club's accent, `#rrggbb`. */
  accent?: string;
  /** The club's language, of which the product identifier says that the texts are. */
  language?: string;
  programs: readonly Program[];
}

/** Refresh interval of an hour, for calendar programs that take it from the feed. */
const REFRESH_SECONDS = HOUR / SECOND;
const LONGEST = { line: 300, text: 8_000, url: 2_000 };

/**
 * Renders the feed (RFC 5545, RFC 7986). The same content gives the same bytes: nothing depends on the current time or
 * the machine. It has no METHOD, which would make it a scheduling message: RFC 5546 (3.2.1) requires an ORGANIZER for
 * these.
 */
export function renderFeed({
  title,
  url,
  zone,
  accent = '',
  language = 'en',
  programs,
}: FeedContent): string {
  const known = zoneOf(zone);
  const calendar = ical({
    prodId: { company: 'Public House', product: 'Programme', language: language.toUpperCase() },
    scale: 'GREGORIAN',
    ...(title !== undefined && {
      // The library does not escape the name.
      name: escapeText(cleanLine(title, LONGEST.line)),
      ttl: REFRESH_SECONDS,
      color: accent.toUpperCase(),
      ...(url && { url }),
    }),
    // With a name, DTSTAMP would be in local time. Without events there is no DTSTAMP, and the calendar needs the zone
    // as its only component to be valid.
    timezone: {
      name: programs.length === 0 ? known.id : null,
      generator: (name) => (name === known.id ? known.block : null),
    },
  });
  const agrees = agreement(known.id);
  for (const program of programs) calendar.createEvent(eventOf(program, zone, known.id, agrees));
  // Apple reads the digits, RFC 7986 requires a colour name.
  return tidy(calendar.toString(), title === undefined ? undefined : nearestName(accent));
}

/** The number of a program's changes. */
export const numberOf = ({ sequence, editedAt }: Program): number => sequence ?? sequenceOf(editedAt);

/** Returns a text of one line as it is in the feed. */
export const lineOf = (text: string): string => cleanLine(text, LONGEST.line);
/** Returns a longer text as it is in the feed. */
export const textOf = (text: string): string => cleanText(text, LONGEST.text);

/** The UID of an event. It must never change, so it contains no setting. */
export const uidOf = ({ id, uid = id }: Program): string => `${uid.replace(/[^0-9a-z-]/gi, '')}@publichouse`;

/** The web address of a program, if it is valid and not too long for the feed. */
export function urlOf({ url }: Program): string | undefined {
  const href = url === null ? undefined : URL.parse(url)?.href;
  return href && href.length <= LONGEST.url ? href : undefined;
}

function eventOf(
  program: Program,
  zone: string,
  tzid: string | null,
  agrees: (at: Temporal.ZonedDateTime) => boolean,
): ICalEventData {
  const edited = Temporal.Instant.fromEpochMilliseconds(program.editedAt);
  const at = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  const [start, end] = [at(program.start), at(program.end)];
  const local = tzid !== null && [start, end].every((time) => isPlain(time) && agrees(time));
  const times = program.allDay
    ? { allDay: true, start: start.toPlainDate(), end: end.toPlainDate() }
    : local
      ? { timezone: tzid, start, end }
      : { start: start.toInstant(), end: end.toInstant() };
  const url = urlOf(program);
  const location = lineOf(program.location);
  const description = textOf(program.description);
  return {
    id: uidOf(program),
    sequence: numberOf(program),
    stamp: edited,
    lastModified: edited,
    ...times,
    summary: lineOf(program.title),
    ...(location && { location }),
    ...(description && { description: { plain: description } }),
    ...(url && { url }),
    status: program.cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    // Events of the club do not mark its members as busy.
    transparency: ICalEventTransparency.TRANSPARENT,
  };
}

/** Whether a local time is unambiguous. In an hour that a clock change repeats, calendar programs differ. */
function isPlain(time: Temporal.ZonedDateTime): boolean {
  const local = time.toPlainDateTime();
  const read = (disambiguation: 'earlier' | 'later') =>
    local.toZonedDateTime(time.timeZoneId, { disambiguation }).epochMilliseconds;
  return read('earlier') === read('later');
}

/** Returns the zone's VTIMEZONE and the name in it. A TZID with an alias of that name would refer to nothing. */
function zoneOf(zone: string): { id: string | null; block: string } {
  const [block = '', id = ''] = zones().has(zone) ? tzlib_get_ical_block(zone) : [];
  return block ? { id: id.replace(/^TZID=/, ''), block } : { id: null, block };
}

let known: Set<string> | undefined;
const zones = () => {
  known ??= new Set(tzlib_get_timezones());
  return known;
};

/** Checks whether a VTIMEZONE agrees with the time zone database on a day; otherwise times are written in UTC. */
function agreement(tzid: string | null): (time: Temporal.ZonedDateTime) => boolean {
  const days = new Map<string, boolean>();
  return (time) =>
    tzid !== null &&
    days.getOrInsertComputed(time.toPlainDate().toString(), (day) => {
      const { offset } = time.with({ hour: 12, minute: 0, second: 0 });
      return tzlib_get_offset(tzid, day, '12:00') === offset.replace(':', '');
    });
}

/** Puts the calendar's own properties before its components, as the grammar requires, and ends with a line break. */
function tidy(text: string, colour: string | undefined): string {
  const own: string[] = [];
  const components: string[] = [];
  let depth = 0;
  for (const line of unfold(text)) {
    if (line.startsWith('END:')) depth -= 1;
    if (depth > 1 || (depth === 1 && /^(?:BEGIN|END):/.test(line))) components.push(plainUrl(line));
    else if (depth === 1) own.push(line);
    if (line.startsWith('BEGIN:')) depth += 1;
  }
  if (colour !== undefined) own.push(`COLOR:${colour}`);
  return ['BEGIN:VCALENDAR', ...own, ...components, 'END:VCALENDAR'].map(fold).join('');
}

/** Removes the library's escapes from a URL, which is not a text value: backslashes would be part of the address. */
function plainUrl(line: string): string {
  const [, name, value = ''] = /^(URL[^:]*:)(.*)$/.exec(line) ?? [];
  return name === undefined ? line : name + unescapeText(value);
}
