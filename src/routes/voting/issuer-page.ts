import type { FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { nestForm } from '#kernel/http/form.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import type { FormProblem } from '#views/voting/admin/election/election.ts';
import { getElection } from '#voting/elections/elections.ts';
import { getPaper, type Issuer } from '#voting/elections/issuers.ts';
import { renderPaperPage } from './ballot-papers/officers-page.ts';
import { type Asked, renderElectionPage } from './elections/election-page.ts';
import { issuerOfRefused } from './invitations/codes-and-invitations.ts';

/** Loads and renders the officers' page of an election or a ballot paper. */
export const renderIssuerPage = (
  ctx: Context,
  { id, isPaper }: Issuer,
  request: FastifyRequest,
  asked: Asked,
): Html =>
  isPaper
    ? renderPaperPage(ctx, getPaper(ctx.db, id), request, asked)
    : renderElectionPage(ctx, getElection(ctx.db, id), request, asked);

/**
 * The config of a form's route on the page of an election or a ballot paper: a refusal shows the page again, with the
 * form as it was sent.
 */
export function refusedOnPage(ctx: Context, form: FormProblem['form']) {
  const refused = (request: FastifyRequest, { error, message, errors, entered }: RefusedForm): Html => {
    const issuer = issuerOfRefused(ctx, request, error);
    const problem = { form, message, errors, entered: nestForm(entered) };
    return renderIssuerPage(ctx, issuer, request, { problem });
  };
  return { refused, refusedStatuses: [400, 409] };
}
