import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { datesFrom } from '#content/opening-hours.ts';
import { isDate } from '#content/records/fields.ts';
import { listRecords } from '#content/records/reading.ts';
import { RECORD_STATES } from '#content/records/rows.ts';
import { listWholeDays, ROSTER_DAYS, saveWholeDays } from '#content/roster-days.ts';
import { may } from '#kernel/access/permissions.ts';
import type { Html } from '#kernel/html.ts';
import { act } from '#kernel/http/act.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { optionalText } from '#kernel/http/validation.ts';
import { t } from '#kernel/language/message.ts';
import { commas, formatDay } from '#kernel/language/times.ts';
import { localDate, startOfDate } from '#kernel/local-time.ts';
import { recordsPage } from '#views/content/list.ts';
import { type RosterDay, rosterTable } from '#views/content/roster.ts';
import { getEditor } from './editors.ts';
import { type ContentPages, cellsOf, listedAt } from './page-props.ts';

const day = z.string().refine(isDate);
const RosterQuery = z.object({
  from: day.optional().catch(undefined),
  like: z.string().optional().catch(undefined),
  done: z.string().optional().catch(undefined),
  merged: z.string().optional().catch(undefined),
  q: optionalText(100).catch(null),
  state: z.enum(RECORD_STATES).optional().catch(undefined),
});
const NO_QUERY = RosterQuery.parse({});
const RosterForm = z.looseObject({ first: day, publish: z.string().optional(), back: z.string().optional() });

/** The roster of two weeks: days down, tenders across. */
export function roster(app: App, made: ContentPages): void {
  const { ctx, display } = made;
  const { kind, words } = getEditor('roster');

  const render = (
    request: FastifyRequest,
    query: z.output<typeof RosterQuery>,
    conflicts: readonly string[] = [],
  ): Html => {
    const zone = ctx.config.TIME_ZONE;
    const first = query.from ?? localDate(ctx.now(), zone);
    const shift = (days: number) => Temporal.PlainDate.from(first).add({ days }).toString();
    const isCopied = query.like === 'last-week';
    const label = (date: string) => formatDay(startOfDate(date, zone) ?? 0, zone);
    const stored = listWholeDays(ctx, first);
    const before = isCopied ? listWholeDays(ctx, shift(-7)) : stored;
    const ahead = new Map(display.listDaysAhead(ROSTER_DAYS + 7).map((one) => [one.date, one]));
    const days = datesFrom(first, ROSTER_DAYS).map((date, index): RosterDay => {
      const record = stored.get(date);
      // The first week is copied into the second one too.
      const weekBefore = before.get(
        Temporal.PlainDate.from(date)
          .subtract({ days: index < 7 ? 7 : 14 })
          .toString(),
      );
      const crew = (isCopied ? weekBefore : record)?.body.tenders ?? [];
      const known = ahead.get(date);
      const usual = record ? undefined : commas(known?.crew ?? []);
      return {
        date,
        label: label(date),
        crew,
        marks: record?.body.tenders ?? [],
        version: record?.version,
        isClosed: known?.hours === null && display.knowsHours(),
        hours:
          known?.hours && usual
            ? t('content-admin.overview.hours_usually', { hours: known.hours, names: usual })
            : (known?.hours ?? ''),
        isDraft: record !== undefined && record.state !== 'published',
      };
    });
    const body = rosterTable({
      days,
      first,
      isCopied,
      previous: shift(-ROSTER_DAYS),
      next: shift(ROSTER_DAYS),
      tenders: display.listTenders(),
      write: may(request, 'content:write'),
      done:
        query.done === undefined
          ? undefined
          : query.done === 'published'
            ? t('content-admin.roster.published')
            : t('content-admin.roster.saved_drafts'),
      conflicts: conflicts.map(label),
      merged: (query.merged ?? '').split(' ').filter(isDate).map(label),
    });
    const { items } = listRecords(ctx, kind, {
      q: query.q,
      state: query.state,
      from: first,
      limit: 200,
    });
    const about = listedAt(made, kind);
    return recordsPage({
      columns: kind.columns.map(({ label }) => label),
      identity: request.identity,
      scripts: ['content/roster.js'],
      styles: ['pub/pages.css'],
      words,
      main: {
        body,
        heading: t('content-admin.roster.every_entry'),
        add: t('content-admin.roster.new_entry_some_hours'),
        text: t('content-admin.roster.mark_whole_opening_someone_who'),
      },
      filter: { q: query.q ?? '', state: query.state ?? '' },
      records: items.map((item) => ({
        ...item,
        cells: cellsOf(kind, item.body, about),
      })),
    });
  };

  app.get(
    '/admin/content/roster',
    {
      config: { permission: 'content:read' },
      schema: { summary: 'Who works in the next two weeks', querystring: RosterQuery },
    },
    async (request, reply) => sendHtml(reply, render(request, request.query)),
  );

  act(app, ctx, {
    form: 'POST /admin/content/roster/days',
    permission: 'content:write',
    body: RosterForm,
    run: ({ body, actor }) => saveWholeDays(ctx, body.first, body, body.publish === 'true', actor),
    next: ({ conflicts, merged }, { body: { first, publish, back }, request, reply }) => {
      if (conflicts.length > 0) {
        const query = { ...NO_QUERY, from: first };
        return sendHtml(reply, render(request, query, conflicts), 409);
      }
      const done = publish === 'true' ? 'published' : 'saved';
      if (back === 'content') return `/admin/content?done=${done}`;
      const both = merged.length > 0 ? `&merged=${merged.join('+')}` : '';
      return `/admin/content/roster?from=${first}&done=${done}${both}`;
    },
  });
}
