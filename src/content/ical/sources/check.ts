import type { Check } from '#kernel/checks/checks.ts';
import type { Context } from '#kernel/context.ts';
import { listSources } from './sources.ts';

/** Reports whether the external calendars can be read. */
export function checkCalendars(ctx: Context): Check {
  const check = { name: 'calendars', title: 'Calendars we read' };
  const sources = listSources(ctx);
  if (sources.length === 0) return { ...check, state: 'off', text: 'No calendar is set up.' };
  const link = { href: '/admin/content/ical', label: 'Calendars we read' };
  const broken = sources.filter(({ error }) => error !== null);
  if (broken.length === 0)
    return {
      ...check,
      state: 'ok',
      text:
        sources.length === 1 ? 'The calendar can be read.' : `All ${sources.length} calendars can be read.`,
      link,
    };
  return {
    ...check,
    state: 'attention',
    text: broken.map(({ name, error }) => `${name}: ${error}`).join(' '),
    remedy: 'The last content is shown until the calendar can be read again. Check its address.',
    link,
  };
}
