import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import { type App, noStore, sendFile } from '#kernel/http/http.ts';
import { Id } from '#kernel/ids.ts';
import { localDate } from '#kernel/local-time.ts';
import { FeedbackInput, sendFeedback } from '#pub/feedback/feedback.ts';
import {
  exportFeedback,
  FeedbackQuery,
  listFeedback,
  summarizeFeedback,
  TriageInput,
  triageFeedback,
} from '#pub/feedback/triage.ts';
import { whenEnabled } from '#pub/http/feature-flags.ts';
import { identifyVisitor } from '#pub/http/visitor-cookie.ts';

/** The feedback box as JSON. */
export function feedback(app: App, { ctx }: { ctx: Context }): void {
  app.addHook(
    'onRequest',
    whenEnabled(ctx.config.FEEDBACK_ENABLED, { words: 'The feedback box is closed.' }),
  );
  app.addHook('onRequest', noStore);

  app.post(
    '/api/feedback',
    { bodyLimit: 8 * 1024, schema: { summary: 'Tell the house', body: FeedbackInput } },
    async (request, reply) => {
      await sendFeedback(ctx, identifyVisitor(ctx, request, reply), request.body);
      return { ok: true };
    },
  );
}

/** What was said, for staff: also while the box is closed. */
export function staffFeedback(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/api/admin/feedback',
    {
      config: { permission: 'feedback:read' },
      schema: { summary: 'What patrons said', querystring: FeedbackQuery },
    },
    async (request, reply) => {
      if (request.query.format === 'csv') {
        const name = `feedback-${localDate(ctx.now(), ctx.config.TIME_ZONE)}.csv`;
        return sendFile(reply, name, 'text/csv; charset=utf-8', exportFeedback(ctx, request.query));
      }
      return { ...listFeedback(ctx, request.query), ...summarizeFeedback(ctx) };
    },
  );

  app.patch(
    '/api/admin/feedback/:id',
    {
      config: { permission: 'feedback:write' },
      schema: { summary: 'Triage a message', params: z.object({ id: Id }), body: TriageInput },
    },
    async (request) => {
      const { id } = request.params;
      const triaged = await triageFeedback(ctx, id, request.body, actorOf(request, ctx.now));
      return { ok: true, feedback: triaged };
    },
  );
}
