import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import type { Program } from './programme.ts';

/**
 * Gives the events that were made from a meeting its UID, the number of its changes and the time of the last one: whoever
 * has the file of the invitation and the programme has it once.
 */
export function withMeetings(ctx: Pick<Context, 'db'>, programs: readonly Program[]): Program[] {
  const meetings = ctx.db.all(
    build
      .selectFrom('meetings')
      .select(['id', 'event_id', 'sequence', 'changed_at'])
      .where('event_id', 'is not', null),
  );
  if (meetings.length === 0) return [...programs];
  const byEvent = new Map(meetings.map((meeting) => [meeting.event_id, meeting]));
  return programs.map((program) => {
    const meeting = byEvent.get(program.id);
    if (!meeting) return program;
    const { id: uid, sequence, changed_at: editedAt } = meeting;
    return { ...program, uid, sequence, editedAt };
  });
}
