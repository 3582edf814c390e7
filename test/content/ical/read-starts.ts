import { readCalendarFile } from '#content/ical/calendar-file.ts';
import { UnreadableFile } from '#content/ical/components.ts';

export const CLUB = 'America/New_York';
const at = (date: string) => Date.parse(`${date}T00:00:00-04:00`);
export const WINDOW = { from: at('2026-11-01'), seriesFrom: at('2026-11-01'), until: at('2027-06-01') };

/** Returns the starts in a file in the format of the cases, or why it cannot be read. */
export function readStarts(bytes: Uint8Array): string[] | string {
  try {
    const { dates } = readCalendarFile(bytes, { window: WINDOW, clubZone: CLUB });
    return dates.map(({ start, entry, cancelled }) => {
      const instant = Temporal.Instant.fromEpochMilliseconds(start);
      const text = entry.start.isDate
        ? `${instant.toZonedDateTimeISO(CLUB).toPlainDate()} day`
        : instant.toString({ smallestUnit: 'minute' });
      return cancelled ? `${text} cancelled` : text;
    });
  } catch (error) {
    if (error instanceof UnreadableFile) return error.message;
    throw error;
  }
}
