import type { Context } from '#kernel/context.ts';
import { formatWhen } from '#kernel/language/times.ts';
import { mailClub } from '#kernel/mail/club.ts';
import type { OutboxMail } from '#kernel/mail/outbox.ts';
import { getItem } from '#meetings/items.ts';
import { getMeeting } from '#meetings/meetings.ts';
import { proposalCode } from '#meetings/proposals/codes.ts';
import { answerableUntil } from '#meetings/proposals/proof.ts';
import { getMotionCall, motionsPath } from './calls.ts';
import { findMotion, findMotionSeconder, type Motion, type MotionSeconder } from './motions.ts';

type MotionMailKind = 'motion-consent' | 'motion-second' | 'motion-decision';

/** What a mail to the author of a motion or to a seconder is composed from; undefined if it is not needed any more. */
export function prepareMotionMail(ctx: Context, { kind, ref, facts }: OutboxMail<MotionMailKind>) {
  const id = ref ?? '';
  const seconder = kind === 'motion-second' ? findMotionSeconder(ctx.db, id) : undefined;
  const motion = findMotion(ctx.db, seconder?.motion_id ?? id);
  if (!motion || isAnswered(kind, motion, seconder)) return undefined;
  const meeting = getMeeting(ctx.db, motion.meeting_id);
  const { name, title, text, reason, decision, decision_reason, item_id } = motion;
  const until = Math.min(
    getMotionCall(ctx.db, meeting.id).closes_at,
    answerableUntil(ctx.db, 'motion', motion),
  );
  return {
    club: mailClub(ctx.config),
    meeting: meeting.title,
    name,
    title,
    text,
    reason,
    closes: formatWhen(until, ctx.config.TIME_ZONE),
    link: `${facts.origin}${motionsPath(meeting.id)}/${proposalCode(ctx, id)}`,
    accepted: decision === 'accepted',
    /** On the agenda. */
    number: item_id === null ? undefined : getItem(ctx.db, item_id).number,
    refusal: decision_reason,
  };
}

const isAnswered = (kind: MotionMailKind, motion: Motion, seconder: MotionSeconder | undefined): boolean =>
  kind === 'motion-decision'
    ? motion.decision === null
    : kind === 'motion-consent'
      ? motion.consented_at !== null || motion.withdrawn_at !== null
      : !seconder || seconder.seconded_at !== null;
