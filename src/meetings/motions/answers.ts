import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { conflict } from '#kernel/http/errors.ts';
import { oneOf } from '#kernel/http/validation.ts';
import { removeItem } from '#meetings/agenda.ts';
import { ensurePrepared } from '#meetings/item-states.ts';
import { getItem } from '#meetings/items.ts';
import { ensureNotClosed, getMeeting, type Meeting } from '#meetings/meetings.ts';
import { ensureUndecided } from '#meetings/proposals/proof.ts';
import { ensureTakesMotions, getMotionCall } from './calls.ts';
import { listReadyMotions, type Motion, type MotionSeconder, openMotionLink } from './motions.ts';

export const MotionAnswerInput = z.object({ action: oneOf(['consent', 'second', 'withdraw']) });

/** How many motions of one address wait for the officers. */
const READY_OF_AN_ADDRESS = 10;

/**
 * Answers by a mailed link: the author confirms the motion or withdraws it, a seconder seconds or withdraws. Repeated, it
 * changes nothing. A motion that is withdrawn leaves the agenda.
 * @throws 404; 409 outside the period, for a motion that was decided on, for more than ten of one address, and for a
 * withdrawal once the meeting has begun
 */
export function answerMotion(
  ctx: Context,
  meetingId: string,
  token: string,
  { action }: z.output<typeof MotionAnswerInput>,
  actor: Actor,
): Promise<void> {
  return ctx.write((tx) => {
    const { motion, seconder } = openMotionLink(tx, meetingId, token, ctx.now());
    const meeting = getMeeting(tx, meetingId);
    if (action !== 'withdraw' && action !== (seconder ? 'second' : 'consent'))
      throw conflict('motion_other_role');
    const done = seconder
      ? answerSecond(tx, meeting, { motion, seconder }, action === 'second', actor)
      : action === 'consent'
        ? consent(tx, meeting, motion, actor)
        : withdraw(tx, meeting, motion, actor);
    if (done === undefined) return;
    const metadata = { meeting: meetingId, motion: motion.id };
    recordAudit(tx, actor, { action: done, metadata });
  });
}

/** The action for the log; undefined if nothing changed. */
type Done = string | undefined;

function answerSecond(
  tx: Tx,
  meeting: Meeting,
  { motion, seconder }: { motion: Motion; seconder: MotionSeconder },
  seconds: boolean,
  { at }: Actor,
): Done {
  if ((seconder.seconded_at !== null) === seconds) return undefined;
  ensureUndecided('motion', motion);
  ensureTakesMotions(meeting, getMotionCall(tx, meeting.id), at);
  tx.run(
    build
      .updateTable('motion_seconders')
      .set({ seconded_at: seconds ? at : null })
      .where('id', '=', seconder.id),
  );
  return seconds ? 'motion.seconded' : 'motion.second_withdrawn';
}

function consent(tx: Tx, meeting: Meeting, motion: Motion, { at }: Actor): Done {
  if (motion.consented_at !== null && motion.withdrawn_at === null) return undefined;
  ensureUndecided('motion', motion);
  ensureTakesMotions(meeting, getMotionCall(tx, meeting.id), at);
  const own = listReadyMotions(tx, meeting.id).filter(({ email }) => email === motion.email);
  if (own.length >= READY_OF_AN_ADDRESS) throw conflict('motions_waiting', { max: READY_OF_AN_ADDRESS });
  tx.run(build.updateTable('motions').set({ consented_at: at }).where('id', '=', motion.id));
  return 'motion.confirmed';
}

function withdraw(tx: Tx, meeting: Meeting, motion: Motion, actor: Actor): Done {
  if (motion.withdrawn_at !== null) return undefined;
  ensureNotClosed(meeting);
  if (motion.decision === 'refused') throw conflict('motion_decided');
  if (motion.item_id !== null) {
    if (meeting.state !== 'prepared') throw conflict('motion_on_agenda');
    const item = getItem(tx, motion.item_id);
    ensurePrepared(item);
    removeItem(tx, meeting, item, actor);
  }
  tx.run(build.updateTable('motions').set({ withdrawn_at: actor.at }).where('id', '=', motion.id));
  return 'motion.withdrawn';
}
