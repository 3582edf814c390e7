import { z } from 'zod';
import { demand } from '#kernel/access/guards.ts';
import type { Permission } from '#kernel/access/roles.ts';
import { ensureSudo } from '#kernel/access/sudo.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { recordAudit } from '#kernel/db/audit.ts';
import { needsTwoPeople, storeTwoPeople } from '#kernel/db/settings.ts';
import { act, doneQuery } from '#kernel/http/act.ts';
import { AppError } from '#kernel/http/errors.ts';
import { type App, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { flag, oneOf, REQUIRED_TEXT } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { formatInSentence } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { ownValue } from '#kernel/own-value.ts';
import {
  actingPerson,
  actJson,
  actOf,
  approvalExpiry,
  decide,
  getApproval,
  listApprovals,
  listPeopleWith,
} from '#people/approvals/approvals.ts';
import { runApproved } from '#people/approvals/run-approved.ts';
import { withApproval } from '#routes/people/with-approval.ts';
import { approvalsPage } from '#views/people/approvals.ts';

const params = z.object({ id: Id });
const DecisionInput = z.object({
  hash: z.string(REQUIRED_TEXT).max(64),
  decision: oneOf(['confirmed', 'refused']),
});

const DONE: Record<string, Words> = {
  confirmed: t('voting-admin.approvals.confirmed_notice'),
  refused: t('voting-admin.approvals.refused_nothing_done'),
  on: t('voting-admin.approvals.sensitive_actions_now_need_second'),
  off: t('voting-admin.approvals.now_person_enough_others_told'),
};

/** Sensitive acts that need the confirmation of a second person. */
export function approvals(app: App, { ctx }: { ctx: Context }): void {
  const read = { permission: 'elections:read' as const };

  app.get(
    '/admin/approvals',
    { config: read, schema: { querystring: doneQuery } },
    async (request, reply) => {
      const waiting = listApprovals(ctx);
      // Details are for those who decide: certified figures are told to nobody else before everybody sees them.
      const mayDecide = ({ permission }: (typeof waiting)[number]) =>
        request.granted?.has(permission as Permission) ?? false;
      // They are for those who decide: certified figures are told to nobody else before everybody sees them.
      reply.header('vary', 'Accept');
      if (!wantsHtml(request))
        return {
          two_people: needsTwoPeople(ctx.db),
          approvals: waiting.map((row) => ({
            id: row.id,
            ...actJson(mayDecide(row) ? row : { ...row, details: '[]' }),
            permission: row.permission,
            hash: row.hash,
            asked_by: row.by,
            asked_at: isoTime(row.asked_at),
            expires_at: isoTime(approvalExpiry(row)),
          })),
        };
      const when = (at: number) => formatInSentence(at, ctx.now(), ctx.config.TIME_ZONE);
      const own = `person:${actingPerson(request)}`;
      return sendHtml(
        reply,
        approvalsPage({
          approvals: waiting.map((row) => ({
            id: row.id,
            ...actOf(mayDecide(row) ? row : { ...row, details: '[]' }),
            hash: row.hash,
            by: row.by,
            until: when(approvalExpiry(row)),
            isOwn: row.asked_by === own,
            mayDecide: mayDecide(row),
          })),
          isOn: needsTwoPeople(ctx.db),
          couldBeOn: listPeopleWith(ctx.db, 'elections:certify', ctx.now()).length > 1,
          maySet: request.granted?.has('settings:write') ?? false,
          done: ownValue(DONE, request.query.done),
          viewer: request.viewer,
        }),
      );
    },
  );

  act(app, ctx, {
    both: 'POST /admin/approvals/:id',
    permission: 'elections:read',
    params,
    body: DecisionInput,
    run: async ({ params: { id }, body: { hash, decision }, actor, request }) => {
      const person = actingPerson(request);
      if (person === undefined) throw new AppError(403, 'person_confirms');
      await demand(ctx, request, getApproval(ctx, id).permission as Permission);
      ensureSudo(ctx, request);
      const row = await decide(ctx, { id, hash, decision }, person, actor);
      if (decision === 'refused') return {};
      // Its answer may hold the secrets of the act.
      request.made = { what: t('voting-admin.approvals.confirmed_before'), page: '/admin/approvals' };
      const { status, error, answer, page } = await runApproved(ctx, app, row, person, wantsHtml(request));
      if (error !== undefined) throw new AppError(status, 'confirmed_but_failed', { reason: error });
      // Voting codes are shown once, so the person who confirms gets them.
      return { answer, page };
    },
    json: ({ answer }, { body: { decision } }) => ({
      ok: true,
      decision,
      ...(answer !== undefined && { answer }),
    }),
    next: ({ page }, { body: { decision }, reply }) =>
      page === undefined
        ? `/admin/approvals?done=${decision}`
        : reply.type('text/html; charset=utf-8').send(page),
  });

  act(app, ctx, {
    both: 'POST /admin/approvals/setting',
    permission: 'settings:write',
    sudo: true,
    body: z.object({ two_people: flag }),
    run: ({ body: { two_people }, actor, request }) => {
      // Otherwise one person alone could switch the rule off.
      const sensitive =
        !two_people && needsTwoPeople(ctx.db)
          ? ({ kind: 'rule', act: t('voting-admin.approvals.let_person_enough_sensitive_actions') } as const)
          : undefined;
      return withApproval(ctx, request, sensitive, () =>
        ctx.write((tx) => {
          storeTwoPeople(tx, two_people, ctx.now());
          recordAudit(tx, actor, { action: 'settings.changed', metadata: { two_people } });
        }),
      );
    },
    json: (_, { body: { two_people } }) => ({ ok: true, two_people }),
    next: (_, { body: { two_people } }) => `/admin/approvals?done=${two_people ? 'on' : 'off'}`,
  });
}
