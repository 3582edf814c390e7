import type { Check } from '#kernel/checks/checks.ts';
import type { Context } from '#kernel/context.ts';
import { t } from '#kernel/language/message.ts';
import { momentInWords } from '#kernel/language/times.ts';
import { groupPath } from '#kernel/settings/setting.ts';
import { findReading, isShown } from './weather.ts';

/** Checks whether the weather is read; none while no place is entered. */
export function checkWeather(ctx: Context): Check[] {
  const reading = findReading(ctx);
  if (reading === undefined) return [];
  const check = { name: 'weather', title: t('settings.check.weather') };
  const { readAt, error } = reading;
  const when = readAt === null ? undefined : momentInWords(readAt, ctx.now(), ctx.config.TIME_ZONE);
  if (readAt === null && error === null)
    return [{ ...check, state: 'ok', text: t('settings.check.about_read') }];
  if (when !== undefined && isShown(readAt, ctx.now()))
    return [{ ...check, state: 'ok', text: t('settings.check.last_read', { when }) }];
  return [
    {
      ...check,
      state: 'attention',
      text: t('settings.check.screens_show_no_weather', {
        when: when ?? t('settings.check.never'),
        error: error ?? t('settings.check.not_asked'),
      }),
      remedy: t('settings.check.asked_again_itself_look_place'),
      link: { href: groupPath('weather'), label: t('settings.check.settings') },
    },
  ];
}
