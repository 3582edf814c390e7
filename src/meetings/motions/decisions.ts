import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { badField, notFound } from '#kernel/http/errors.ts';
import { oneOf, optionalText } from '#kernel/http/validation.ts';
import { putMail } from '#kernel/mail/outbox.ts';
import { addItemIn } from '#meetings/agenda.ts';
import { NO_MOTION } from '#meetings/items.ts';
import { ensureNotClosed, getMeeting } from '#meetings/meetings.ts';
import { isNewDecision } from '#meetings/proposals/proof.ts';
import { planItemQuestion } from '#meetings/questions.ts';
import { findMotion, listReadyMotions, listSeconded, motionState } from './motions.ts';

export const MotionDecision = z.object({
  decision: oneOf(['accept', 'refuse']),
  reason: optionalText(500),
});

/**
 * Accepts a motion, which puts it on the agenda with its mover and seconders, or refuses it with a reason; its author gets
 * a mail. The same decision again changes nothing.
 * @throws 400 without a reason; 404; 409 if it is not confirmed and seconded, or was decided otherwise, and once the
 * meeting is closed
 */
export async function decideMotion(
  ctx: Context,
  { meetingId, motionId, origin }: { meetingId: string; motionId: string; origin: string },
  { decision, reason }: z.output<typeof MotionDecision>,
  actor: Actor,
): Promise<void> {
  if (decision === 'refuse' && reason === null) throw badField('reason', 'required');
  const known = findMotion(ctx.db, motionId);
  if (known?.meeting_id !== meetingId) throw notFound('motion_not_found');
  const { title, text } = known;
  const planned = await planItemQuestion(
    ctx,
    getMeeting(ctx.db, meetingId),
    { kind: 'motion', title, text },
    undefined,
    actor,
  );
  await ctx.write((tx) => {
    const meeting = getMeeting(tx, meetingId);
    ensureNotClosed(meeting);
    const motion = findMotion(tx, motionId);
    if (!motion) throw notFound('motion_not_found');
    const after = decision === 'accept' ? 'accepted' : 'refused';
    if (!isNewDecision('motion', motionState(tx, motion), after)) return;
    const written = {
      ...NO_MOTION,
      kind: 'motion' as const,
      title,
      text,
      reason: motion.reason,
      mover: motion.name,
      seconders: JSON.stringify(listSeconded(tx, motionId).map(({ name }) => name)),
      classes: null,
    };
    const item = after === 'accepted' ? addItemIn(ctx, tx, meeting, written, planned, actor) : undefined;
    tx.run(
      build
        .updateTable('motions')
        .set({
          decision: after,
          decision_reason: decision === 'refuse' ? reason : null,
          decided_at: actor.at,
          decided_by: actor.by ?? 'key',
          item_id: item?.id ?? null,
        })
        .where('id', '=', motionId),
    );
    recordAudit(tx, actor, {
      action: after === 'accepted' ? 'motion.accepted' : 'motion.refused',
      metadata: { meeting: meetingId, motion: motionId, ...(item && { item: item.id }) },
      ...(reason !== null && { personal: { reason } }),
    });
    // An unconfirmed address may be a stranger's.
    if (motion.consented_at !== null)
      putMail(
        tx,
        { kind: 'motion-decision', ref: motionId, email: motion.email, facts: { origin } },
        ctx.now(),
      );
  });
}

/** Accepts all motions that wait for a decision, as `decideMotion` does each. @returns how many */
export async function acceptAllMotions(
  ctx: Context,
  meetingId: string,
  origin: string,
  actor: Actor,
): Promise<number> {
  getMeeting(ctx.db, meetingId);
  const waiting = listReadyMotions(ctx.db, meetingId);
  for (const { id: motionId } of waiting)
    await decideMotion(ctx, { meetingId, motionId, origin }, { decision: 'accept', reason: null }, actor);
  return waiting.length;
}
