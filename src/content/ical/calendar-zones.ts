import { type Component, lineOf } from './components.ts';
import { fileZone } from './file-zones.ts';
import type { Line } from './lines.ts';
import { unescapeValue } from './text.ts';
import { parseTime } from './times.ts';
import { knownZone, UTC, type Zone, zoneNamed } from './zones.ts';

/** A date or time with its zone. */
export interface Moment {
  wall: Temporal.PlainDateTime;
  zone: Zone;
  isDate: boolean;
}

const NAMES_AT_MOST = 1_000;

/** Resolves the time zones of one calendar in a file, and reads times in them. */
export class CalendarZones {
  readonly club: Zone;
  /** The zone of times that name none. */
  readonly #floating: Zone;
  readonly #fallback: Zone;
  readonly #own = new Map<string, Zone>();
  readonly #named = new Map<string, Zone>();

  constructor(calendar: Component, clubZone: string, window: { from: number; until: number }) {
    this.club = knownZone(clubZone);
    for (const part of calendar.parts.slice(0, NAMES_AT_MOST)) {
      if (part.name !== 'VTIMEZONE') continue;
      const zone = fileZone(part, window);
      if (zone) this.#own.set(nameOf(lineOf(part, 'TZID')?.value), zone);
    }
    const said = zoneNamed(unescapeValue(lineOf(calendar, 'X-WR-TIMEZONE')?.value ?? ''));
    const only = this.#own.size === 1 ? [...this.#own.values()][0] : undefined;
    this.#floating = said ? knownZone(said) : this.club;
    this.#fallback = said ? this.#floating : (only ?? this.club);
  }

  /**
   * Reads the time of a property; undefined if it cannot be read. A date is a day of the club, whatever the zone of the
   * file: Christmas Day begins at the club's midnight.
   * @param params of the property; `VALUE=DATE` makes a date of a time
   * @param floating the zone of a time that names none, if it is not the calendar's
   */
  read(text: string, params: Line['params'], floating = this.#floating): Moment | undefined {
    const time = parseTime(text);
    if (!time) return undefined;
    const { wall, isDate, isUtc } = time;
    if (isDate || /^DATE$/i.test(params.VALUE ?? '')) return this.dateOf(wall);
    return { wall, isDate, zone: isUtc ? UTC : params.TZID ? this.#find(params.TZID) : floating };
  }

  /** Returns the day of a wall-clock time as a date of the club. */
  dateOf(wall: Temporal.PlainDateTime): Moment {
    return { wall: wall.toPlainDate().toPlainDateTime(), zone: this.club, isDate: true };
  }

  #find(tzid: string): Zone {
    const known = this.#named.get(tzid);
    if (known) return known;
    const name = zoneNamed(nameOf(tzid));
    const zone = name ? knownZone(name) : (this.#own.get(nameOf(tzid)) ?? this.#fallback);
    if (this.#named.size < NAMES_AT_MOST) this.#named.set(tzid, zone);
    return zone;
  }
}

const nameOf = (tzid = '') => unescapeValue(tzid).replaceAll('"', '').trim();

export const instantOf = ({ wall, zone }: Moment): number => zone.toInstant(wall);

/** Returns the wall-clock time of a moment in another zone; a date without a time is unchanged. */
export const wallIn = (zone: Zone, moment: Moment): Temporal.PlainDateTime =>
  moment.isDate || moment.zone === zone ? moment.wall : zone.toWall(instantOf(moment));

/** Returns the date that a time stands for in an all-day series. */
export const dayOf = (moment: Moment, club: Zone): string => wallOfDay(moment, club).toPlainDate().toString();

/**
 * Returns the wall-clock time that a time stands for in an all-day event: programs write such times as midnight in
 * their own zone or UTC, or as the instant of midnight in the club's zone.
 */
export function wallOfDay(moment: Moment, club: Zone): Temporal.PlainDateTime {
  if (moment.isDate) return moment.wall;
  const local = club.toWall(instantOf(moment));
  return isMidnight(local) ? local : moment.wall;
}

export const isMidnight = ({ hour, minute, second }: Temporal.PlainDateTime): boolean =>
  hour + minute + second === 0;
