import type { Context } from '#kernel/context.ts';
import { formatWhen } from '#kernel/local-time.ts';
import { type MailClub, mailClub } from '#kernel/mail/club.ts';
import type { MailContent } from '#kernel/mail/message.ts';
import { getResults, type ResultsJson } from '#voting/counting/results.ts';
import { endTime, getElection } from '#voting/elections/elections.ts';
import { areResultsHidden } from '#voting/elections/visibility.ts';
import { failedMail } from '#voting/invitations/recipients.ts';
import type { Mailing, SendMail } from './mailings.ts';

export interface ResultsMailData {
  club: MailClub;
  title: string;
  results: ResultsJson;
  /** When voting closed, formatted. */
  closed: string;
  /** The address of the election's public page. */
  link: string;
}

export type ComposeResults = (data: ResultsMailData) => MailContent;

/** Returns the function that mails the result; a sentence for the mailing's page if it must not be sent any more. */
export async function resultsSender(
  ctx: Context,
  mailing: Pick<Mailing, 'id' | 'election_id'>,
  compose: ComposeResults,
): Promise<SendMail | string> {
  const election = getElection(ctx.db, mailing.election_id);
  if (areResultsHidden(election, ctx.now())) return 'Results are hidden until voting closes';
  const mail = compose({
    club: mailClub(ctx.config),
    title: election.title,
    results: await getResults(ctx, election),
    closed: formatWhen(endTime(election), ctx.config.TIME_ZONE),
    link: `${ctx.config.BASE_URL}/e/${election.id}`,
  });
  return async ({ id, email }) => {
    const sent = await ctx.mailer.send({ to: email, id: `results-${id}`, ...mail });
    return sent.ok ? { email, success: true } : failedMail(email, sent);
  };
}
