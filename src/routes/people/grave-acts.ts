import type { FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { formatShort } from '#kernel/local-time.ts';
import { mailClub } from '#kernel/mail/club.ts';
import { type ActDetail, askSecondPerson, type GraveAct } from '#people/approvals/approvals.ts';
import { actMail } from '#views/mail/act.ts';

/** For the routes of grave acts: call `ask` before the act, and the function that it returns after the act. */
export function graveActs(ctx: Context) {
  const compose = (
    facts: { act: string; details: ActDetail[]; by: string; waits: boolean },
    origin: string,
  ) =>
    actMail({
      ...facts,
      club: mailClub(ctx.config),
      at: formatShort(ctx.now(), ctx.config.TIME_ZONE),
      link: `${origin}/admin/approvals`,
    });
  return {
    /** @throws 202 if a second person has to confirm the act */
    ask: (request: FastifyRequest, act: GraveAct) => askSecondPerson(ctx, request, act, compose),
    /** Like `ask`, for an act about an election; it needs the permission `elections:certify`. */
    about: (request: FastifyRequest, act: string, details: ActDetail[] = []) =>
      askSecondPerson(ctx, request, { act, details, permission: 'elections:certify' }, compose),
  };
}
