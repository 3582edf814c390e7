import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { act } from '#kernel/http/act.ts';
import { type App, noStore, type RefusedForm, roomFor, sendFile } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { wholeNumber } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { formatDay, formatInList } from '#kernel/language/times.ts';
import { localDate } from '#kernel/local-time.ts';
import { FeedbackInput, sendFeedback } from '#pub/feedback/feedback.ts';
import {
  countFeedback,
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
import { feedbackPage, feedbackThanksPage } from '#views/pub/feedback.ts';
import { staffFeedbackPage } from '#views/pub/staff-feedback.ts';
import { whenOn } from './feature-flags.ts';
import { identifyVisitor } from './visitor-cookie.ts';

const querystring = z.object({ sent: z.unknown().optional(), page: z.string().max(64).optional() });

const params = z.object({ id: Id });
const page = wholeNumber(1, 1_000_000).optional().catch(undefined);
/** Without `page`, that of the first message before `before`. */
const PageQuery = FeedbackQuery.pick({ state: true, before: true }).extend({
  page,
  done: z.unknown().optional(),
});

/** Messages with a form each. */
const A_PAGE = 10;

interface Shown {
  state?: FeedbackState | undefined;
  before?: string | null | undefined;
  page?: number | undefined;
  done?: unknown;
  refused?: (RefusedForm & { id: string }) | undefined;
}

/** Of a message of 2,000 characters with who sent it. */
const ROOM = roomFor(2_500);

/** The feedback box: JSON, and a form that works without script. */
export function feedback(app: App, { ctx }: { ctx: Context }): void {
  const closed = whenOn(ctx, 'feedback', { code: 'feedback_off' });

  app.post(
    '/api/feedback',
    {
      onRequest: [closed, noStore],
      bodyLimit: ROOM,
      schema: { summary: 'Send feedback', body: FeedbackInput },
    },
    async (request, reply) => {
      await sendFeedback(ctx, identifyVisitor(ctx, request, reply), request.body);
      return { ok: true };
    },
  );

  for (const url of ['/feedback', '/feedback/']) {
    app.get(
      url,
      {
        config: { part: 'feedback' },
        onRequest: [closed, noStore],
        schema: { summary: 'The feedback box', querystring },
      },
      async (request, reply) => {
        identifyVisitor(ctx, request, reply);
        const { sent, page } = request.query;
        return sendHtml(
          reply,
          sent === undefined ? feedbackPage({ entered: { page } }) : feedbackThanksPage(),
        );
      },
    );

    app.post(
      url,
      {
        onRequest: [closed, noStore],
        config: refusedOn((_request, refused) => feedbackPage({ entered: refused.entered, refused })),
        bodyLimit: ROOM,
        schema: { hide: true, body: FeedbackInput },
      },
      async (request, reply) => {
        await sendFeedback(ctx, identifyVisitor(ctx, request, reply), request.body);
        return reply.redirect('/feedback?sent=1', 303);
      },
    );
  }
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

  app.get(
    '/admin/feedback',
    {
      config: { permission: 'feedback:read' },
      schema: { summary: 'What patrons said', querystring: PageQuery },
    },
    async (request, reply) => sendHtml(reply, renderPage(ctx, request, request.query)),
  );

  act(app, ctx, {
    api: 'PATCH /api/admin/feedback/:id',
    form: 'POST /admin/feedback/:id',
    summary: 'Triage a message',
    permission: 'feedback:write',
    params,
    body: TriageInput,
    // The tags are one text.
    fromForm: ({ tags, ...fields }) => ({
      ...fields,
      ...(typeof tags === 'string' && { tags: splitTags(tags) }),
    }),
    refused: (request, refused) => {
      const { id } = request.params;
      return renderPage(ctx, request, { ...shownBefore(refused.entered), refused: { ...refused, id } });
    },
    run: ({ params: { id }, body, actor }) => triageFeedback(ctx, id, body, actor),
    json: (feedback) => ({ ok: true, feedback }),
    next: (_, { request: { entered = {} } }) => {
      const { state, page = 1 } = shownBefore(entered);
      return `/admin/feedback?done${state ? `&state=${state}` : ''}${page > 1 ? `&page=${page}` : ''}`;
    },
  });
}

/** The state and the page that were shown when a form was sent. */
const shownBefore = ({
  shown,
  page: at,
}: Readonly<Record<string, unknown>>): Pick<Shown, 'state' | 'page'> => ({
  state: FEEDBACK_STATES.find((known) => known === shown),
  page: page.parse(at),
});

function renderPage(
  ctx: Context,
  request: FastifyRequest,
  { state, before = null, page, done, refused }: Shown,
): Html {
  const zone = ctx.config.TIME_ZONE;
  const total = countFeedback(ctx, { state, before: null });
  const newer = before === null ? 0 : total - countFeedback(ctx, { state, before });
  const shown = page ?? Math.floor(newer / A_PAGE) + 1;
  const { items } = listFeedback(ctx, { state, before: null, limit: A_PAGE, offset: (shown - 1) * A_PAGE });
  const { counts, ratings } = summarizeFeedback(ctx);
  return staffFeedbackPage({
    done: done === undefined ? undefined : t('pub-staff.feedback.changed'),
    refused,
    state,
    // Noon is on that date even when the clocks change in the night.
    ratings: ratings.map((one) => ({ ...one, week: formatDay(Date.parse(`${one.week}T12:00Z`), 'UTC') })),
    pages: { page: shown, pageSize: A_PAGE, total },
    identity: request.identity,
    counts: FEEDBACK_STATES.map((value) => ({ ...option(value), count: counts[value] })),
    messages: items.map((item) => ({
      ...item,
      when: formatInList(Date.parse(item.createdAt), ctx.now(), zone),
      state: option(item.state),
      next: nextStates(item.state).map(option),
    })),
  });
}

const option = (value: FeedbackState) => ({ value, label: STATE_LABELS[value] });

function splitTags(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);
}
