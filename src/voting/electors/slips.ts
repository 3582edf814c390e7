import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { AppError, badRequest } from '#kernel/http/errors.ts';
import { type Election, electionStatus } from '#voting/elections/elections.ts';
import { areVotersHidden } from '#voting/elections/visibility.ts';
import { ensureToken } from '#voting/invitations/renewed-links.ts';

/**
 * Returns the unused codes of electors without an email address, with their names, for printing. This is recorded in
 * the audit log, because whoever prints a slip could vote with it.
 * @throws 400 once voting has closed, 409 if the slips would show who has voted
 */
export async function openSlips(
  ctx: Context,
  election: Election,
  actor: Actor,
): Promise<{ name: string; token: string }[]> {
  if (electionStatus(election, ctx.now()) === 'closed') throw badRequest('Election is closed');
  // Used codes get no slip, so a missing slip would show that the person has voted.
  if (election.opened_at !== null && areVotersHidden(election, ctx.now()))
    throw new AppError(
      409,
      'This election shows live results, so nobody is told who has voted: its slips were to be printed before it opened',
    );
  const waiting = ctx.db.all(
    build
      .selectFrom('invites')
      .innerJoin('electors', (join) =>
        join
          .onRef('electors.election_id', '=', 'invites.election_id')
          .onRef('electors.person_id', '=', 'invites.person_id'),
      )
      .select(['invites.id', 'name'])
      .where('invites.election_id', '=', election.id)
      .where('invites.email', '=', '')
      .orderBy('name'),
  );
  const slips: { name: string; token: string }[] = [];
  for (const { id, name } of waiting) {
    const token = await ensureToken(ctx, id);
    if (token !== undefined) slips.push({ name, token });
  }
  await ctx.write((tx) =>
    recordAudit(tx, actor, {
      action: 'invite.slips_opened',
      election_id: election.id,
      metadata: { count: slips.length },
    }),
  );
  return slips;
}
