import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { getDateLine } from '#content/events/ahead.ts';
import { spanOf } from '#content/events/body.ts';
import { changeDates, type DateOrder } from '#content/events/changing.ts';
import { eventForm, readSpan } from '#content/forms/event.ts';
import { typed } from '#content/forms/form.ts';
import { EVENT } from '#content/kinds/event.ts';
import { date } from '#content/kinds/fields.ts';
import { getRecord } from '#content/records/reading.ts';
import { describeSeries } from '#content/recurrence/sentence.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { actorOf } from '#kernel/http/client.ts';
import { badRequest, type FieldError } from '#kernel/http/errors.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { flag, wholeNumber } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { eventDatePage } from '#views/content/event-dates.ts';
import { zoneInWords } from './page-props.ts';

const params = z.object({ id: Id, date });
type Opened = z.output<typeof params>;

const DateForm = z.looseObject({
  version: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  scope: z.enum(['this', 'following', 'all']),
  as: z.enum(['changed', 'skipped', 'cancelled', 'unchanged']).default('changed'),
  unfit: z.enum(['ask', 'single', 'drop']).default('ask'),
  publish: flag.optional(),
});

/** The page of one date of a series. */
export function eventDatePages(app: App, { ctx }: { ctx: Context }): void {
  const render = (request: FastifyRequest, refused?: RefusedForm): Html => {
    const { id, date: original } = request.params as Opened;
    const { version } = getRecord(ctx, EVENT, id);
    const { body, date: shown, line } = getDateLine(ctx, id, original);
    const values = {
      ...eventForm.toForm({ ...body, ...shown.wall }),
      title: shown.title,
      place: shown.place,
    };
    return eventDatePage({
      identity: request.identity,
      id,
      version,
      line,
      refused,
      series: body.title,
      sentence: describeSeries(body),
      values: refused?.entered.title === undefined ? { ...values, note: shown.note } : refused.entered,
      stored:
        refused?.status === 409 && refused.entered.title !== undefined
          ? { ...values, note: shown.note }
          : undefined,
      zone: zoneInWords(body.zone, ctx.config.TIME_ZONE),
    });
  };

  app.get(
    '/admin/content/event/:id/dates/:date',
    { config: { permission: 'content:read' }, schema: { summary: 'One date of a series', params } },
    async (request, reply) => sendHtml(reply, render(request)),
  );

  app.post(
    '/admin/content/event/:id/dates/:date',
    {
      config: { permission: 'content:write', ...refusedOn((request, refused) => render(request, refused)) },
      schema: { hide: true, params, body: DateForm },
    },
    async (request, reply) => {
      const { id, date: original } = request.params;
      const { version, scope, as, unfit, publish = false } = request.body;
      const fields = as === 'changed' ? readFields(request.body, id, original, scope) : {};
      const nothing = scope === 'this' && as === 'changed' && Object.keys(fields).length === 0;
      const order: DateOrder = {
        version,
        scope,
        publish,
        fields,
        replace: true,
        as: nothing ? 'unchanged' : as,
        unfit: unfit === 'ask' ? undefined : unfit,
      };
      const changed = await changeDates(ctx, id, original, order, actorOf(request, ctx.now));
      const shown = changed.next?.id ?? changed.id;
      return reply.redirect(`/admin/content/event/${shown}?done=${publish ? 'published' : 'saved'}`, 303);
    },
  );

  /** Returns the fields of the form that differ from the series. */
  const readFields = (
    entered: Readonly<Record<string, unknown>>,
    id: string,
    original: string,
    scope: DateOrder['scope'],
  ): Record<string, unknown> => {
    const { body } = getDateLine(ctx, id, original);
    const problems: FieldError[] = [];
    const said: Record<string, unknown> = {
      title: typed(entered, 'title'),
      place: typed(entered, 'place'),
      ...(scope === 'this' && { note: typed(entered, 'note') }),
      date: typed(entered, 'date'),
      ...readSpan(entered, problems),
    };
    if (problems.length > 0) throw badRequest(problems[0]!.message, problems);
    const { title, place } = body;
    const planned: Record<string, unknown> = {
      title,
      place,
      note: '',
      ...spanOf(body, original, { as: 'changed' }),
    };
    return Object.fromEntries(Object.entries(said).filter(([field, value]) => value !== planned[field]));
  };
}
