import { t } from '#kernel/language/message.ts';
import { formatted, type Words } from '#kernel/language/words.ts';
import { forClub, hasTwelveHours } from '#kernel/locale.ts';

/**
 * Writes a sentence of at most `most` characters for the club: if needed, the name in it is cut between letters.
 * @param write puts the name into the sentence
 */
export function fitText(most: number, name: string, write: (name: string) => Words): string {
  const whole = forClub(write(name));
  if (whole.length <= most) return whole;
  const room = most - (whole.length - name.length);
  let kept = '';
  for (const { segment } of new Intl.Segmenter('en').segment(name)) {
    if (kept.length + segment.length > room - 1) break;
    kept += segment;
  }
  return forClub(write(`${kept.trimEnd()}…`));
}

/** `midnight`, `1 am`, `noon`, `10 pm`; in locales with a 24-hour clock `1:00` and `22:00`. */
export function formatHour(hour: number): Words {
  if (hour === 0) return t('common.time.midnight');
  if (hour === 12) return t('common.time.noon');
  return formatted((reader) => {
    if (!hasTwelveHours()) return t('pub.setlist.hour_without_am_pm', { hour }).for(reader);
    const words =
      hour < 12 ? t('pub.setlist.hour_am', { hour }) : t('pub.setlist.hour_pm', { hour: hour - 12 });
    return words.for(reader);
  });
}
