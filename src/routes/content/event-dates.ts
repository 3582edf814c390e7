import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { getDateLine, previewDates } from '#content/events/ahead.ts';
import { spanOf } from '#content/events/body.ts';
import { changeDates } from '#content/events/changing.ts';
import { EVENT } from '#content/events/kind.ts';
import { type EventDateSpan, listDatesOf } from '#content/events/reading.ts';
import { eventForm, readSpan } from '#content/forms/event.ts';
import { typed } from '#content/forms/form.ts';
import { endsOf } from '#content/open-ends.ts';
import { date } from '#content/records/fields.ts';
import { getRecord } from '#content/records/reading.ts';
import { describeSeries } from '#content/recurrence/sentence.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { act } from '#kernel/http/act.ts';
import { AppError, type FieldError } from '#kernel/http/errors.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { flag, oneOf, wholeNumber } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { eventDatePage, typingPanel, typingProblem } from '#views/content/event-dates.ts';
import { zoneInWords } from './page-props.ts';

const params = z.object({ id: Id, date });
type Opened = z.output<typeof params>;

const DatesQuery = z.object({ from: date.optional(), to: date.optional() });

/** All other fields are passed on as fields of the date or of the series. */
const DateOrder = z.looseObject({
  version: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  scope: oneOf(['this', 'following', 'all']),
  as: oneOf(['changed', 'skipped', 'cancelled', 'unchanged']).default('changed'),
  publish: flag.optional(),
  unfit: oneOf(['drop', 'single']).optional(),
});

/** The dates of an event, and changes of single ones. */
export function eventDates(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/api/admin/content/event/:id/dates',
    {
      config: { permission: 'content:read' },
      schema: {
        summary: 'The dates of an event as they will be shown',
        params: z.object({ id: Id }),
        querystring: DatesQuery,
      },
    },
    async ({ params: { id }, query }) =>
      listDatesOf(ctx, id, query, endsOf(ctx, { of: 'dates', placeOf: ({ place }: EventDateSpan) => place })),
  );

  // Sends the part of an event's page that is updated while somebody types, made from the unsaved form.
  app.post(
    '/admin/content/event/check',
    {
      config: {
        permission: 'content:write',
        ...refusedOn((_request, { errors, message }) => typingProblem(errors, message, EVENT.labels)),
      },
      schema: {
        hide: true,
        querystring: z.object({ id: Id.optional().catch(undefined) }),
        body: z.looseObject({}),
      },
    },
    async (request, reply) => {
      const input = eventForm.fromForm(request.entered ?? {}, undefined);
      // The dates can be shown before a title is entered.
      const titled = { ...input, title: input.title || '-' };
      return sendHtml(reply, typingPanel(previewDates(ctx, titled, request.query.id)));
    },
  );

  app.get(
    '/admin/content/event/:id/dates/:date',
    { config: { permission: 'content:read' }, schema: { summary: 'One date of a series', params } },
    async (request, reply) => sendHtml(reply, renderDate(ctx, request)),
  );

  act(app, ctx, {
    api: 'POST /api/admin/content/event/:id/dates/:date',
    form: 'POST /admin/content/event/:id/dates/:date',
    summary: 'Change one date of a series, that and the following, or all',
    permission: 'content:write',
    params,
    body: DateOrder,
    fromForm: ({ version, scope, as = 'changed', unfit, publish, ...entered }, { params: { id, date } }) => {
      const fields = as === 'changed' ? readFields(ctx, entered, { id, date, scope }) : {};
      const isNothing = scope === 'this' && as === 'changed' && Object.keys(fields).length === 0;
      const order = { version, scope, publish, as: isNothing ? 'unchanged' : as };
      return { ...order, ...(unfit !== 'ask' && { unfit }), ...fields };
    },
    refused: (request, refused) => renderDate(ctx, request, refused),
    run: ({ params: { id, date }, body, actor, request }) => {
      const { version, scope, as, publish = false, unfit, ...fields } = body;
      // The form shows the earlier change of this date.
      const replace = request.entered !== undefined;
      return changeDates(ctx, id, date, { version, scope, as, publish, unfit, fields, replace }, actor);
    },
    json: (changed) => ({ ok: true, ...changed }),
    next: ({ id, next }, { body: { publish } }) =>
      `/admin/content/event/${next?.id ?? id}?done=${publish ? 'published' : 'saved'}`,
  });
}

/** Returns the fields of the form that differ from the series. */
function readFields(
  ctx: Context,
  entered: Readonly<Record<string, unknown>>,
  { id, date: original, scope }: Opened & { scope: unknown },
): Record<string, unknown> {
  const { body } = getDateLine(ctx, id, original);
  const problems: FieldError[] = [];
  const said: Record<string, unknown> = {
    title: typed(entered, 'title'),
    place: typed(entered, 'place'),
    ...(scope === 'this' && { note: typed(entered, 'note') }),
    date: typed(entered, 'date'),
    ...readSpan(entered, problems),
  };
  if (problems.length > 0) throw AppError.of(400, problems[0]!, { errors: problems });
  const { title, place } = body;
  const planned: Record<string, unknown> = {
    title,
    place,
    note: '',
    ...spanOf(body, original, { as: 'changed' }),
  };
  return Object.fromEntries(Object.entries(said).filter(([field, value]) => value !== planned[field]));
}

function renderDate(ctx: Context, { identity, params }: FastifyRequest, refused?: RefusedForm): Html {
  const { id, date: original } = params as Opened;
  const { version } = getRecord(ctx, EVENT, id);
  const { body, date: shown, line } = getDateLine(ctx, id, original);
  const stored = {
    ...eventForm.toForm({ ...body, ...shown.wall }),
    title: shown.title,
    place: shown.place,
    note: shown.note,
  };
  const entered = refused?.entered.title === undefined ? undefined : refused.entered;
  return eventDatePage({
    identity,
    id,
    version,
    line,
    refused,
    series: body.title,
    sentence: describeSeries(body),
    values: entered ?? stored,
    stored: entered && refused?.status === 409 ? stored : undefined,
    zone: zoneInWords(body.zone, ctx.config.TIME_ZONE),
  });
}
