import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { flag, optionalText, requiredName } from '#kernel/http/validation.ts';
import { putItem } from '#meetings/agenda.ts';
import { recordAct } from '#meetings/item-acts.ts';
import { closeDueItems } from '#meetings/item-states.ts';
import { getItem, listItems, NO_MOTION } from '#meetings/items.ts';
import { beginMeeting, ensureNotClosed, getMeeting } from '#meetings/meetings.ts';
import { planItemQuestion } from '#meetings/questions.ts';
import { MajorityInput } from '#voting/share-input.ts';
import { openIn, showItem, TIMER } from './acts.ts';

export const MotionInput = z.object({
  ...TIMER,
  title: requiredName(500),
  text: optionalText(20_000),
  mover: optionalText(300),
  majority: MajorityInput.optional(),
  /** False: it is on the wall to be discussed, and opened later. */
  open: flag.default(true),
});

/**
 * Puts a motion on the agenda behind the item that is discussed, but before the one that ends it, and opens it, or only
 * shows it: one step. The same motion that is open or shown already is not put on it twice.
 * @returns its id
 * @throws 400, 404, 409 once the meeting is closed
 */
export async function openMotion(
  ctx: Context,
  meetingId: string,
  { title, text, mover, majority, seconds, open }: z.output<typeof MotionInput>,
  actor: Actor,
): Promise<string> {
  const of = { kind: 'motion' as const, title, text };
  const question = majority && { attachment_url: null, description: null, settings: { majority } };
  const planned = await planItemQuestion(ctx, getMeeting(ctx.db, meetingId), of, question, actor);
  return ctx.write((tx) => {
    closeDueItems(tx, actor.at);
    const meeting = getMeeting(tx, meetingId);
    ensureNotClosed(meeting);
    const same = listItems(tx, meetingId).find(
      (item) =>
        item.title === title &&
        item.text === text &&
        (item.state === 'open' || (item.state === 'prepared' && item.id === meeting.current_item)),
    );
    if (same && (same.state === 'open' || !open)) return same.id;
    const { id } =
      same ??
      putItem(
        ctx,
        tx,
        meeting,
        { ...of, ...NO_MOTION, mover, classes: null },
        planned,
        actor,
        meeting.current_item === null ? undefined : { behind: meeting.current_item },
      );
    const item = getItem(tx, id);
    if (!same) recordAct(tx, item, 'meeting.item_added', { kind: item.kind, title }, actor);
    if (open) openIn(ctx, tx, { meeting: getMeeting(tx, meetingId), item }, { seconds }, actor);
    else {
      beginMeeting(tx, meeting, actor);
      showItem(tx, item);
    }
    return id;
  });
}
