import type { Check } from '#kernel/checks/checks.ts';
import type { Context } from '#kernel/context.ts';
import { listSources } from './sources.ts';

/** Reports whether the external calendars can be read. */
export function checkCalendars(ctx: Context): Check {
  const check = { name: 'calendars', title: 'Calendars of others' };
  const sources = listSources(ctx);
  if (sources.length === 0) return { ...check, state: 'off', text: 'None is read.' };
  const link = { href: '/admin/content/ical', label: 'Calendars of others' };
  const broken = sources.filter(({ error }) => error !== null);
  if (broken.length === 0)
    return {
      ...check,
      state: 'ok',
      text: sources.length === 1 ? 'It is read.' : `All ${sources.length} are read.`,
      link,
    };
  return {
    ...check,
    state: 'attention',
    text: broken.map(({ name, error }) => `${name}: ${error}`).join(' '),
    remedy: 'What was read before is shown until it answers again. Look at its address.',
    link,
  };
}
