import type { Context } from '#kernel/context.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { formatWhen } from '#kernel/language/times.ts';
import { mailClub } from '#kernel/mail/club.ts';
import type { MailFacts, OutboxMail } from '#kernel/mail/outbox.ts';
import { getItem } from '#meetings/items.ts';
import { getMeeting } from '#meetings/meetings.ts';
import { proposalCode } from '#meetings/proposals/codes.ts';
import { answerableUntil } from '#meetings/proposals/proof.ts';
import { getCall } from './calls.ts';
import { findNomination, type Nomination, type Seconder } from './nominations.ts';

/** What a mail to a nominee or a seconder is composed from; undefined if it is not needed any more. */
export function prepareNominationMail(
  ctx: Context,
  { kind, ref, facts }: OutboxMail<Extract<keyof MailFacts, `nomination-${string}`>>,
) {
  const id = ref ?? '';
  const seconder = kind === 'nomination-second' ? findSeconder(ctx.db, id) : undefined;
  const nomination = findNomination(ctx.db, seconder?.nomination_id ?? id);
  if (!nomination || isAnswered(kind, nomination, seconder)) return undefined;
  const item = getItem(ctx.db, nomination.item_id);
  const meeting = getMeeting(ctx.db, item.meeting_id);
  const { name, text, proposer, decision, reason } = nomination;
  return {
    club: mailClub(ctx.config),
    meeting: meeting.title,
    office: item.title,
    name,
    text,
    proposer,
    closes: formatWhen(
      Math.min(getCall(ctx.db, item.id).closes_at, answerableUntil(ctx.db, 'nomination', nomination)),
      ctx.config.TIME_ZONE,
    ),
    link: `${facts.origin}/m/${meeting.id}/nominations/${proposalCode(ctx, id)}`,
    accepted: decision === 'accepted',
    reason,
  };
}

const isAnswered = (kind: string, nomination: Nomination, seconder: Seconder | undefined): boolean =>
  kind === 'nomination-decision'
    ? nomination.decision === null
    : kind === 'nomination-consent'
      ? nomination.consented_at !== null || nomination.withdrawn_at !== null
      : !seconder || seconder.seconded_at !== null;

const findSeconder = (reader: Reader, id: string): Seconder | undefined =>
  reader.first(build.selectFrom('nomination_seconders').selectAll().where('id', '=', id));
