import { type FieldError, fieldError } from '#kernel/http/errors.ts';

/**
 * Reads a time of day as people type it: `8pm`, `8:30 p.m.`, `20.00`, `20h`, `20h30`, `20:00`, `2000`.
 * @returns `20:00`, or undefined for other text. A bare hour such as `8` is refused as ambiguous: morning or evening?
 */
export function readTypedTime(text: string): string | undefined {
  const typed = text.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, ' ');
  if (typed === 'noon') return '12:00';
  if (typed === 'midnight') return '00:00';
  const half = /^(\d{1,2})(?:[:.](\d{2}))? ?([ap])\.? ?m\.?$/.exec(typed);
  if (half) {
    const hour = Number(half[1]);
    if (hour < 1 || hour > 12) return undefined;
    return timeOf((hour % 12) + (half[3] === 'p' ? 12 : 0), half[2]);
  }
  const whole =
    /^(\d{1,2})[:.](\d{2})(?: ?(?:h|uhr))?$/.exec(typed) ??
    /^(\d{1,2}) ?(?:h|uhr)(?: ?(\d{2}))?$/.exec(typed) ??
    /^(\d{2})(\d{2})$/.exec(typed) ??
    // Some browsers send the seconds of a time field.
    /^(\d{2}):(\d{2}):00(?:\.0+)?$/.exec(typed);
  return whole ? timeOf(Number(whole[1]), whole[2]) : undefined;
}

/** Start and end of a typed time span, in the format of a body. */
export interface TypedSpan {
  time: string | null;
  end_time: string | null;
  /** 1 if the end is on the next day. */
  end_days: number;
}

/**
 * Reads the two times of a form. An end that is not after the start is on the next day; both empty means all day.
 * @returns the problems if they cannot be read, with the field names given by `names`
 */
export function readTypedSpan(
  from: string,
  until: string,
  names = { from: 'time', until: 'end_time' },
): { span: TypedSpan } | { problems: FieldError[] } {
  const time = readTypedTime(from);
  const end = /^24[:.]?00$/.test(until.trim()) ? '00:00' : readTypedTime(until);
  const problems: FieldError[] = [];
  if (from.trim() !== '' && time === undefined) problems.push(notTime(names.from, from));
  if (until.trim() !== '' && end === undefined) problems.push(notTime(names.until, until));
  if (problems.length > 0) return { problems };
  if (time === undefined) {
    if (end === undefined) return { span: { time: null, end_time: null, end_days: 0 } };
    return { problems: [fieldError(names.from, 'begin_missing')] };
  }
  if (end === undefined) return { span: { time, end_time: null, end_days: 0 } };
  if (end === time) return { problems: [fieldError(names.until, 'whole_day_span', { time })] };
  return { span: { time, end_time: end, end_days: end > time ? 0 : 1 } };
}

const notTime = (path: string, text: string): FieldError =>
  fieldError(path, 'not_time_of_day', { text: text.trim().slice(0, 20) });

function timeOf(hour: number, minutes = '00'): string | undefined {
  return hour < 24 && Number(minutes) < 60 ? `${String(hour).padStart(2, '0')}:${minutes}` : undefined;
}
