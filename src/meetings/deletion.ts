import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { badField, conflict } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import { forClub } from '#kernel/locale.ts';
import { endPage } from '#pub/display/takeovers.ts';
import { removePaper } from '#voting/ballot-papers/deletion.ts';
import { hasBallots } from '#voting/elections/turnout.ts';
import { mixDoor } from './door/mix.ts';
import { listItems } from './items.ts';
import { ensureNotClosed, getMeeting, type Meeting, reviseMeeting, wallPath } from './meetings.ts';
import { lastSigned } from './minutes/versions.ts';

/**
 * Deletes a meeting with its agenda, its paper and its cards. One that people were invited to is called off first: its
 * address and its calendar file then say so, and it can be deleted afterwards.
 * @returns whether it was called off and not deleted
 * @throws 404, 409 once something was voted on, or its minutes are signed
 */
export async function deleteMeeting(
  ctx: Context,
  id: string,
  reason: string | null,
  actor: Actor,
): Promise<boolean> {
  return ctx.write((tx) => {
    const meeting = getMeeting(tx, id);
    const { title, paper_id, invited_at, called_off_at } = meeting;
    if (hasVotes(tx, id)) throw conflict('meeting_has_ballots');
    if (lastSigned(tx, id) !== undefined) throw conflict('minutes_signed');
    if (invited_at !== null && called_off_at === null && meeting.state !== 'closed') {
      storeCallOff(tx, meeting, reason ?? forClub(t('meetings.called_off.deleted')), actor);
      return true;
    }
    tx.run(build.deleteFrom('meetings').where('id', '=', id));
    if (paper_id !== null) removePaper(tx, paper_id, { reason: null, figures: new Map() }, actor);
    endPage(tx, wallPath(id), actor);
    recordAudit(tx, actor, { action: 'meeting.deleted', metadata: { meeting: id, title } });
    return false;
  });
}

/**
 * Says that a meeting is not held. Its row stays, so that its address and its calendar file say so.
 * @throws 400 without a reason, 404, 409 once something was voted on or it is closed
 */
export function callOff(ctx: Context, id: string, reason: string | null, actor: Actor): Promise<void> {
  return ctx.write((tx) => {
    const meeting = getMeeting(tx, id);
    // Asked for again, it has happened.
    if (meeting.called_off_at !== null) return;
    if (reason === null) throw badField('reason', 'required');
    ensureNotClosed(meeting);
    if (hasVotes(tx, id)) throw conflict('meeting_has_ballots');
    storeCallOff(tx, meeting, reason, actor);
  });
}

function storeCallOff(tx: Tx, { id, title }: Meeting, reason: string, actor: Actor): void {
  const over = { state: 'closed', ended_at: actor.at } as const;
  const calledOff = { called_off_at: actor.at, called_off_reason: reason };
  tx.run(
    build
      .updateTable('meetings')
      .set({ ...over, ...calledOff })
      .where('id', '=', id),
  );
  reviseMeeting(tx, id, actor.at);
  mixDoor(tx, id);
  endPage(tx, wallPath(id), actor);
  recordAudit(tx, actor, { action: 'meeting.called_off', metadata: { meeting: id, title, reason } });
}

/** Whether ballots or hands were counted on an item of the meeting. */
const hasVotes = (reader: Reader, meetingId: string): boolean =>
  listItems(reader, meetingId).some(
    ({ state, election_id }) =>
      ['closed', 'declared'].includes(state) || (election_id !== null && hasBallots(reader, election_id)),
  );
