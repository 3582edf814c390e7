import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { nestForm } from '#kernel/http/form.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { Id } from '#kernel/ids.ts';
import { afterForm, type DoneKey, type FormName, pageOfForm } from '#views/voting/admin/sections/forms.ts';
import { findElection, getElection } from '#voting/elections/elections.ts';
import { findPaper, getPaper, type Issuer } from '#voting/elections/issuers.ts';
import { isPaperAddress } from './address.ts';
import { renderPaperPage } from './ballot-paper.ts';
import { renderElectionPage } from './election.ts';
import type { Asked } from './shared.ts';

/** Loads and renders the officers' page of an election or a ballot paper. */
export const renderIssuerPage = (
  ctx: Context,
  { id, isPaper }: Pick<Issuer, 'id' | 'isPaper'>,
  request: FastifyRequest,
  asked: Asked,
): Html =>
  isPaper
    ? renderPaperPage(ctx, getPaper(ctx.db, id), request, asked)
    : renderElectionPage(ctx, getElection(ctx.db, id), request, asked);

type Of<F extends FormName> = F | ((entered: Record<string, unknown>) => F);

/**
 * What the act of a form on the page of an election or a ballot paper has, where it says nothing else: a refusal shows
 * the page again with the form as it was sent, and a success the section of the form with its notice.
 * @param form by what was entered, where forms share an address @param key which of the form's notices, if it has several
 */
export function onPage<F extends FormName>(
  ctx: Context,
  form: Of<F>,
  ...[key]: [DoneKey<F>] extends [never] ? [] : [key: DoneKey<F>]
) {
  const formIn = (entered: Record<string, unknown> = {}) =>
    typeof form === 'function' ? form(entered) : form;
  return {
    params: z.object({ id: Id }),
    refused: (request: FastifyRequest, refused: RefusedForm): Html =>
      refusedPage(ctx, request, formIn(refused.entered), refused),
    refusedStatuses: [400, 409],
    json: () => ({ success: true }),
    next: (_: unknown, { params: { id }, request }: { params: { id: string }; request: FastifyRequest }) =>
      afterForm({ id, isPaper: isPaperAddress(request) }, formIn(request.entered), key, request.entered),
  };
}

/** The page with a refused form. */
export function refusedPage(
  ctx: Context,
  request: FastifyRequest,
  form: FormName,
  { error, message, errors, entered }: RefusedForm,
): Html {
  const { id = '' } = request.params as { id?: string };
  const asked = { page: pageOfForm(form), problem: { form, message, errors, entered: nestForm(entered) } };
  const paper = isPaperAddress(request) && findPaper(ctx.db, id);
  if (paper) return renderPaperPage(ctx, paper, request, asked);
  const election = isPaperAddress(request) ? undefined : findElection(ctx.db, id);
  // Without either there is no page to show: the refusal is sent as an error.
  if (!election) throw error;
  return renderElectionPage(ctx, election, request, asked);
}
