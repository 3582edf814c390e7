import { z } from 'zod';
import type { AccessLog } from '#calendar/access-log.ts';
import { testAnalytics } from '#calendar/analytics.ts';
import { listCalendars, switchCalendar } from '#calendar/calendars.ts';
import type { CalendarContext } from '#calendar/context.ts';
import { readProgramme } from '#calendar/feed/programme.ts';
import { readStats } from '#calendar/stats.ts';
import {
  disableSubscriber,
  enableSubscriber,
  ListQuery,
  listSubscribers,
  SubscriberInput,
  type SubscriberJson,
} from '#calendar/subscriptions/subscribers.ts';
import { act } from '#kernel/http/act.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { flag, optionalText, ROWS_A_PAGE, wholeNumber } from '#kernel/http/validation.ts';
import { t } from '#kernel/language/message.ts';
import { formatInList, formatInSentence } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { parseTimestamp } from '#kernel/local-time.ts';
import { ownValue } from '#kernel/own-value.ts';
import { calendarAdminPage } from '#views/calendar/admin.ts';

const pageQuery = z.object({
  q: optionalText(254),
  from: wholeNumber(1, 10_000_000).default(1).catch(1),
  done: z.string().max(40).optional().catch(undefined),
});
/** `q` is the search on the page when the button was pressed. */
const ChangeBody = SubscriberInput.extend({ q: optionalText(254).catch(null) });

const DONE: Record<string, Words> = {
  stopped: t('content-admin.calendar.subscriber_stopped'),
  allowed: t('content-admin.calendar.subscriber_sign_up_again_addresses'),
  on: t('content-admin.calendar.calendar_is_on'),
  off: t('content-admin.calendar.calendar_off'),
};

/** The administration of calendars and subscribers. */
export function admin(app: App, { ctx, accesses }: { ctx: CalendarContext; accesses: AccessLog }) {
  app.get('/api/admin/stats', { config: { permission: 'calendar:read' } }, async () => {
    await accesses.flush();
    return readStats(ctx);
  });

  app.get(
    '/api/admin/subs/list',
    { config: { permission: 'calendar:read' }, schema: { querystring: ListQuery } },
    async (request) => {
      await accesses.flush();
      return listSubscribers(ctx, request.query);
    },
  );

  act(app, ctx, {
    both: 'POST /api/admin/revoke',
    permission: 'calendar:write',
    body: ChangeBody,
    run: ({ body, actor }) => disableSubscriber(ctx, body, actor),
    json: (subscriber) => ({ ok: true, ...subscriber }),
    next: (_, { body: { q } }) => pageAfter('stopped', q),
  });

  act(app, ctx, {
    both: 'POST /api/admin/enable',
    permission: 'calendar:write',
    body: ChangeBody,
    run: ({ body, actor }) => enableSubscriber(ctx, body, actor),
    json: (subscriber) => ({ ok: true, ...subscriber }),
    next: (_, { body: { q } }) => pageAfter('allowed', q),
  });

  app.get('/api/admin/calendars', { config: { permission: 'calendar:read' } }, async () => ({
    calendars: await listCalendars(ctx),
  }));

  act(app, ctx, {
    both: 'PATCH /api/admin/calendars/:id',
    permission: 'calendar:write',
    params: z.object({ id: z.string() }),
    body: z.object({ enabled: flag }),
    run: ({ params: { id }, body: { enabled }, actor }) => switchCalendar(ctx, id, enabled, actor),
    json: (calendar) => ({ ok: true, calendar }),
    next: (_, { body: { enabled } }) => pageAfter(enabled ? 'on' : 'off'),
  });

  // It sends an event, which a HEAD request must not do.
  app.get(
    '/api/admin/analytics-test',
    { exposeHeadRoute: false, config: { permission: 'calendar:write' } },
    async () => testAnalytics(ctx),
  );

  app.get(
    '/admin/calendar',
    { config: { permission: 'calendar:read' }, schema: { querystring: pageQuery } },
    async (request, reply) => {
      await accesses.flush();
      const { q, from, done } = request.query;
      const query = { calendar_id: 'programs' as const, q, limit: ROWS_A_PAGE, offset: from - 1 };
      const [figures, calendars, { subscribers, total }] = await Promise.all([
        readStats(ctx),
        listCalendars(ctx),
        listSubscribers(ctx, query),
      ]);
      const page = (first: number) =>
        `/admin/calendar?${new URLSearchParams({ ...(q && { q }), from: String(first) })}`;
      const search = {
        q: q ?? '',
        from,
        total,
        previous: from > 1 ? page(Math.max(1, from - ROWS_A_PAGE)) : undefined,
        next:
          from - 1 + subscribers.length < total && subscribers.length > 0
            ? page(from + ROWS_A_PAGE)
            : undefined,
      };
      return sendHtml(
        reply,
        calendarAdminPage({
          missing: ctx.mailer.needed(),
          figures: figures.calendars.programs,
          calendars,
          rows: subscribers.map((one) => rowOf(ctx, one)),
          search,
          horizon: readProgramme(ctx).horizon,
          identity: request.identity,
          done: ownValue(DONE, done),
        }),
      );
    },
  );
}

const pageAfter = (done: string, q: string | null = null): string =>
  `/admin/calendar?${new URLSearchParams({ done, ...(q && { q }) })}`;

function rowOf(ctx: CalendarContext, { created_at, last_access_at, ...rest }: SubscriberJson) {
  const zone = ctx.config.TIME_ZONE;
  const at = (iso: string) => parseTimestamp(iso, zone) ?? 0;
  return {
    ...rest,
    since: formatInSentence(at(created_at), ctx.now(), zone),
    lastRead: last_access_at === null ? null : formatInList(at(last_access_at), ctx.now(), zone),
  };
}
