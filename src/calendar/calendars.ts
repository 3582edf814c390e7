import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { forbidden, notFound } from '#kernel/http/errors.ts';
import { oneOf } from '#kernel/http/validation.ts';
import { t } from '#kernel/language/message.ts';
import { forClub } from '#kernel/locale.ts';
import { changeAccess } from './subscriptions/tokens.ts';

export const CALENDAR_IDS = ['programs', 'internal'] as const;

export type CalendarId = (typeof CALENDAR_IDS)[number];

export const CalendarName = oneOf(CALENDAR_IDS);

export interface Calendar {
  id: CalendarId;
  /** The title that calendar programs show. */
  title: string;
  enabled: boolean;
}

/** Lists both calendars, the programme first. */
export async function listCalendars(ctx: Context): Promise<Calendar[]> {
  const rows = ctx.db.all(build.selectFrom('calendars').selectAll());
  return CALENDAR_IDS.flatMap((id) => {
    const row = rows.find((one) => one.id === id);
    return row ? [{ id, title: titleOf(ctx, id), enabled: row.enabled === 1 }] : [];
  });
}

/** The title in the club's language. That of the programme contains the club's name, if one is set. */
function titleOf({ config: { CLUB_NAME } }: Context, id: CalendarId): string {
  if (id === 'internal') return forClub(t('calendar.feed.internal'));
  return forClub(
    CLUB_NAME === undefined
      ? t('calendar.feed.title_unnamed')
      : t('calendar.feed.title', { club: CLUB_NAME }),
  );
}

/** Whether anybody can subscribe to the programme: it is switched on, and mails can be sent. */
export function takesSubscribers({ db, mailer }: Context): boolean {
  return mailer.missing().length === 0 && db.first(programs)?.enabled === 1;
}

/** Compiled once, because each request for the screens' feed runs it. */
const programs = build.selectFrom('calendars').select('enabled').where('id', '=', 'programs').compile();

/** @throws 404 */
export async function getCalendar(ctx: Context, id: string): Promise<Calendar> {
  const calendar = (await listCalendars(ctx)).find((one) => one.id === id);
  if (!calendar) throw notFound('calendar_not_found');
  return calendar;
}

/** @throws 403 while an officer has switched it off */
export async function ensureEnabled(ctx: Context, id: CalendarId): Promise<Calendar> {
  const calendar = await getCalendar(ctx, id);
  if (!calendar.enabled) throw switchedOff();
  return calendar;
}

export const switchedOff = () => forbidden('calendar_off');

/** Switches a calendar on or off, at once and for everyone. @throws 404 */
export async function switchCalendar(
  ctx: Context,
  id: string,
  enabled: boolean,
  actor: Actor,
): Promise<Calendar> {
  const calendar = await getCalendar(ctx, id);
  await changeAccess(ctx, (tx) => {
    const wanted = enabled ? 1 : 0;
    const changed = build.updateTable('calendars').set({ enabled: wanted }).where('id', '=', id);
    if (tx.run(changed.where('enabled', '!=', wanted)) === 0) return;
    recordAudit(tx, actor, { action: 'calendar.switched', metadata: { calendar_id: id, enabled } });
  });
  return { ...calendar, enabled };
}
