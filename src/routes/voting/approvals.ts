import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { demand } from '#kernel/access/guards.ts';
import type { Permission } from '#kernel/access/roles.ts';
import { ensureSudo } from '#kernel/access/sudo.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { recordAudit } from '#kernel/db/audit.ts';
import { needsTwoPeople, storeTwoPeople } from '#kernel/db/settings.ts';
import { actorOf } from '#kernel/http/client.ts';
import { AppError } from '#kernel/http/errors.ts';
import { type App, answerDone, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { flag, REQUIRED_TEXT } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { formatShort } from '#kernel/local-time.ts';
import { ownValue } from '#kernel/own-value.ts';
import {
  type ActDetail,
  actingPerson,
  approvalExpiry,
  decide,
  getApproval,
  listApprovals,
  listPeopleWith,
} from '#people/approvals/approvals.ts';
import { runApproved } from '#people/approvals/run-approved.ts';
import { graveActs } from '#routes/people/grave-acts.ts';
import { approvalsPage } from '#views/people/approvals.ts';

const params = z.object({ id: Id });
const DecisionInput = z.object({
  hash: z.string(REQUIRED_TEXT).max(64),
  decision: z.enum(['confirmed', 'refused'], { error: 'must be confirmed or refused' }),
});
const doneQuery = z.object({ done: z.string().max(20).optional().catch(undefined) });

const DONE: Record<string, string> = {
  confirmed: 'It was confirmed, and done.',
  refused: 'It was refused: nothing was done.',
  on: 'Sensitive actions now need a second person.',
  off: 'From now on one person is enough; the others are told by mail.',
};

/** Grave acts that need the confirmation of a second person. */
export function approvals(app: App, { ctx }: { ctx: Context }): void {
  const acts = graveActs(ctx);
  const read = { permission: 'elections:read' as const };

  app.get(
    '/admin/approvals',
    { config: read, schema: { querystring: doneQuery } },
    async (request, reply) => {
      const waiting = listApprovals(ctx);
      reply.header('vary', 'Accept');
      if (!wantsHtml(request))
        return {
          two_people: needsTwoPeople(ctx.db),
          approvals: waiting.map((row) => ({
            details: JSON.parse(row.details) as ActDetail[],
            id: row.id,
            act: row.act,
            permission: row.permission,
            hash: row.hash,
            asked_by: row.by,
            asked_at: isoTime(row.asked_at),
            expires_at: isoTime(approvalExpiry(row)),
          })),
        };
      const when = (at: number) => formatShort(at, ctx.config.TIME_ZONE);
      const own = `person:${actingPerson(request)}`;
      return sendHtml(
        reply,
        approvalsPage({
          approvals: waiting.map((row) => ({
            details: JSON.parse(row.details) as ActDetail[],
            id: row.id,
            act: row.act,
            hash: row.hash,
            by: row.by,
            until: when(approvalExpiry(row)),
            isOwn: row.asked_by === own,
            mayDecide: request.granted?.has(row.permission as Permission) ?? false,
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

  app.post(
    '/admin/approvals/:id',
    { config: read, schema: { params, body: DecisionInput } },
    async (request, reply) => {
      const person = personOf(request);
      const { id } = request.params;
      const { decision, hash } = request.body;
      await demand(ctx, request, getApproval(ctx, id).permission as Permission);
      ensureSudo(ctx, request);
      const row = await decide(ctx, { id, hash, decision }, person, actorOf(request, ctx.now));
      if (decision === 'confirmed') {
        const { status, error, answer, page } = await runApproved(ctx, app, row, wantsHtml(request));
        if (error !== undefined)
          throw new AppError(status, `It was confirmed, but could not be done: ${error}`);
        // Voting codes are shown once, so whoever confirms them gets them.
        if (page !== undefined) return reply.type('text/html; charset=utf-8').send(page);
        if (answer !== undefined && !wantsHtml(request)) return { ok: true, decision, answer };
      }
      return answerDone(request, reply, { ok: true, decision }, `/admin/approvals?done=${decision}`);
    },
  );

  app.post(
    '/admin/approvals/setting',
    {
      config: { permission: 'settings:write', sudo: true },
      schema: { body: z.object({ two_people: flag }) },
    },
    async (request, reply) => {
      const on = request.body.two_people;
      // Otherwise one person alone could switch the rule off.
      if (!on && needsTwoPeople(ctx.db)) {
        const act = { act: 'Let one person be enough for grave acts', permission: 'settings:write' } as const;
        await acts.ask(request, act);
      }
      await ctx.write((tx) => {
        storeTwoPeople(tx, on, ctx.now());
        const metadata = { two_people: on };
        recordAudit(tx, actorOf(request, ctx.now), { action: 'settings.changed', metadata });
      });
      const done = on ? 'on' : 'off';
      return answerDone(request, reply, { ok: true, two_people: on }, `/admin/approvals?done=${done}`);
    },
  );

  /** @throws 403 for API keys: only a person can confirm an act */
  function personOf(request: FastifyRequest): string {
    const person = actingPerson(request);
    if (person === undefined) throw new AppError(403, 'A person confirms this, not a key: sign in');
    return person;
  }
}
