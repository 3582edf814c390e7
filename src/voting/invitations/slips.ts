import { sql } from 'kysely';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { badRequest } from '#kernel/http/errors.ts';
import { electionStatus } from '#voting/elections/elections.ts';
import type { Issuer } from '#voting/elections/issuers.ts';
import { electorOfInvite } from '#voting/electors/joins.ts';
import { ensureToken } from '#voting/invitations/renewed-links.ts';

/**
 * Returns the unused codes of electors without an email address, with their names, for printing. This is recorded in
 * the audit log, because anyone who prints a slip could vote with it.
 * @throws 400 once voting has closed
 */
export async function openSlips(
  ctx: Context,
  election: Issuer,
  actor: Actor,
): Promise<{ name: string; token: string }[]> {
  if (electionStatus(election, ctx.now()) === 'closed') throw badRequest('election_closed');
  const waiting = ctx.db.all(
    build
      .selectFrom('invites')
      .leftJoin('electors', electorOfInvite)
      .select(['invites.id', 'name', 'recipient_name'])
      .where('invites.election_id', '=', election.id)
      .where('status', '=', 'SLIP')
      .where('withdrawn_at', 'is', null)
      .orderBy('name'),
  );
  const slips: { id: string; name: string; token: string }[] = [];
  for (const { id, name, recipient_name } of waiting) {
    const token = await ensureToken(ctx, id);
    if (token !== undefined) slips.push({ id, name: name ?? recipient_name ?? '', token });
  }
  await ctx.write((tx) => {
    const ids = slips.map(({ id }) => id);
    const printed = build.updateTable('invites').set({ slip_printed_at: actor.at });
    tx.run(printed.where('id', 'in', sql<string>`(SELECT value FROM json_each(${JSON.stringify(ids)}))`));
    recordAudit(tx, actor, {
      action: 'invite.slips_opened',
      election_id: election.id,
      metadata: { count: slips.length },
    });
  });
  return slips.map(({ name, token }) => ({ name, token }));
}
