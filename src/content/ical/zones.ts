import { windowsZone, withoutOffset } from './windows-zones.ts';

/** Converts between wall-clock times and instants in milliseconds. A time that a clock change skips moves forward. */
export interface Zone {
  toInstant(wall: Temporal.PlainDateTime): number;
  toWall(at: number): Temporal.PlainDateTime;
}

/** Returns a zone that the runtime knows: an IANA name, or an offset such as `+01:00`. */
export const knownZone = (name: string): Zone => ({
  toInstant: (wall) => wall.toZonedDateTime(name).epochMilliseconds,
  toWall: (at) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(name).toPlainDateTime(),
});

export const UTC = knownZone('UTC');

/**
 * Returns the IANA zone or offset that a zone name stands for: an IANA name, the last parts of a path
 * (`/mozilla.org/20050126_1/Europe/Berlin`), a Windows or Outlook name, a city, or `GMT +01:00`.
 */
export function zoneNamed(text: string): string | undefined {
  const name = text.trim();
  if (name === '' || name.length > 200) return undefined;
  return (
    ianaName(name) ??
    ianaName(name.split('/').slice(-3).join('/')) ??
    ianaName(name.split('/').slice(-2).join('/')) ??
    windowsZone(name.split('/').at(-1)!) ??
    windowsZone(name) ??
    cityZone(name) ??
    offsetOf(name)
  );
}

function ianaName(name: string): string | undefined {
  // Offsets without a name are handled by offsetOf.
  if (!/^[a-z]/i.test(name)) return undefined;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    return undefined;
  }
}

let cities: Map<string, string> | undefined;

/** Returns the zone of the first city in a list that a zone is named after: `Amsterdam, Berlin`. */
function cityZone(name: string): string | undefined {
  cities ??= new Map(
    Intl.supportedValuesOf('timeZone').map((zone): [string, string] => [
      zone.split('/').at(-1)!.replaceAll('_', ' ').toLowerCase(),
      zone,
    ]),
  );
  for (const part of withoutOffset(name).toLowerCase().split(',')) {
    const zone = cities.get(part.trim().replaceAll('_', ' '));
    if (zone) return zone;
  }
  return undefined;
}

function offsetOf(name: string): string | undefined {
  const [, sign, hours, minutes = '00'] = /^(?:GMT|UTC)?\s*([+-])(\d{1,2})(?::?(\d{2}))?$/i.exec(name) ?? [];
  if (hours === undefined || Number(hours) > 14 || Number(minutes) > 59) return undefined;
  return `${sign}${hours.padStart(2, '0')}:${minutes}`;
}
