import { formatNumber, hasTwelveHours } from '#kernel/locale.ts';

/** Builds a sentence of at most `most` characters: if needed, the name in the middle is cut between letters. */
export function fitText(most: number, before: string, name: string, after: string): string {
  const room = most - before.length - after.length;
  if (name.length <= room) return before + name + after;
  let kept = '';
  for (const { segment } of new Intl.Segmenter('en').segment(name)) {
    if (kept.length + segment.length > room - 1) break;
    kept += segment;
  }
  return `${before}${kept.trimEnd()}…${after}`;
}

/** `100th`, `501st` */
export function formatOrdinal(value: number): string {
  const ending = { one: 'st', two: 'nd', few: 'rd' }[RULES.select(value) as string] ?? 'th';
  return formatNumber(value) + ending;
}

const RULES = new Intl.PluralRules('en-US', { type: 'ordinal' });

/** `midnight`, `1 am`, `noon`, `10 pm`; in locales with a 24-hour clock `1:00` and `22:00`. */
export function formatHour(hour: number): string {
  if (hour === 0) return 'midnight';
  if (hour === 12) return 'noon';
  if (!hasTwelveHours()) return `${hour}:00`;
  return hour < 12 ? `${hour} am` : `${hour - 12} pm`;
}
