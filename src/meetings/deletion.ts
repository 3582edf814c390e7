import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { conflict } from '#kernel/http/errors.ts';
import { endPage } from '#pub/display/takeovers.ts';
import { hasBallots } from '#voting/elections/turnout.ts';
import { removePaper } from '#voting/papers/deletion.ts';
import { listItems } from './items.ts';
import { getMeeting, wallPath } from './meetings.ts';
import { lastSigned } from './minutes/versions.ts';

/** Deletes a meeting with its agenda, its paper and its cards. @throws 404, 409 once something was voted on, or its minutes are signed */
export function deleteMeeting(ctx: Context, id: string, actor: Actor): Promise<void> {
  return ctx.write((tx) => {
    const { title, paper_id } = getMeeting(tx, id);
    if (hasVotes(tx, id)) throw conflict('meeting_has_ballots');
    if (lastSigned(tx, id) !== undefined) throw conflict('minutes_state', { state: 'signed' });
    tx.run(build.deleteFrom('meetings').where('id', '=', id));
    if (paper_id !== null) removePaper(tx, paper_id, { reason: null, figures: new Map() }, actor);
    endPage(tx, wallPath(id), actor);
    recordAudit(tx, actor, { action: 'meeting.deleted', metadata: { meeting: id, title } });
  });
}

/** Whether ballots or hands were counted on an item of the meeting. */
export const hasVotes = (reader: Reader, meetingId: string): boolean =>
  listItems(reader, meetingId).some(
    ({ state, election_id }) =>
      ['closed', 'declared'].includes(state) || (election_id !== null && hasBallots(reader, election_id)),
  );
