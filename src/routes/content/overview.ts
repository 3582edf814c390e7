import { z } from 'zod';
import type { ContentDisplay } from '#content/display.ts';
import { listEventsOnClosedDays } from '#content/events/closed.ts';
import { checkCalendars } from '#content/ical/sources/check.ts';
import { listHolidays } from '#content/ical/sources/shown.ts';
import { OFFER } from '#content/kinds/offer.ts';
import { listRecords } from '#content/records/reading.ts';
import { listWholeDays } from '#content/roster-days.ts';
import { findPubState } from '#content/shifts.ts';
import { isOwner } from '#kernel/access/permissions.ts';
import type { Check } from '#kernel/checks/checks.ts';
import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { t } from '#kernel/language/message.ts';
import { commas, formatDay } from '#kernel/language/times.ts';
import { startOfDate } from '#kernel/local-time.ts';
import { listMenuWarnings } from '#pub/menu/checks.ts';
import { contentOverview, type OverviewProps } from '#views/content/overview.ts';
import { EDITORS, type Editor } from './editors.ts';

const DAYS = 14;
const DoneQuery = z.object({ done: z.literal('published').optional().catch(undefined) });

/** The overview page of the content. */
export function overview(app: App, { ctx, display }: { ctx: Context; display: ContentDisplay }): void {
  app.get(
    '/admin/content',
    {
      config: { permission: 'content:read' },
      schema: { summary: 'What needs doing, and the next two weeks', querystring: DoneQuery },
    },
    async (request, reply) => {
      const { identity, query } = request;
      const zone = ctx.config.TIME_ZONE;
      const known = display.knowsHours();
      const ahead = display.listDaysAhead(DAYS);
      const days = ahead.map(({ date, hours, crew }) => ({
        label: formatDay(startOfDate(date, zone) ?? 0, zone),
        hours: hours ?? (known ? null : t('content-admin.overview.known')),
        crew,
      }));
      const isUsed = ({ kind }: Editor) => kind.name !== OFFER.name || ctx.config.settings.offers_allowed;
      const kinds = EDITORS.filter(isUsed).map(({ words, kind }) => {
        const { items } = listRecords(ctx, kind, { limit: 100_000 });
        const drafts = items.filter(({ state }) => state !== 'published').length;
        return {
          words,
          shown: items.filter(({ published_version }) => published_version !== null).length,
          drafts,
        };
      });
      const holidays = listHolidays(ctx).map(({ date, title }) => ({
        date,
        title,
        label: formatDay(startOfDate(date, zone) ?? 0, zone),
      }));
      const empty = ahead.slice(0, 7).filter(({ hours, crew }) => hours !== null && crew.length === 0).length;
      return sendHtml(
        reply,
        contentOverview({
          identity,
          days,
          kinds,
          holidays,
          todo: [
            ...listTodo(kinds, {
              known,
              empty,
              calendars: checkCalendars(ctx),
              onClosed: listEventsOnClosedDays(ctx),
            }),
            ...listMenuWarnings(ctx, findPubState(ctx).open),
          ],
          done: query.done && t('content-admin.overview.published_done'),
          tonight: tonightOf(ctx, display),
          canImport: ctx.workspace !== undefined && isOwner(request),
        }),
      );
    },
  );
}

/** Returns today's row of the roster; undefined while the pub is closed today, or its hours are unknown. */
function tonightOf(ctx: Context, display: ContentDisplay): OverviewProps['tonight'] {
  const [today] = display.listDaysAhead(1);
  if (!today || today.hours === null) return undefined;
  const { date, hours, crew } = today;
  const record = listWholeDays(ctx, date).get(date);
  const { TIME_ZONE: zone } = ctx.config;
  return {
    tenders: display.listTenders(),
    day: {
      date,
      label: t('content-admin.overview.tonight', { day: formatDay(startOfDate(date, zone) ?? 0, zone) }),
      hours:
        record || crew.length === 0
          ? hours
          : t('content-admin.overview.hours_usually', { hours, names: commas(crew) ?? '' }),
      isClosed: false,
      crew: record?.body.tenders ?? [],
      marks: record?.body.tenders ?? [],
      version: record?.version,
      isDraft: record !== undefined && record.state !== 'published',
    },
  };
}

function listTodo(
  kinds: OverviewProps['kinds'],
  {
    known,
    empty,
    calendars,
    onClosed,
  }: {
    known: boolean;
    empty: number;
    calendars: Check;
    onClosed: ReturnType<typeof listEventsOnClosedDays>;
  },
): OverviewProps['todo'] {
  const drafts = kinds.flatMap(({ words, drafts: count }) =>
    count === 0
      ? []
      : [
          {
            text: t('content-admin.overview.drafts_published', { kind: words.many, n: count }),
            href: `/admin/content/${words.name}`,
            label: t('content-admin.overview.see'),
          },
        ],
  );
  const hours = {
    text: t('content-admin.overview.opening_hours_known_yet'),
    href: '/admin/content/hours/new',
    label: t('content-admin.overview.enter_week'),
  };
  const crew = {
    text: t('content-admin.overview.nobody_works', { n: empty }),
    href: '/admin/content/roster',
    label: t('content-admin.overview.roster'),
  };
  const failing =
    calendars.state === 'attention'
      ? [{ text: calendars.text, href: '/admin/content/ical', label: t('content-admin.overview.calendars') }]
      : [];
  const closed = onClosed.map(({ id, title, dates }) => ({
    text:
      dates.length > 1
        ? t('content-admin.overview.pub_closed_more', { title, day: dates[0]!, n: dates.length - 1 })
        : t('content-admin.overview.pub_closed', { title, day: dates[0]! }),
    href: `/admin/content/event/${id}`,
    label: t('content-admin.overview.event'),
  }));
  return [...(known ? [] : [hours]), ...(empty > 0 ? [crew] : []), ...failing, ...closed, ...drafts];
}
