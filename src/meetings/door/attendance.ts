import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { build, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { AttendanceTable } from '#kernel/db/schema.ts';
import { badField, conflict } from '#kernel/http/errors.ts';
import { listOf, oneOf, optionalName, optionalText } from '#kernel/http/validation.ts';
import { newRandomId } from '#kernel/ids.ts';
import { isSameName } from '#kernel/names.ts';
import { closeDueItems } from '../item-states.ts';
import { namedClasses } from '../items.ts';
import { classesOf, ensureNotClosed, getMeeting, type Meeting } from '../meetings.ts';
import { countLeavers, noteLeaver } from './leavers.ts';
import { classOf, getPerson, listVoters } from './people.ts';
import { endProxyOf, giveBackProxies, useProxies } from './proxies.ts';

export type Attendance = Selectable<AttendanceTable>;

export const DoorInput = z.object({
  person_id: optionalText(64),
  /** The name of somebody without a vote who is not on the roll. */
  guest: optionalName(300),
  action: oneOf(['in', 'out', 'undo']),
  class: optionalText(60),
  /** The people whom this person represents; absent: those that were entered before. */
  proxies: listOf(z.string().max(64), 100).optional(),
});

/** What the door does next. */
export interface DoorAnswer {
  /** The cards to hand out, by class. */
  cards: Record<string, number>;
  /** The name of somebody who has to return the card of a proxy that ended, and its class. */
  returns?: { name: string; class: string };
}

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

export const listAttendance = (reader: Reader, meetingId: string): Attendance[] =>
  reader.all(
    build
      .selectFrom('attendance')
      .selectAll()
      .where('meeting_id', '=', meetingId)
      .orderBy('name')
      .orderBy('id'),
  );

/**
 * Checks somebody in or out, or takes that back. Which card they are handed is stored nowhere, and no entry of the log
 * tells of it: their number is recorded when the door closes. `arrived` runs after somebody has come in.
 * @throws 400; 404; 409 for somebody who is in already, and once the meeting is closed
 */
export function passDoor(
  ctx: Context,
  meetingId: string,
  input: z.output<typeof DoorInput>,
  arrived: (tx: Tx, meeting: Meeting) => void = () => undefined,
): Promise<DoorAnswer> {
  if ((input.person_id === null) === (input.guest === null)) throw badField('person_id', 'person_or_guest');
  return ctx.write((tx) => {
    // Who comes after a vote has ended does not count in it.
    closeDueItems(tx, ctx.now());
    const meeting = getMeeting(tx, meetingId);
    ensureNotClosed(meeting);
    const known =
      input.person_id === null
        ? listAttendance(tx, meetingId).find(
            (one) => one.person_id === null && isSameName(one.name, input.guest ?? ''),
          )
        : findAttendance(tx, meetingId, input.person_id);
    if (input.action !== 'in') return leave(tx, known, input.action);
    if (known?.state === 'in') throw conflict('in_already', { name: known.name });
    if (input.person_id === null) return letGuestIn(tx, meeting, known, input.guest ?? '');
    const answer = letIn(ctx, tx, { meeting, known, personId: input.person_id }, input);
    arrived(tx, meeting);
    return answer;
  });
}

function letGuestIn(
  tx: Tx,
  { id: meeting_id }: Meeting,
  known: Attendance | undefined,
  name: string,
): DoorAnswer {
  if (known) tx.run(build.updateTable('attendance').set({ state: 'in' }).where('id', '=', known.id));
  else {
    const guest = { id: newRandomId(), meeting_id, person_id: null, name, class: null };
    tx.run(build.insertInto('attendance').values({ ...guest, state: 'in' }));
  }
  return { cards: {} };
}

function letIn(
  ctx: Context,
  tx: Tx,
  { meeting, known, personId }: { meeting: Meeting; known: Attendance | undefined; personId: string },
  input: z.output<typeof DoorInput>,
): DoorAnswer {
  const voters = listVoters(tx, meeting, ctx.config.TIME_ZONE);
  const person = getPerson(tx, personId, voters);
  const named = input.class === null ? undefined : namedClass(meeting, input.class);
  const own = person.kind === null ? null : (named ?? classOf(tx, meeting, person));
  const returns = endProxyOf(tx, meeting, personId);
  if (known)
    tx.run(build.updateTable('attendance').set({ state: 'in', class: own }).where('id', '=', known.id));
  else {
    const row = {
      id: newRandomId(),
      meeting_id: meeting.id,
      person_id: personId,
      name: person.name,
      class: own,
    };
    tx.run(build.insertInto('attendance').values({ ...row, state: 'in' }));
  }
  const represented = useProxies(tx, { meeting, holder: person, voters }, input.proxies);
  const cards: Record<string, number> = {};
  for (const name of [...(own === null ? [] : [own]), ...represented]) cards[name] = (cards[name] ?? 0) + 1;
  // Whoever left and kept the card has counted all the time.
  const hasCounted = known?.class != null && !noteLeaver(tx, meeting.id, known.class, 'back');
  if (own !== null && !hasCounted) growBases(tx, meeting.id, 1, own);
  return { cards, ...(returns && { returns }) };
}

function leave(tx: Tx, known: Attendance | undefined, action: 'out' | 'undo'): DoorAnswer {
  if (!known) throw conflict('not_in');
  const { id, state, meeting_id, person_id } = known;
  if (action === 'out') {
    if (state === 'in') tx.run(build.updateTable('attendance').set({ state: 'out' }).where('id', '=', id));
    return { cards: {} };
  }
  // Undone, whoever left is back with their card; whoever came has given the card back to the pile.
  if (state === 'out') {
    // With no card of the class outstanding, theirs was returned, and they count again.
    const own = known.class;
    const isAgain = own !== null && countLeavers(tx, meeting_id, [own]) === 0;
    if (isAgain && noteLeaver(tx, meeting_id, own, 'back')) growBases(tx, meeting_id, 1, own);
    tx.run(build.updateTable('attendance').set({ state: 'in' }).where('id', '=', id));
  } else {
    tx.run(build.deleteFrom('attendance').where('id', '=', id));
    if (person_id !== null) giveBackProxies(tx, meeting_id, person_id);
    if (known.class !== null) growBases(tx, meeting_id, -1, known.class);
  }
  return { cards: {} };
}

function namedClass(meeting: Meeting, name: string): string {
  const known = classesOf(meeting);
  const found = known.find((one) => isSameName(one, name));
  if (found === undefined) throw badField('class', 'not_class', { names: known });
  return found;
}

/**
 * Whoever comes while an item is open counts in its base `present`, if their class votes on it.
 * @param own the class of their card; null: a link, which votes on everything
 */
export function growBases(tx: Tx, meetingId: string, by: number, own: string | null): void {
  for (const { id, present, classes } of tx.all(
    build
      .selectFrom('meeting_items')
      .select(['id', 'present', 'classes'])
      .where('meeting_id', '=', meetingId)
      .where('state', '=', 'open')
      .where('present', 'is not', null),
  ))
    if (own === null || (namedClasses({ classes })?.includes(own) ?? true))
      tx.run(
        build
          .updateTable('meeting_items')
          .set({ present: Math.max(0, (present ?? 0) + by) })
          .where('id', '=', id),
      );
}

/** How many people with a vote are in, or only those of some classes. */
export function countPresent(reader: Reader, meetingId: string, classes: string[] | null = null): number {
  const query = build
    .selectFrom('attendance')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('meeting_id', '=', meetingId)
    .where('state', '=', 'in')
    .where('class', 'is not', null);
  return reader.first(classes === null ? query : query.where('class', 'in', classes))!.count;
}

/** How many members elsewhere have opened the page of the meeting while it was held. */
export const countRemote = (reader: Reader, meetingId: string): number =>
  reader.first(
    build
      .selectFrom('remote_presence')
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('meeting_id', '=', meetingId),
  )!.count;
