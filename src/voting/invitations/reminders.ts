import { z } from 'zod';
import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { badRequest } from '#kernel/http/errors.ts';
import { flag } from '#kernel/http/validation.ts';
import { electionStatus } from '#voting/elections/elections.ts';
import { getIssuer, waits } from '#voting/elections/issuers.ts';
import { ensureMailConfigured, putReminders, sendClaimed } from './invite-mails.ts';
import { invitesWithTokens } from './invites.ts';
import { createMailing, lastMailing, SENT_AT_ONCE } from './mailings.ts';
import type { MailResult } from './recipients.ts';

/** People who had a mail about the election in this time are not reminded, except with `force`. */
const REMIND_AFTER_MS = DAY;

export const RemindersInput = z.object({
  force: flag.optional(),
  /** The id of the newest reminders when the form was shown: pressing the button twice sends one mailing. */
  after: z.string().max(64).optional(),
});

export interface Reminded {
  success: boolean;
  summary: { total: number; sent: number; failed: number; skipped: number };
  results: MailResult[];
  /** Absent if nobody was due. */
  mailing_id?: string;
}

/**
 * Reminds everyone who was invited, has not voted and had no mail for a day; for a paper, who has not answered every
 * question that is open.
 * @param wait whether to return only after all mails are sent; otherwise larger mailings are sent in the background
 * @throws 404, 400 unless the election is open
 */
export async function sendReminders(
  ctx: Context,
  electionId: string,
  { force = false, after }: z.output<typeof RemindersInput>,
  actor: Actor,
  wait: boolean,
): Promise<Reminded> {
  ensureMailConfigured(ctx);
  // The time is stored before the mails are sent, so that two requests at once remind nobody twice.
  const { total, started } = await ctx.write((tx) => {
    if (electionStatus(getIssuer(tx, electionId), ctx.now()) !== 'open')
      throw badRequest('election_not_open');
    const last = lastMailing(tx, electionId, 'reminders');
    if (after !== undefined && after !== (last?.id ?? '')) return { total: 0, started: undefined };
    const now = ctx.now();
    const invites = tx.all(
      invitesWithTokens
        .selectAll('invites')
        .select(waits(now).as('waits'))
        .where('invites.election_id', '=', electionId)
        .where('tokens.token_hash', 'is not', null),
    );
    const eligible = invites.filter(
      ({ status, mailed_at, waits }) =>
        status === 'SENT' && waits && (force || now - (mailed_at ?? 0) > REMIND_AFTER_MS),
    );
    const skipped = invites.length - eligible.length;
    if (eligible.length === 0) return { total: invites.length, started: undefined };
    const run = wait || eligible.length <= SENT_AT_ONCE ? ctx.run : undefined;
    const of = { kind: 'reminders', election_id: electionId, skipped } as const;
    const started = createMailing(tx, of, putReminders(tx, eligible, now), actor, run);
    return { total: invites.length, started };
  });
  const results = await sendClaimed(ctx, started, actor);
  const sent = results.filter(({ success, queued }) => success && !queued).length;
  const later = results.filter(({ queued }) => queued).length;
  const failed = results.length - sent - later;
  const summary = { total, sent, failed, skipped: total - results.length };
  return {
    success: sent + later > 0 || results.length === 0,
    summary,
    results,
    ...(started && { mailing_id: started.id }),
  };
}
