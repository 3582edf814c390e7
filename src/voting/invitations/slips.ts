import { sql } from 'kysely';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { badRequest } from '#kernel/http/errors.ts';
import { newId } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { clubReader } from '#kernel/locale.ts';
import { hashToken, storedBatchName, storeTokens, UNUSED } from '#voting/ballots/tokens.ts';
import { newShortCode } from '#voting/ballots/voting-code.ts';
import { electionStatus } from '#voting/elections/elections.ts';
import type { Issuer } from '#voting/elections/issuers.ts';
import { openIfBegun } from '#voting/elections/lifecycle.ts';
import { electorOfInvite } from '#voting/electors/joins.ts';
import { ensureToken } from '#voting/invitations/renewed-links.ts';
import { type InviteMode, sealToken } from './invites.ts';

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
      .leftJoin('persons', 'persons.id', 'invites.person_id')
      .select(['invites.id', 'electors.name', 'recipient_name'])
      .where('invites.election_id', '=', election.id)
      .where('status', '=', 'SLIP')
      .where('withdrawn_at', 'is', null)
      .orderBy(sql`coalesce(sort_name, lower(electors.name))`)
      .orderBy('invites.id'),
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

/**
 * Makes codes on slips without a name, for electors of whom only the number is known. They are printed with the others,
 * and are never mailed.
 */
export function addUnnamedSlips(
  ctx: Context,
  tx: Tx,
  { electionId, mode, count }: { electionId: string; mode: InviteMode; count: number },
  actor: Actor,
): void {
  if (count === 0) return;
  const batch_name = storedBatchName(
    tx,
    electionId,
    t('voting-admin.tokens.slips_without_name').for(clubReader()),
  );
  const unused = { election_id: electionId, batch_name, created_at: actor.at, ...UNUSED };
  const codes = Array.from({ length: count }, newShortCode);
  storeTokens(
    tx,
    electionId,
    codes.map((code) => ({ token_hash: hashToken(code), ...unused })),
  );
  for (const code of codes)
    tx.run(
      build.insertInto('invites').values({
        id: newId(actor.at),
        election_id: electionId,
        person_id: null,
        email: '',
        mode,
        status: 'SLIP',
        created_at: actor.at,
        sent_at: null,
        mailed_at: null,
        token_hash: hashToken(code),
        token_plaintext: sealToken(ctx, code),
        error: null,
        recipient_name: null,
        mailing_id: null,
        slip_printed_at: null,
        withdrawn_at: null,
      }),
    );
  recordAudit(tx, actor, {
    action: 'tokens.generated',
    election_id: electionId,
    metadata: { count, batch_name },
  });
  openIfBegun(tx, electionId, actor.at);
}
