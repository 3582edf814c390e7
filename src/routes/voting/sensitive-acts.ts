import type { Context } from '#kernel/context.ts';
import { t } from '#kernel/language/message.ts';
import { formatShort } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import type { SensitiveAct } from '#people/approvals/approvals.ts';
import { calledOf, type Named } from '#views/voting/words.ts';
import { type Election, type ElectionStatus, electionStatus } from '#voting/elections/elections.ts';
import { listQuestions } from '#voting/elections/issuers.ts';
import { countBallots } from '#voting/elections/turnout.ts';

/** An election or a ballot paper, of which others read before they confirm an act. */
type Subject = Named & Pick<Election, 'open_at' | 'close_at' | 'closed_at'>;

const STATUS: Record<ElectionStatus, Words> = {
  scheduled: t('voting-admin.sensitive_acts.scheduled'),
  open: t('voting-admin.sensitive_acts.open'),
  closed: t('voting-admin.sensitive_acts.closed'),
};

/** Closing before the time that voters were told. */
export const closeAct = ({ title, closed_at }: Subject): SensitiveAct | undefined =>
  closed_at === null
    ? { kind: 'close', act: t('voting-admin.sensitive_acts.close_before_time', { title }) }
    : undefined;

/** New dates after the opening: the old ones too, and the reason. */
export function datesAct(
  ctx: Context,
  { title, ...of }: Subject,
  asked: { open_at: number; close_at: number },
  reason: string | null = null,
): SensitiveAct {
  const when = (at: number) => formatShort(at, ctx.config.TIME_ZONE);
  const span = ({ open_at, close_at }: typeof asked) =>
    t('voting-admin.sensitive_acts.to', { open: when(open_at), close: when(close_at) });
  const reopens = !of.isPaper && electionStatus(of, ctx.now()) === 'closed';
  return {
    kind: 'dates',
    act: reopens
      ? t('voting-admin.sensitive_acts.open_again', { title })
      : t('voting-admin.sensitive_acts.change_dates_which_open', { title }),
    details: [
      { label: t('voting-admin.sensitive_acts.dates_now'), value: span(of) },
      { label: t('voting-admin.sensitive_acts.new_dates'), value: span(asked) },
      ...(reason === null ? [] : [{ label: t('voting-admin.sensitive_acts.reason'), value: reason }]),
    ],
  };
}

/** What is deleted, and why. */
export function deletionAct(ctx: Context, subject: Subject, reason: string | null): SensitiveAct {
  const { id, title, isPaper } = subject;
  const questions = isPaper ? listQuestions(ctx.db, id) : [subject];
  const ballots = questions.reduce((sum, question) => sum + countBallots(ctx.db, question.id), 0);
  return {
    kind: 'deletion',
    act: isPaper
      ? t('voting-admin.sensitive_acts.delete_ballot_paper_all_questions', { title })
      : t('voting-admin.sensitive_acts.delete_everything', { title }),
    details: [
      {
        label: t('voting-admin.sensitive_acts.called', { called: calledOf(subject) }),
        value: title,
      },
      ...(isPaper
        ? [
            {
              label: t('voting-admin.sensitive_acts.questions'),
              value:
                questions.map((question) => question.title).join('; ') ||
                t('voting-admin.sensitive_acts.none'),
            },
          ]
        : []),
      { label: t('voting-admin.sensitive_acts.state'), value: STATUS[electionStatus(subject, ctx.now())] },
      { label: t('voting-admin.sensitive_acts.ballots'), value: String(ballots) },
      {
        label: t('voting-admin.sensitive_acts.reason'),
        value: reason ?? t('voting-admin.sensitive_acts.none_given'),
      },
    ],
  };
}
