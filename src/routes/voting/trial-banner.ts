import type { FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { fieldsOf } from '#kernel/http/validation.ts';
import { formatDay } from '#kernel/language/times.ts';
import type { Banner } from '#kernel/site.ts';
import { trialBanner } from '#views/voting/trial.ts';
import { deleteAt, findElection } from '#voting/elections/elections.ts';
import { findMailing } from '#voting/invitations/mailings.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The election that the page of this request is about, where its address does not name it. */
    madeElection?: string;
  }
}

/** The addresses whose `:id` names an election, or a mailing about one. */
const ABOUT_ONE = /^\/(e|admin\/elections|admin\/(mailings))\/:id(\/|$)/;

/** Returns the banner of the page of a request: on every page of a trial, also on those of refusals. */
export const bannerOfTrials =
  (ctx: Context) =>
  (request: FastifyRequest): Banner | undefined => {
    const id = request.madeElection ?? namedElection(ctx, request);
    const election = id === undefined ? undefined : findElection(ctx.db, id);
    if (election?.trial !== 1) return undefined;
    return trialBanner(formatDay(deleteAt(election), ctx.config.TIME_ZONE));
  };

function namedElection(ctx: Context, { params, body, routeOptions: { url = '' } }: FastifyRequest) {
  if (url.startsWith('/admin/bulk-invites')) return trialAmong(ctx, fieldsOf(body).election_ids);
  const { id } = fieldsOf(params);
  const [about, , isMailing] = ABOUT_ONE.exec(url) ?? [];
  if (about === undefined || typeof id !== 'string') return undefined;
  return isMailing ? findMailing(ctx.db, id)?.election_id : id;
}

/** The first trial among the elections that a request names in its body. */
const trialAmong = (ctx: Context, ids: unknown): string | undefined =>
  [ids].flat().find((id): id is string => typeof id === 'string' && findElection(ctx.db, id)?.trial === 1);
