import type { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { badRequest } from '#kernel/http/errors.ts';
import { formatWhen } from '#kernel/local-time.ts';
import { type MailClub, mailClub } from '#kernel/mail/club.ts';
import type { MailContent } from '#kernel/mail/message.ts';
import { getResults, type ResultsJson } from '#voting/counting/results.ts';
import { endTime, getElection } from '#voting/elections/elections.ts';
import { ensureMailConfigured } from './invite-delivery.ts';
import { type MailResult, type RecipientsInput, readRecipients } from './recipients.ts';

export interface ResultsMailData {
  club: MailClub;
  title: string;
  results: ResultsJson;
  /** When voting closed, formatted. */
  closed: string;
  /** To the public page of the election. */
  link: string;
}

/** Mails the result to the recipients named, or to everyone who was invited. @throws 404, 403 while it is hidden */
export async function mailResults(
  ctx: Context,
  electionId: string,
  input: z.output<typeof RecipientsInput>,
  actor: Actor,
  compose: (data: ResultsMailData) => MailContent,
) {
  const election = getElection(ctx.db, electionId);
  const results = await getResults(ctx, election);
  ensureMailConfigured(ctx);
  const named = (input.emails?.length ?? 0) + (input.distribution_list_ids?.length ?? 0) > 0;
  const { emails, invalid } = named
    ? readRecipients(ctx.db, input)
    : { emails: listInvited(ctx.db, electionId), invalid: [] };
  if (emails.length + invalid.length === 0) throw badRequest('Nobody was invited: name recipients');

  const mail = compose({
    club: mailClub(ctx.config),
    title: election.title,
    results,
    closed: formatWhen(endTime(election), ctx.config.TIME_ZONE),
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

function listInvited(reader: Reader, electionId: string): string[] {
  const rows = reader.all(
    build
      .selectFrom('invites')
      .select('email')
      .distinct()
      .where('election_id', '=', electionId)
      .where('email', '!=', '')
      .where('email', 'not like', 'erased:%')
      .orderBy('email'),
  );
  return rows.map(({ email }) => email);
}
