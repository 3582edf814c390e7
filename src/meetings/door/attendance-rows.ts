import { type Selectable, sql } from 'kysely';
import { build, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { AttendanceTable } from '#kernel/db/schema.ts';

/** Somebody who is or was at the meeting. */
export type Attendance = Selectable<AttendanceTable>;

const byPerson = prepare((p: { meeting_id: string; person_id: string }) =>
  build
    .selectFrom('attendance')
    .selectAll()
    .where('meeting_id', '=', p.meeting_id)
    .where('person_id', '=', p.person_id),
);

export const findAttendance = (
  reader: Reader,
  meeting_id: string,
  person_id: string,
): Attendance | undefined => reader.first(byPerson({ meeting_id, person_id }));

/** Everybody who was ever checked in, sorted as the roll is. */
export const listAttendance = (reader: Reader, meetingId: string): Attendance[] =>
  reader.all(
    build
      .selectFrom('attendance')
      .leftJoin('persons', 'persons.id', 'person_id')
      .selectAll('attendance')
      .where('meeting_id', '=', meetingId)
      .orderBy(sql`coalesce(sort_name, lower(attendance.name))`)
      .orderBy('attendance.id'),
  );

export const setAttendance = (tx: Tx, id: string, set: Partial<Attendance>): number =>
  tx.run(build.updateTable('attendance').set(set).where('id', '=', id));

const inRoom = prepare((p: { meeting_id: string }) =>
  build
    .selectFrom('attendance')
    .select((of) => ['card', of.fn.countAll<number>().as('count')])
    .where('meeting_id', '=', p.meeting_id)
    .where('state', '=', 'in')
    .where('class', 'is not', null)
    .groupBy('card'),
);

/** How many people with a vote are in, each once, and how many of them have no card. */
export function countPresent(reader: Reader, meetingId: string): { present: number; without_card: number } {
  const rows = reader.all(inRoom({ meeting_id: meetingId }));
  const sum = (of: typeof rows) => of.reduce((all, { count }) => all + count, 0);
  return { present: sum(rows), without_card: sum(rows.filter(({ card }) => card !== 'held')) };
}

/** How often each class is named. */
export function countEach(classes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of classes) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
