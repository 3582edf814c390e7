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
import { classesOf, ensureNotClosed, getMeeting, type Meeting } from '../meetings.ts';
import { growBases } from './bases.ts';
import { countLeavers, noteLeaver } from './leavers.ts';
import { endLinkOf } from './links.ts';
import { classOf, getPerson, listVoters } from './people.ts';
import { endProxyOf, giveBackProxies, usedProxies, useProxies } from './proxies.ts';

export type Attendance = Selectable<AttendanceTable>;

export const DoorInput = z.object({
  person_id: optionalText(64),
  /** The name of somebody without a vote who is not on the roll. */
  guest: optionalName(300),
  action: oneOf(['in', 'out', 'undo']),
  class: optionalText(60),
  /** The people whom this person represents; absent: those that were entered before. */
  proxies: listOf(z.string().max(64), 100).optional(),
  /** A random id of this press: what a door sends again because no answer arrived happens once. */
  press: optionalText(64),
  /** The press that an undo takes back, if nothing has happened since. */
  undoes: optionalText(64),
});
type DoorInput = z.output<typeof DoorInput>;

/** What the door does next. */
export interface DoorAnswer {
  /** The cards to hand out, by class. */
  cards: Record<string, number>;
  /** The name of somebody who has to return the card of a proxy that ended, and its class. */
  returns?: { name: string; class: string };
  /** The cards to take from somebody who leaves, or whose check-in was a mistake. */
  takes?: Record<string, number>;
  /** Whether this press had happened before. */
  repeated?: true;
  /** Whether the link of somebody for whom a card is handed out has ended. */
  link_ended?: true;
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
  input: DoorInput,
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
    const answer = pass(ctx, tx, { meeting, known }, input);
    if (answer === undefined)
      return { cards: known?.state === 'in' ? cardsHeldBy(tx, known) : {}, repeated: true };
    if (input.action === 'in' && input.person_id !== null) arrived(tx, meeting);
    return answer;
  });
}

/** @returns undefined for a press that has happened already, or whose undoing has nothing to undo */
function pass(
  ctx: Context,
  tx: Tx,
  { meeting, known }: { meeting: Meeting; known: Attendance | undefined },
  input: DoorInput,
): DoorAnswer | undefined {
  const { press, undoes, action, person_id, guest } = input;
  if (press !== null && known?.press === press) return undefined;
  if (undoes !== null && known?.press !== undoes) return undefined;
  if (action === 'in') {
    if (known?.state === 'in') return handProxies(ctx, tx, { meeting, known }, input);
    return person_id === null
      ? letGuestIn(tx, meeting, known, { name: guest ?? '', press })
      : letIn(ctx, tx, { meeting, known, personId: person_id }, input);
  }
  if (!known) throw conflict('not_in');
  if (action === 'out') return leave(tx, known, press);
  return known.state === 'out' ? comeBack(tx, known, press) : takeBack(tx, known);
}

function letGuestIn(
  tx: Tx,
  { id: meeting_id }: Meeting,
  known: Attendance | undefined,
  { name, press }: Pick<Attendance, 'name' | 'press'>,
): DoorAnswer {
  if (known) setState(tx, known.id, { state: 'in', press });
  else {
    const guest = { id: newRandomId(), meeting_id, person_id: null, name, class: null, press };
    tx.run(build.insertInto('attendance').values({ ...guest, state: 'in' }));
  }
  return { cards: {} };
}

function setState(
  tx: Tx,
  id: string,
  set: Pick<Attendance, 'state' | 'press'> & Partial<Pick<Attendance, 'class'>>,
): void {
  tx.run(build.updateTable('attendance').set(set).where('id', '=', id));
}

