import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { actorOf } from '#kernel/http/client.ts';
import { type App, type RefusedForm, sendFile } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { Id } from '#kernel/ids.ts';
import { formatDay, formatTime, localDate } from '#kernel/local-time.ts';
import {
  exportFeedback,
  FEEDBACK_STATES,
  FeedbackQuery,
  type FeedbackState,
  listFeedback,
  nextStates,
  STATE_LABELS,
  summarizeFeedback,
  TriageInput,
  triageFeedback,
} from '#pub/feedback/triage.ts';
import { staffFeedbackPage } from '#views/pub/staff-feedback.ts';

const params = z.object({ id: Id });
const PageQuery = FeedbackQuery.pick({ state: true, before: true }).extend({ done: z.unknown().optional() });

/** The form of a message: its tags as one text, and the state that the page is filtered by. */
const TriageForm = TriageInput.extend({
  tags: z.string().transform(splitTags).pipe(TriageInput.shape.tags.unwrap()).optional(),
  shown: z.enum(FEEDBACK_STATES).optional().catch(undefined),
});

interface Shown {
  state?: FeedbackState | undefined;
  before?: string | null | undefined;
  done?: unknown;
  refused?: (RefusedForm & { id: string }) | undefined;
}

/** The feedback messages for staff, as JSON and as a page; also while the feedback box is closed. */
export function feedbackTriage(app: App, { ctx }: { ctx: Context }): void {
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
      schema: { summary: 'Triage a message', params, body: TriageInput },
    },
    async (request) => {
      const { id } = request.params;
      const triaged = await triageFeedback(ctx, id, request.body, actorOf(request, ctx.now));
      return { ok: true, feedback: triaged };
    },
  );

  app.get(
    '/admin/feedback',
    {
      config: { permission: 'feedback:read' },
      schema: { summary: 'What patrons said', querystring: PageQuery },
    },
    async (request, reply) => sendHtml(reply, renderPage(ctx, request, request.query)),
  );

  app.post(
    '/admin/feedback/:id',
    {
      config: {
        permission: 'feedback:write',
        ...refusedOn((request, form) => {
          const { id = '' } = request.params as { id?: string };
          const state = FEEDBACK_STATES.find((known) => known === form.entered.shown);
          return renderPage(ctx, request, { state, refused: { ...form, id } });
        }),
      },
      schema: { hide: true, params, body: TriageForm },
    },
    async (request, reply) => {
      const { shown, ...change } = request.body;
      await triageFeedback(ctx, request.params.id, change, actorOf(request, ctx.now));
      return reply.redirect(`/admin/feedback?done${shown ? `&state=${shown}` : ''}`, 303);
    },
  );
}

function renderPage(
  ctx: Context,
  request: FastifyRequest,
  { state, before = null, done, refused }: Shown,
): Html {
  const zone = ctx.config.TIME_ZONE;
  const { items, nextBefore } = listFeedback(ctx, { state, before, limit: 30 });
  const { counts, ratings } = summarizeFeedback(ctx);
  return staffFeedbackPage({
    done: done === undefined ? undefined : 'The message was changed.',
    refused,
    state,
    // Noon is on that date even when the clocks change in the night.
    ratings: ratings.map((one) => ({ ...one, week: formatDay(Date.parse(`${one.week}T12:00Z`), 'UTC') })),
    older: nextBefore,
    identity: request.identity,
    counts: FEEDBACK_STATES.map((value) => ({ ...option(value), count: counts[value] })),
    messages: items.map((item) => {
      const at = Date.parse(item.createdAt);
      return {
        ...item,
        when: `${formatDay(at, zone)}, ${formatTime(at, zone)}`,
        state: option(item.state),
        next: nextStates(item.state).map(option),
      };
    }),
  });
}

const option = (value: FeedbackState) => ({ value, label: STATE_LABELS[value] });

function splitTags(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);
}
