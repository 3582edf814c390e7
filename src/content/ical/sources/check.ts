import type { Check } from '#kernel/checks/checks.ts';
import type { Context } from '#kernel/context.ts';
import { t } from '#kernel/language/message.ts';
import { atLineStart, sentences } from '#kernel/language/times.ts';
import { listSources } from './sources.ts';

/** Reports whether the external calendars can be read. */
export function checkCalendars(ctx: Context): Check {
  const check = { name: 'calendars', title: t('settings.check.calendars_read') };
  const sources = listSources(ctx);
  if (sources.length === 0) return { ...check, state: 'off', text: t('settings.check.calendar_set_up') };
  const link = { href: '/admin/content/ical', label: t('settings.check.calendars_read') };
  const broken = sources.filter(({ error }) => error !== null);
  if (broken.length === 0)
    return {
      ...check,
      state: 'ok',
      text: t('settings.check.all_calendars_read', { sources: sources.length }),
      link,
    };
  return {
    ...check,
    state: 'attention',
    text:
      sentences(
        broken.map(({ name, error }) =>
          t('settings.check.calendar_error', { name, error: error === null ? '' : atLineStart(error) }),
        ),
      ) ?? '',
    remedy: t('settings.check.last_content_shown_until_calendar'),
    link,
  };
}
