import { wallTimeInWords } from '#content/recurrence/sentence.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import type { WallSpan } from './body.ts';

/**
 * Describes a clock change during a span in one sentence, as `resolveSpan` handles it; undefined if there is nothing
 * to say.
 * @param zone IANA name of the zone that the span's times are in
 */
export function describeClockChange(span: WallSpan, zone: string): Words | undefined {
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
  return minutes < 0
    ? t('content-admin.dates.clocks_back_longer', { minutes: -minutes })
    : t('content-admin.dates.clocks_forward_shorter', { minutes });
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

function ofMoment({ wall, earlier, later }: Moments, meant: 'earlier' | 'later'): Words | undefined {
  if (earlier.epochMilliseconds === later.epochMilliseconds) return undefined;
  const words = (time: Temporal.PlainDateTime) => wallTimeInWords(time.toPlainTime().toString().slice(0, 5));
  return earlier.toPlainDateTime().equals(wall)
    ? t('content-admin.dates.clocks_back_twice', { time: words(wall), meant })
    : t('content-admin.dates.clocks_forward_left_out', {
        time: words(wall),
        later: words(later.toPlainDateTime()),
      });
}
