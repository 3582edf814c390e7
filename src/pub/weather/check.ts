import type { Check } from '#kernel/checks/checks.ts';
import type { Context } from '#kernel/context.ts';
import { momentInWords } from '#kernel/local-time.ts';
import { groupPath } from '#kernel/settings/setting.ts';
import { findReading, isShown } from './weather.ts';

/** Checks whether the weather is read; none while no place is entered. */
export function checkWeather(ctx: Context): Check[] {
  const reading = findReading(ctx);
  if (reading === undefined) return [];
  const check = { name: 'weather', title: 'Weather' };
  const { readAt, error } = reading;
  const when = readAt === null ? undefined : momentInWords(readAt, ctx.now(), ctx.config.TIME_ZONE);
  if (readAt === null && error === null) return [{ ...check, state: 'ok', text: 'It is about to be read.' }];
  if (isShown(readAt, ctx.now())) return [{ ...check, state: 'ok', text: `Last read: ${when}.` }];
  return [
    {
      ...check,
      state: 'attention',
      text: `Screens show no weather. Last read: ${when ?? 'never'}. The source: ${error ?? 'not asked'}.`,
      remedy: 'It is asked again by itself. Look at the place and the contact in the settings.',
      link: { href: groupPath('weather'), label: 'Settings' },
    },
  ];
}
