import { wallTimeInWords } from '#content/recurrence/sentence.ts';
import type { WallSpan } from './body.ts';

/**
 * Describes a clock change during a span in one sentence, as `resolveSpan` handles it; undefined if there is nothing
 * to say.
 * @param zone IANA name of the zone that the span's times are in
 */
export function describeClockChange(span: WallSpan, zone: string): string | undefined {
  const { date, time, end_time, end_days } = span;
  if (time === null) return undefined;
  const day = Temporal.PlainDate.from(date);
  const start = momentsOf(day.toPlainDateTime(time), zone);
  const end =
    end_time === null ? start : momentsOf(day.add({ days: end_days }).toPlainDateTime(end_time), zone);
  const sentence = ofMoment(start, 'earlier') ?? ofMoment(end, 'later');
  if (sentence) return sentence;
  const minutes = (end.later.offsetNanoseconds - start.earlier.offsetNanoseconds) / 60e9;
  // A changed length is not worth a note for an event over several days.
  if (minutes === 0 || end_days > 1) return undefined;
  const size = Math.abs(minutes) === 60 ? 'an hour' : `${Math.abs(minutes)} minutes`;
  return minutes < 0
    ? `Clocks go back that night: it is ${size} longer than they say.`
    : `Clocks go forward that night: it is ${size} shorter than they say.`;
}

interface Moments {
  wall: Temporal.PlainDateTime;
  earlier: Temporal.ZonedDateTime;
  later: Temporal.ZonedDateTime;
}

/** Returns the two instants that a wall-clock time can mean; usually both are the same. */
function momentsOf(wall: Temporal.PlainDateTime, zone: string): Moments {
  const at = (disambiguation: 'earlier' | 'later') => wall.toZonedDateTime(zone, { disambiguation });
  return { wall, earlier: at('earlier'), later: at('later') };
}

function ofMoment({ wall, earlier, later }: Moments, meant: 'earlier' | 'later'): string | undefined {
  if (earlier.epochMilliseconds === later.epochMilliseconds) return undefined;
  const words = (time: Temporal.PlainDateTime) => wallTimeInWords(time.toPlainTime().toString().slice(0, 5));
  return earlier.toPlainDateTime().equals(wall)
    ? `Clocks go back that night: ${words(wall)} comes twice; the ${meant} one is meant.`
    : `Clocks go forward that night: ${words(wall)} is left out; ${words(later.toPlainDateTime())} is meant.`;
}
