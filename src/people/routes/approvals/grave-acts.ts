import type { FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { originOf } from '#kernel/http/client.ts';
import { formatShort } from '#kernel/local-time.ts';
import { mailClub } from '#kernel/mail/club.ts';
import { askSecondPerson, type GraveAct } from '#people/approvals/approvals.ts';
import { actMail } from '#views/mail/act.ts';

/** For the routes of grave acts: `ask` comes before the act, and what it returns after it. */
export function graveActs(ctx: Context) {
  const compose = (request: FastifyRequest) => (told: { act: string; by: string; waits: boolean }) =>
    actMail({
      ...told,
      club: mailClub(ctx.config),
      at: formatShort(ctx.now(), ctx.config.TIME_ZONE),
      link: `${ctx.config.BASE_URL ?? originOf(request)}/admin/approvals`,
    });
  return {
    /** @throws 202 where a second person has to confirm it */
    ask: (request: FastifyRequest, act: GraveAct) => askSecondPerson(ctx, request, act, compose(request)),
    /** The same for an act about an election, by whoever may certify it. */
    about: (request: FastifyRequest, act: string) =>
      askSecondPerson(ctx, request, { act, permission: 'elections:certify' }, compose(request)),
  };
}
