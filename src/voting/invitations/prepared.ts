import type { Context } from '#kernel/context.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { badRequest } from '#kernel/http/errors.ts';
import { electionStatus } from '#voting/elections/elections.ts';
import { type Issuer, questionsOfAll } from '#voting/elections/issuers.ts';
import { ensureChoice } from '#voting/elections/options.ts';
import { electorOfInvite } from '#voting/electors/joins.ts';
import type { InvitePlan } from './create-invites.ts';
import { presentAddress } from './elector-codes.ts';
import type { Invitee } from './recipients.ts';

/**
 * Lists the electors that were taken over from a void election and are not invited yet, with their present addresses.
 */
export function listPrepared(reader: Reader, electionId: string): Invitee[] {
  const rows = reader.all(
    build
      .selectFrom('invites')
      .leftJoin('electors', electorOfInvite)
      .select(['invites.person_id', 'invites.email', 'recipient_name', 'electors.name', 'standing', 'as_of'])
      .where('invites.election_id', '=', electionId)
      .where('status', '=', 'PREPARED')
      .orderBy('invites.id'),
  );
  return rows.map(({ person_id, email, recipient_name, name, standing, as_of }) => ({
    email: presentAddress(reader, { person_id, email }) ?? (email || null),
    person: person_id === null ? null : { id: person_id, name: name ?? '', standing, as_of },
    name: recipient_name ?? undefined,
  }));
}

/** The plan that invites them; before the opening their mails wait for it. @throws 400 once voting has closed */
export function planPrepared(ctx: Context, election: Issuer, invitees: Invitee[]): InvitePlan {
  if (electionStatus(election, ctx.now()) === 'closed') throw badRequest('election_closed');
  ensureChoice(ctx, questionsOfAll(ctx.db, [election]));
  return {
    elections: [election],
    invitees,
    invalid: [],
    batch_name: null,
    mode: election.invite_mode ?? 'individual',
    queue: true,
    inBackground: true,
  };
}
