import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { demand } from '#kernel/access/guards.ts';
import { DAY, isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { BALLOT_TYPES } from '#kernel/db/schema/voting.ts';
import { act } from '#kernel/http/act.ts';
import { badField } from '#kernel/http/errors.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { oneOf, requiredName, wholeNumber } from '#kernel/http/validation.ts';
import { t } from '#kernel/language/message.ts';
import { clubReader } from '#kernel/locale.ts';
import { readAddressList } from '#kernel/mail-addresses.ts';
import { listAddresses } from '#people/persons.ts';
import { linksOf } from '#routes/voting/invitations/tokens.ts';
import { mailState } from '#routes/voting/officers-page/codes-and-invitations.ts';
import { trialFormPage } from '#views/voting/admin/election/trial-form.ts';
import { tokensOncePage } from '#views/voting/admin/invitations/tokens-once.ts';
import { arrivalPath } from '#views/voting/admin/sections/forms.ts';
import { generateTokens } from '#voting/ballots/tokens.ts';
import { createElection } from '#voting/elections/changes.ts';
import { getIssuer } from '#voting/elections/issuers.ts';
import { TRIAL_VOTERS } from '#voting/elections/trials.ts';
import { ensureMailConfigured } from '#voting/invitations/invite-mails.ts';
import { inviteAll, planInvites } from '#voting/invitations/send-invitations.ts';
import { rulesOf } from '#voting/shared/ballot-types.ts';

const TrialInput = z.object({
  title: requiredName(500),
  hand_out: oneOf(['mail', 'paper']).default('paper'),
  /** Addresses in any form that the form for invitations reads. */
  emails: z
    .union([z.string(), z.array(z.string()).transform((list) => list.join('\n'))])
    .default('')
    .transform((text) => readAddressList(text).filter(({ status }) => status !== 'repeated')),
  count: z
    .union([z.literal('').transform(() => undefined), wholeNumber(1, TRIAL_VOTERS)])
    .default(5)
    .transform((count) => count ?? 5),
});

/** The ballot type of a question that needs nothing but its text. */
const WITHOUT_OPTIONS = BALLOT_TYPES.find((type) => rulesOf(type).options === null)!;

/** Refused before anything is stored. @throws 400 naming the field; 500 while no mail can be sent */
function ensureInvitable(ctx: Context, emails: z.output<typeof TrialInput>['emails']): void {
  if (emails.length === 0) throw badField('emails', 'no_recipients');
  const wrong = emails.filter(({ status }) => status === 'invalid');
  if (wrong.length > 0)
    throw badField('emails', 'trial_addresses', { list: wrong.map(({ input }) => input) });
  if (emails.length > TRIAL_VOTERS) throw badField('emails', 'trial_full', { max: TRIAL_VOTERS });
  ensureMailConfigured(ctx);
}

/** A trial in one step: the election, and its invitations or its codes. */
export function trials(app: App, { ctx }: { ctx: Context }): void {
  act(app, ctx, {
    both: 'POST /admin/elections/trial',
    summary: 'Start a trial: a yes-or-no election with its invitations or voting codes',
    permission: 'elections:write',
    body: TrialInput,
    refused: (request, form) => trialForm(ctx, request, form),
    refusedStatuses: [400],
    run: async ({ body: { title, hand_out, emails, count }, actor, request }) => {
      await demand(ctx, request, 'elections:run');
      if (hand_out === 'mail') ensureInvitable(ctx, emails);
      const [open_at, close_at] = [isoTime(actor.at), isoTime(actor.at + DAY)];
      const settings = { hide_results_until_close: true };
      const fields = { ballot_type: WITHOUT_OPTIONS, description: null, attachment_url: null } as const;
      const id = await createElection(
        ctx,
        { ...fields, title, open_at, close_at, settings, trial: true },
        actor,
      );
      if (hand_out === 'paper') {
        const input = { count, batch_name: null, format: 'short' } as const;
        return { id, made: await generateTokens(ctx, id, input, actor) };
      }
      const recipients = { emails: emails.map(({ input }) => input) };
      const plan = planInvites(ctx, [id], recipients, () => 'individual');
      return { id, invited: await inviteAll(ctx, plan, actor) };
    },
    json: ({ id, made, invited }) => ({ id, ...(made && { tokens: made.tokens }), ...invited }),
    next: ({ id, made }, { request }) => {
      if (!made) return arrivalPath({ id }, 'created-trial');
      request.madeElection = id;
      const election = getIssuer(ctx.db, id);
      const links = linksOf(ctx, request, election, made.tokens);
      return tokensOncePage({ election, ...made, links, viewer: request.viewer });
    },
  });
}

/** The form for a trial, new or refused. A new one proposes a question and the officer's own address. */
export function trialForm(ctx: Context, request: FastifyRequest, refused?: RefusedForm) {
  const own = request.actorPerson ? listAddresses(ctx.db, request.actorPerson)[0]?.email : undefined;
  const proposed = {
    title: t('voting-admin.trials.shall_meet_again_next_week').for(clubReader()),
    emails: own === undefined ? '' : `${own}\n`,
  };
  return trialFormPage({
    entered: refused?.entered ?? proposed,
    errors: refused?.errors ?? [],
    most: TRIAL_VOTERS,
    mail: mailState(ctx),
    viewer: request.viewer,
  });
}
