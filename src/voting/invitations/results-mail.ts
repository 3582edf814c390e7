import type { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { badRequest } from '#kernel/http/errors.ts';
import { formatWhen } from '#kernel/local-time.ts';
import { clubName } from '#kernel/mail/message.ts';
import { resultsMail } from '#views/mail/results.ts';
import { outcomeSentence } from '#views/voting/outcome.ts';
import { getResults } from '#voting/counting/results.ts';
import { endOf, getElection } from '#voting/elections/elections.ts';
import { ensureMailConfigured } from './invite-delivery.ts';
import { type MailResult, type RecipientsInput, readRecipients } from './recipients.ts';

/** Mails the result to the recipients named, or to everyone who was invited. @throws 404, 403 while it is hidden */
export async function mailResults(
  ctx: Context,
  electionId: string,
  input: z.output<typeof RecipientsInput>,
  actor: Actor,
) {
  const election = await getElection(ctx, electionId);
  const results = await getResults(ctx, election);
  ensureMailConfigured(ctx);
  const named = (input.emails?.length ?? 0) + (input.distribution_list_ids?.length ?? 0) > 0;
  const { emails, invalid } = named
    ? await readRecipients(ctx, input)
    : { emails: await invitedTo(ctx, electionId), invalid: [] };
  if (emails.length + invalid.length === 0) throw badRequest('Nobody was invited: name recipients');

  const mail = resultsMail({
    clubName: clubName(ctx.config),
    title: election.title,
    outcome: outcomeSentence(results),
    closed: formatWhen(endOf(election), ctx.config.TIME_ZONE),
    link: `${ctx.config.BASE_URL}/e/${election.id}`,
  });
  const sent = await Promise.all(
    emails.map(async (to, index): Promise<MailResult> => {
      const answer = await ctx.mailer.send({
        to,
        id: `results-${election.id}-${ctx.now()}-${index}`,
        ...mail,
      });
      return answer.ok ? { email: to, success: true } : { email: to, success: false, error: answer.error };
    }),
  );
  const rows = [...sent, ...invalid];
  const ok = sent.filter(({ success }) => success).length;
  const summary = { total: rows.length, sent: ok, failed: rows.length - ok, skipped: 0 };
  await ctx.write((tx) =>
    recordAudit(tx, actor, {
      action: 'results.emailed',
      election_id: electionId,
      metadata: { sent: ok, failed: summary.failed },
    }),
  );
  return { success: ok > 0, summary, results: rows };
}

async function invitedTo(ctx: Context, electionId: string): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('invites')
    .select('email')
    .distinct()
    .where('election_id', '=', electionId)
    .orderBy('email')
    .execute();
  return rows.map(({ email }) => email);
}
