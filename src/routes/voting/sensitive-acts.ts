import type { Context } from '#kernel/context.ts';
import { formatShort } from '#kernel/local-time.ts';
import type { SensitiveAct } from '#people/approvals/approvals.ts';
import { calledOf, type Named } from '#views/voting/words.ts';
import { type Election, electionStatus } from '#voting/elections/elections.ts';
import { listQuestions } from '#voting/elections/issuers.ts';
import { countBallots } from '#voting/elections/turnout.ts';

/** An election or a ballot paper, of which others read before they confirm an act. */
type Subject = Named & Pick<Election, 'open_at' | 'close_at' | 'closed_at'>;

/** Closing before the time that voters were told. */
export const closeAct = ({ title, closed_at }: Subject): SensitiveAct | undefined =>
  closed_at === null ? { kind: 'close', act: `Close “${title}” before its time` } : undefined;

/** New dates after the opening: the old ones too, and the reason. */
export function datesAct(
  ctx: Context,
  { title, ...of }: Subject,
  asked: { open_at: number; close_at: number },
  reason: string | null = null,
): SensitiveAct {
  const when = (at: number) => formatShort(at, ctx.config.TIME_ZONE);
  const span = ({ open_at, close_at }: typeof asked) => `${when(open_at)} to ${when(close_at)}`;
  const reopens = !of.isPaper && electionStatus(of, ctx.now()) === 'closed';
  return {
    kind: 'dates',
    act: reopens ? `Open “${title}” again` : `Change the dates of “${title}”, which is open`,
    details: [
      { label: 'Dates now', value: span(of) },
      { label: 'New dates', value: span(asked) },
      ...(reason === null ? [] : [{ label: 'Reason', value: reason }]),
    ],
  };
}

/** What is deleted, and why. */
export function deletionAct(ctx: Context, subject: Subject, reason: string | null): SensitiveAct {
  const { id, title, isPaper } = subject;
  const questions = isPaper ? listQuestions(ctx.db, id) : [subject];
  const ballots = questions.reduce((sum, question) => sum + countBallots(ctx.db, question.id), 0);
  const called = calledOf(subject);
  return {
    kind: 'deletion',
    act: isPaper
      ? `Delete the ballot paper “${title}” with all its questions`
      : `Delete “${title}” with everything in it`,
    details: [
      { label: called.charAt(0).toUpperCase() + called.slice(1), value: title },
      ...(isPaper
        ? [{ label: 'Questions', value: questions.map((question) => question.title).join('; ') || 'none' }]
        : []),
      { label: 'State', value: electionStatus(subject, ctx.now()) },
      { label: 'Ballots', value: String(ballots) },
      { label: 'Reason', value: reason ?? 'none given' },
    ],
  };
}
