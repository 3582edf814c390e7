import type { Context } from '#kernel/context.ts';
import { recordAudit, SERVICE } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { newRandomId } from '#kernel/ids.ts';
import { hashToken } from '#voting/ballots/tokens.ts';
import { newShortCode } from '#voting/ballots/voting-code.ts';
import { electionStatus } from '#voting/elections/elections.ts';
import { codeHolders, getIssuer, waits } from '#voting/elections/issuers.ts';
import { openToken, sealToken } from './invites.ts';

/**
 * Returns the voting token of an invite. Backups hold no voting links: after a restore an unused token is replaced by a
 * new one. A person never has two valid tokens.
 * @returns undefined once the token was used or withdrawn, or the election has closed
 */
export async function ensureToken(ctx: Context, inviteId: string): Promise<string | undefined> {
  return ctx.write((tx) => {
    const invite = tx.first(build.selectFrom('invites').selectAll().where('id', '=', inviteId));
    if (!invite) return undefined;
    const kept = openToken(ctx, invite);
    if (kept !== undefined) return kept;
    const { election_id } = invite;
    if (electionStatus(getIssuer(tx, election_id), ctx.now()) === 'closed') return undefined;

    const token = invite.email === '' ? newShortCode() : newRandomId();
    const token_hash = hashToken(token);
    // If a ballot came first, it has used the token, and nothing is replaced. Used questions of a paper stay used.
    const own = build
      .updateTable('tokens')
      .set({ token_hash })
      .where('token_hash', '=', invite.token_hash ?? '');
    if (tx.run(own.where('election_id', '=', election_id).where(waits())) !== 1) return undefined;
    tx.run(own.where('election_id', 'in', codeHolders(tx, election_id)));
    const kept_link = { token_hash, token_plaintext: sealToken(ctx, token) };
    tx.run(build.updateTable('invites').set(kept_link).where('id', '=', inviteId));
    const metadata = { invite_id: inviteId };
    // It may happen when a member opens the ballot, so it keeps no more of the moment than the vote.
    recordAudit(
      tx,
      { ip: SERVICE, at: ctx.now() },
      { action: 'invite.link_renewed', election_id, metadata, hourOnly: true },
    );
    return token;
  });
}
