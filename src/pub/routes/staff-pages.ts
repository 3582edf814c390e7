import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { AuditQuery, listAudit, listAuditActions } from '#kernel/db/audit.ts';
import { actorOf } from '#kernel/http/client.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { formatDay, formatTime, formatWhen } from '#kernel/local-time.ts';
import { listAssignments, RolesInput, setRoles } from '#people/roles.ts';
import {
  FEEDBACK_STATES,
  FeedbackQuery,
  type FeedbackState,
  listFeedback,
  nextStates,
  summarizeFeedback,
  TriageInput,
  triageFeedback,
  WORDS,
} from '#pub/feedback/triage.ts';
import { enteredOf, readForm, refusalOf } from '#pub/http/forms.ts';
import { staffAuditPage } from '#views/pub/staff-audit.ts';
import { staffFeedbackPage } from '#views/pub/staff-feedback.ts';
import { rolesPage } from '#views/pub/staff-roles.ts';

const Done = z.object({ done: z.unknown().optional() });
const FeedbackPageQuery = FeedbackQuery.pick({ state: true, before: true }).extend(Done.shape);

/** The pages of the staff that are about people: who may do what, what was done, and what patrons said. */
export function staffPages(app: App, { ctx }: { ctx: Context }): void {
  const zone = ctx.config.TIME_ZONE;
  const when = (at: number) => `${formatDay(at, zone)}, ${formatTime(at, zone)}`;

  app.get(
    '/admin/pub/roles',
    { config: { permission: 'roles:read' }, schema: { summary: 'Who may do what', querystring: Done } },
    async (request, reply) => showRoles(request, reply, { done: request.query.done }),
  );

  app.post(
    '/admin/pub/roles',
    { config: { permission: 'roles:write' }, schema: { hide: true } },
    async (request, reply) => {
      const entered = enteredOf(request);
      try {
        // A form without a ticked box sends no roles at all.
        const input = readForm(RolesInput, { roles: [], ...entered });
        await setRoles(ctx, input, actorOf(request, ctx.now));
        return reply.redirect('/admin/pub/roles?done', 303);
      } catch (error) {
        const { status, message } = refusalOf(error, reply);
        const email = typeof entered.email === 'string' ? entered.email : '';
        return showRoles(request, reply, { refused: { message, email } }, status);
      }
    },
  );

  async function showRoles(
    request: FastifyRequest,
    reply: FastifyReply,
    { done, refused }: { done?: unknown; refused?: { message: string; email: string } },
    status = 200,
  ) {
    const people = (await listAssignments(ctx)).map(({ email, roles, granted_at, granted_by }) => ({
      email,
      roles,
      granted: `Given ${when(granted_at)} by ${granted_by}`,
    }));
    const said = done === undefined ? undefined : 'The roles were changed.';
    return sendHtml(reply, rolesPage({ done: said, refused, people, identity: request.identity }), status);
  }

  app.get(
    '/admin/pub/audit',
    {
      config: { permission: 'audit:read' },
      schema: { summary: 'What was done', querystring: AuditQuery },
    },
    async (request, reply) => {
      const { logs, total } = listAudit(ctx.db, request.query);
      const entries = logs.map((entry) => ({ ...entry, when: formatWhen(entry.timestamp, zone) }));
      const actions = await listAuditActions(ctx.db);
      const log = { entries, total, actions, query: request.query };
      return sendHtml(reply, staffAuditPage(log, request.identity));
    },
  );

  app.get(
    '/admin/feedback',
    {
      config: { permission: 'feedback:read' },
      schema: { summary: 'What patrons said', querystring: FeedbackPageQuery },
    },
    async (request, reply) => showFeedback(request, reply, request.query),
  );

  app.post(
    '/admin/feedback/:id',
    {
      config: { permission: 'feedback:write' },
      schema: { hide: true, params: z.object({ id: Id }) },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { shown, tags, ...fields } = enteredOf(request);
      const state = FEEDBACK_STATES.find((known) => known === shown);
      try {
        const input = readForm(TriageInput, {
          ...fields,
          ...(typeof tags === 'string' && { tags: tagsOf(tags) }),
        });
        await triageFeedback(ctx, id, input, actorOf(request, ctx.now));
        return reply.redirect(`/admin/feedback?done${state ? `&state=${state}` : ''}`, 303);
      } catch (error) {
        const { status, message } = refusalOf(error, reply);
        return showFeedback(request, reply, { state, refused: { message, id } }, status);
      }
    },
  );

  async function showFeedback(
    request: FastifyRequest,
    reply: FastifyReply,
    {
      state,
      before = null,
      done,
      refused,
    }: {
      state?: FeedbackState | undefined;
      before?: string | null | undefined;
      done?: unknown;
      refused?: { message: string; id: string };
    },
    status = 200,
  ) {
    const { items, nextBefore } = listFeedback(ctx, { state, before, limit: 30 });
    const { counts, ratings } = summarizeFeedback(ctx);
    const page = staffFeedbackPage({
      done: done === undefined ? undefined : 'The message was changed.',
      refused,
      state,
      // Noon is on that date, whatever the clocks do in the night.
      ratings: ratings.map((one) => ({ ...one, week: formatDay(Date.parse(`${one.week}T12:00Z`), 'UTC') })),
      older: nextBefore,
      identity: request.identity,
      counts: FEEDBACK_STATES.map((value) => ({ ...option(value), count: counts[value] })),
      messages: items.map((item) => ({
        ...item,
        when: when(Date.parse(item.createdAt)),
        state: option(item.state),
        next: nextStates(item.state).map(option),
      })),
    });
    return sendHtml(reply, page, status);
  }
}

const option = (value: FeedbackState) => ({ value, label: WORDS[value] });

const tagsOf = (text: string) =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);
