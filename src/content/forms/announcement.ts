import { ALL_SCREENS, type AnnouncementBody } from '#content/kinds/announcement.ts';
import { type ContentForm, readNumber, readPicture, readTime, ticked, typed } from './form.ts';

export const announcementForm: ContentForm = {
  toForm(body) {
    const { title, text, priority, seconds, from, until, days, between, screens, picture } =
      body as AnnouncementBody;
    return {
      title,
      text,
      priority,
      seconds: String(seconds ?? ''),
      days,
      screens: screens.length === 0 ? [ALL_SCREENS] : screens,
      'from.date': from?.slice(0, 10) ?? '',
      'from.time': from?.slice(11) ?? '',
      'until.date': until?.slice(0, 10) ?? '',
      'until.time': until?.slice(11) ?? '',
      'between.from': between?.from ?? '',
      'between.to': between?.to ?? '',
      'picture.id': picture ?? '',
    };
  },
  fromForm(entered, base) {
    const moment = (name: string) => {
      const [date, time] = [typed(entered, `${name}.date`), readTime(typed(entered, `${name}.time`))];
      if (date === '' && time === '') return null;
      return time === '' ? date : `${date}T${time}`;
    };
    const [from, to] = [typed(entered, 'between.from'), typed(entered, 'between.to')];
    return {
      title: typed(entered, 'title'),
      text: typed(entered, 'text'),
      priority: typed(entered, 'priority') || 'normal',
      seconds: readNumber(typed(entered, 'seconds')),
      from: moment('from'),
      until: moment('until'),
      days: ticked(entered, 'days'),
      between: from === '' && to === '' ? null : { from: readTime(from), to: readTime(to) },
      screens: readScreens(entered, (base as AnnouncementBody | undefined)?.screens ?? []),
      ...readPicture(entered),
    };
  },
};

/**
 * Returns the names that were ticked or typed; an empty list means all screens. If both names and “all screens” are
 * ticked, the one that the form was not opened with counts, because the user just added it.
 */
function readScreens(entered: Readonly<Record<string, unknown>>, before: readonly string[]): string[] {
  const boxes = ticked(entered, 'screens');
  const others = typed(entered, 'screens.other').split(',');
  const names = [...boxes.filter((name) => name !== ALL_SCREENS), ...others.map((name) => name.trim())];
  const isLimited = before.length > 0;
  return isLimited && boxes.includes(ALL_SCREENS) ? [] : [...new Set(names.filter(Boolean))];
}
