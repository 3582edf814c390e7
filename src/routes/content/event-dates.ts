import { z } from 'zod';
import { changeDates } from '#content/events/changing.ts';
import { listDatesOf } from '#content/events/reading.ts';
import { date } from '#content/kinds/fields.ts';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import type { App } from '#kernel/http/http.ts';
import { flag, wholeNumber } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';

const DatesQuery = z.object({ from: date.optional(), to: date.optional() });

/** All other fields are passed on as fields of the date or of the series. */
const DateOrder = z.looseObject({
  version: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  scope: z.enum(['this', 'following', 'all'], { error: 'must be this, following or all' }),
  as: z
    .enum(['changed', 'skipped', 'cancelled', 'unchanged'], {
      error: 'must be changed, skipped, cancelled or unchanged',
    })
    .default('changed'),
  publish: flag.optional(),
  unfit: z.enum(['drop', 'single'], { error: 'must be drop or single' }).optional(),
});

/** The dates of an event, as JSON. */
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
    async ({ params: { id }, query }) => listDatesOf(ctx, id, query),
  );

  app.post(
    '/api/admin/content/event/:id/dates/:date',
    {
      config: { permission: 'content:write' },
      schema: {
        summary: 'Change one date of a series, that and the following, or all',
        params: z.object({ id: Id, date }),
        body: DateOrder,
      },
    },
    async (request) => {
      const { id, date: original } = request.params;
      const { version, scope, as, publish = false, unfit, ...fields } = request.body;
      const order = { version, scope, as, publish, unfit, fields };
      const changed = await changeDates(ctx, id, original, order, actorOf(request, ctx.now));
      return { ok: true, ...changed };
    },
  );
}
