import type { FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { fieldsOf } from '#kernel/http/validation.ts';
import { formatDay } from '#kernel/local-time.ts';
import type { Banner } from '#kernel/site.ts';
import { trialBanner } from '#views/voting/trial.ts';
import { deleteAt, findElection } from '#voting/elections/elections.ts';
import { findMailing } from '#voting/invitations/mailings.ts';

/** The addresses whose `:id` names an election, or a mailing about one. */
const ABOUT_ONE = /^\/(e|admin\/elections|admin\/(mailings))\/:id(\/|$)/;

/** Returns the banner of the page of a request: on every page of a trial, also on those of refusals. */
export const bannerOfTrials =
  (ctx: Context) =>
  ({ params, routeOptions: { url = '' } }: FastifyRequest): Banner | undefined => {
    const { id } = fieldsOf(params);
    const [about, , isMailing] = ABOUT_ONE.exec(url) ?? [];
    if (about === undefined || typeof id !== 'string') return undefined;
    const election = findElection(ctx.db, isMailing ? (findMailing(ctx.db, id)?.election_id ?? '') : id);
    if (election?.trial !== 1) return undefined;
    return trialBanner(formatDay(deleteAt(election), ctx.config.TIME_ZONE));
  };
