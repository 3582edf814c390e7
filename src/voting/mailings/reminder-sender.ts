import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { findToken } from '#voting/ballots/tokens.ts';
import { electionStatus, getElection } from '#voting/elections/elections.ts';
import type { ComposeInvitation } from '#voting/invitations/invitation-mails.ts';
import { sendAgain } from '#voting/invitations/invite-delivery.ts';
import type { Mailing, SendMail } from './mailings.ts';

/** Returns the function that sends a reminder; once the election has closed, a sentence for the mailing's page. */
export function reminderSender(
  ctx: Context,
  { election_id }: Pick<Mailing, 'election_id'>,
  compose: ComposeInvitation,
  actor: Actor,
): SendMail | string {
  if (electionStatus(getElection(ctx.db, election_id), ctx.now()) !== 'open') return 'Voting has closed';
  return async ({ invite_id, email, mailed_before }) => {
    const invite = ctx.db.first(build.selectFrom('invites').selectAll().where('id', '=', invite_id));
    const token = invite && findToken(ctx.db, election_id, invite.token_hash ?? '');
    if (!invite || !token || token.used) return 'skipped';
    const result = await sendAgain(ctx, invite, 'reminder', compose);
    await ctx.write((tx) => {
      const now = ctx.now();
      // After a failure the earlier time is restored, so that the person is reminded again.
      const mailed_at = result.success ? now : mailed_before;
      tx.run(build.updateTable('invites').set({ mailed_at }).where('id', '=', invite.id));
      if (!result.success) return;
      const metadata = { invite_id: invite.id };
      recordAudit(tx, { ...actor, at: now }, { action: 'reminder.sent', election_id, metadata });
    });
    return { ...result, email };
  };
}