function letIn(
  ctx: Context,
  tx: Tx,
  { meeting, known, personId }: { meeting: Meeting; known: Attendance | undefined; personId: string },
  input: DoorInput,
): DoorAnswer {
  const voters = listVoters(tx, meeting, ctx.config.TIME_ZONE);
  const person = getPerson(tx, personId, voters);
  const named = input.class === null ? undefined : namedClass(meeting, input.class);
  // Whoever left and kept the card has counted all the time, and votes with it.
  const kept =
    known?.class != null && !noteLeaver(tx, meeting.id, known.class, 'back') ? known.class : undefined;
  const own = person.kind === null ? null : (kept ?? named ?? classOf(tx, meeting, person));
  const returns = endProxyOf(tx, meeting, personId);
  const now = { state: 'in' as const, class: own, press: input.press };
  if (known) setState(tx, known.id, now);
  else {
    const row = { id: newRandomId(), meeting_id: meeting.id, person_id: personId, name: person.name };
    tx.run(build.insertInto('attendance').values({ ...row, ...now }));
  }
  if (own !== null && kept === undefined) growBases(tx, meeting.id, 1, own);
  const hadLink = own !== null && endLinkOf(tx, meeting, person);
  const again = known && kept === undefined ? usedProxies(tx, meeting.id, personId) : [];
  const represented = useProxies(tx, { meeting, holder: person, voters }, input.proxies);
  const handed = [...(own === null || kept !== undefined ? [] : [own]), ...again, ...represented];
  return {
    cards: countEach(handed),
    ...(returns && { returns }),
    ...(hadLink && { link_ended: true }),
  };
}

/** Somebody who is in gets the cards of those who are represented by them since. @throws 409 if there are none */
function handProxies(
  ctx: Context,
  tx: Tx,
  { meeting, known }: { meeting: Meeting; known: Attendance },
  { person_id, proxies, press }: DoorInput,
): DoorAnswer {
  const voters = listVoters(tx, meeting, ctx.config.TIME_ZONE);
  const holder = person_id === null ? undefined : getPerson(tx, person_id, voters);
  const handed = holder ? useProxies(tx, { meeting, holder, voters }, proxies) : [];
  if (handed.length === 0) throw conflict('in_already', { name: known.name });
  setState(tx, known.id, { state: 'in', press });
  return { cards: countEach(handed) };
}

/** Whoever leaves counts until a card of their class is returned. */
function leave(tx: Tx, known: Attendance, press: string | null): DoorAnswer {
  if (known.state === 'in') setState(tx, known.id, { state: 'out', press });
  return { cards: {}, takes: cardsHeldBy(tx, known) };
}

/** Back with their card; if every card of their class was returned, theirs was, and they get another one. */
function comeBack(tx: Tx, known: Attendance, press: string | null): DoorAnswer {
  const { id, meeting_id, class: own } = known;
  const isReturned = own !== null && countLeavers(tx, meeting_id, [own]) === 0;
  setState(tx, id, { state: 'in', press });
  if (!isReturned || !noteLeaver(tx, meeting_id, own, 'back')) return { cards: {} };
  growBases(tx, meeting_id, 1, own);
  return { cards: cardsHeldBy(tx, known) };
}

/** Whoever was checked in by mistake has given the card back to the pile. */
function takeBack(tx: Tx, known: Attendance): DoorAnswer {
  const { id, meeting_id, person_id, class: own } = known;
  const takes = cardsHeldBy(tx, known);
  tx.run(build.deleteFrom('attendance').where('id', '=', id));
  if (person_id !== null) giveBackProxies(tx, meeting_id, person_id);
  if (own !== null) growBases(tx, meeting_id, -1, own);
  return { cards: {}, takes };
}

/** The cards that somebody was handed, with those of the people they represent. */
export const cardsHeldBy = (
  reader: Reader,
  { meeting_id, person_id, class: own }: Pick<Attendance, 'meeting_id' | 'person_id' | 'class'>,
): Record<string, number> =>
  countEach([
    ...(own === null ? [] : [own]),
    ...(person_id === null ? [] : usedProxies(reader, meeting_id, person_id)),
  ]);

/** How often each class is named. */
export function countEach(classes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of classes) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function namedClass(meeting: Meeting, name: string): string {
  const known = classesOf(meeting);
  const found = known.find((one) => isSameName(one, name));
  if (found === undefined) throw badField('class', 'not_class', { names: known });
  return found;
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
