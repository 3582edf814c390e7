import { wallTimeInWords } from '#content/recurrence/sentence.ts';
import { t } from '#kernel/language/message.ts';
import { commas, dateInList } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { namedWeekdays, type Weekday } from './fields.ts';
import { type Body, type Kind, type ListedAt, titleOf } from './kind.ts';

/** A local date, or one with a time of day: `Sat, Nov 21, 8:00 PM`. */
export function momentInList(moment: string, { now, zone }: ListedAt): Words {
  const [date = '', time] = moment.split('T');
  const day = dateInList(date, now, zone);
  return time ? t('content-admin.dates.moment', { date: day, time: wallTimeInWords(time) }) : day;
}

/** `12:00 PM – 5:00 PM, 6:00 PM – 11:00 PM`. */
export const rangesInList = (ranges: readonly { opens: string; closes: string }[]): Words | undefined =>
  commas(
    ranges.map(({ opens, closes }) =>
      t('content-admin.kinds.range', { opens: wallTimeInWords(opens), closes: wallTimeInWords(closes) }),
    ),
  );

/** `Mon, Tue, 5:00 PM – 7:00 PM`; without days and hours it is `Always`. */
export function timesInList({
  days,
  between,
}: {
  days: readonly Weekday[];
  between: { from: string; to: string } | null;
}): Words {
  const names = namedWeekdays('short').filter(([day]) => days.includes(day));
  const hours = between && rangesInList([{ opens: between.from, closes: between.to }]);
  return commas([...names.map(([, name]) => name), hours]) ?? t('content-admin.kinds.always');
}

/** Orders bodies for a list: the soonest first, what is over at the end, the latest of it first. */
export function soonestFirst<B extends Body>(
  kind: Kind<B>,
  about: ListedAt,
): ((a: B, b: B) => number) | undefined {
  const { soonest } = kind;
  if (!soonest) return undefined;
  const known = new Map<B, string | undefined>();
  const keyOf = (body: B) => {
    if (!known.has(body)) known.set(body, soonest(body, about));
    return known.get(body);
  };
  const end = (body: B) => kind.dates?.(body)?.to ?? '';
  const inOrder = (a: string, b: string) => (a < b ? -1 : Number(a > b));
  return (a, b) => {
    const [first, second] = [keyOf(a), keyOf(b)];
    if (first === undefined && second === undefined) return inOrder(end(b), end(a));
    if (first === undefined || second === undefined) return first === undefined ? 1 : -1;
    return inOrder(first, second) || inOrder(titleOf(kind, a), titleOf(kind, b));
  };
}
