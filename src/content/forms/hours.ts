import type { HoursBody } from '#content/kinds/hours.ts';
import { range, WEEKDAYS, type Weekday } from '#content/records/fields.ts';
import { badFields } from '#kernel/http/errors.ts';
import { fieldErrors } from '#kernel/http/validation.ts';
import { type ContentForm, type FormValues, readNumber, readRange, ticked, typed } from './form.ts';

type Range = HoursBody['week'][Weekday][number];

/** How many ranges of a day the form has fields for. */
export const RANGES_SHOWN = 2;

/** The names of the fields for hours that several days share: the ticked days, and their range. */
export const SAME = { days: 'same.days', range: 'same' } as const;

/**
 * The form of a week: two ranges a day, one that replaces the first range of several days, the crew of each day, and how
 * many minutes before and after the hours the shift lasts. If the minutes differ within the week, the field is empty and
 * an empty field keeps them. Throws 400 where several days are ticked without their times.
 */
export const hoursForm: ContentForm = {
  toForm(body) {
    const { from, week, note } = body as HoursBody;
    const all = WEEKDAYS.flatMap((day) => week[day]);
    const values: FormValues = { from, note, before: common(all, 'before'), after: common(all, 'after') };
    for (const day of WEEKDAYS) {
      values[`crew.${day}`] = [...new Set(week[day].flatMap(({ tenders }) => tenders))];
      for (const [index, { opens, closes }] of week[day].entries()) {
        values[`week.${day}.${index}.opens`] = opens;
        values[`week.${day}.${index}.closes`] = closes;
      }
    }
    return values;
  },
  fromForm(entered, base) {
    const opened = (base as HoursBody | undefined)?.week;
    const minutes = (name: 'before' | 'after') => {
      const value = readNumber(typed(entered, name));
      return value === null ? {} : { [name]: value };
    };
    const sameDays = ticked(entered, SAME.days);
    const same = sameDays.length > 0 ? readSame(entered) : null;
    const day = (name: Weekday) => {
      const stored = opened?.[name] ?? [];
      const crew = ticked(entered, `crew.${name}`);
      const before = [...new Set(stored.flatMap(({ tenders }) => tenders))];
      const isSameCrew = crew.length === before.length && crew.every((id) => before.includes(id));
      const ranges = Array.from({ length: RANGES_SHOWN }, (_, index) => {
        const isSame = index === 0 && sameDays.includes(name);
        const hours = isSame ? same : readRange(entered, `week.${name}.${index}`);
        if (!hours) return [];
        const kept: Partial<Range> = stored[index] ?? {};
        const tenders = isSameCrew && kept.tenders ? kept.tenders : crew;
        return [{ ...kept, ...hours, ...minutes('before'), ...minutes('after'), tenders }];
      });
      return [...ranges.flat(), ...stored.slice(RANGES_SHOWN)];
    };
    return {
      from: typed(entered, 'from'),
      week: Object.fromEntries(WEEKDAYS.map((name) => [name, day(name)])),
      note: typed(entered, 'note'),
    };
  },
};

/** The hours of the ticked days. Without both times these days would be published as closed. @throws 400 at the fields */
function readSame(entered: Readonly<Record<string, unknown>>) {
  const read = range.safeParse(readRange(entered, SAME.range) ?? { opens: '', closes: '' });
  if (read.success) return read.data;
  throw badFields(fieldErrors(read.error).map((one) => ({ ...one, path: `${SAME.range}.${one.path}` })));
}

function common(ranges: readonly Range[], field: 'before' | 'after'): string {
  const [first, ...others] = new Set(ranges.map((range) => range[field]));
  return first === undefined || others.length > 0 ? '' : String(first);
}
