import { build, type Reader } from '#kernel/db/queries.ts';
import { notFound } from '#kernel/http/errors.ts';
import { localDate } from '#kernel/local-time.ts';
import type { Meeting } from '#meetings/meetings.ts';
import { sortName } from '#people/persons.ts';
import { findMembers } from '#people/roll/members.ts';
import { findPeople } from '#people/roll/search.ts';
import { classOfPerson } from '#voting/electors/classes.ts';

/** A person at the door. */
export interface DoorPerson {
  id: string;
  name: string;
  number: string | null;
  /** The kind of membership that votes on the day of the meeting; null: none does. */
  kind: string | null;
}

/** The day on which the roll is read. */
export const dayOf = (meeting: Meeting, zone: string): string => localDate(meeting.held_at, zone);

/** The people with a vote on the day, by id. */
export function listVoters(reader: Reader, meeting: Meeting, zone: string): ReadonlyMap<string, string> {
  const day = dayOf(meeting, zone);
  const members = findMembers(reader, { kinds: undefined, groups: undefined, on: day }, day);
  return new Map(members.map(({ id, standing }) => [id, standing]));
}

/** @throws 404 */
export function getPerson(reader: Reader, id: string, voters: ReadonlyMap<string, string>): DoorPerson {
  const [person] = readPeople(reader, [id], voters);
  if (!person) throw notFound('not_found');
  return person;
}

function readPeople(
  reader: Reader,
  ids: readonly string[],
  voters: ReadonlyMap<string, string>,
  among: (sortName: string) => boolean = () => true,
): DoorPerson[] {
  return reader
    .all(
      build
        .selectFrom('persons')
        .select(['id', 'name', 'number', 'sort_name'])
        .where('id', 'in', ids)
        .where('erased_at', 'is', null)
        .orderBy('sort_name')
        .orderBy('id'),
    )
    .filter(({ sort_name }) => among(sort_name))
    .map(({ sort_name: _, ...person }) => ({ ...person, kind: voters.get(person.id) ?? null }));
}

/** What a door looks for: words, or its own part of the roll by the first letters as it is sorted. */
export interface DoorSearch {
  q: string | null;
  from: string | null;
  to: string | null;
}

/** People whose name, number or address has these words; without any, those with a vote, of these letters. */
export function searchPeople(
  reader: Reader,
  { q, from, to }: DoorSearch,
  voters: ReadonlyMap<string, string>,
  most: number,
): { people: DoorPerson[]; total: number } {
  const filter = { q, kind: null, group: null, on: null, ...(q === null && { among: [...voters.keys()] }) };
  if (q === null && (from !== null || to !== null)) {
    const first = from === null ? '' : sortName(from);
    // Everything that begins with the last letter is still in.
    const last = to === null ? '\uffff' : `${sortName(to)}\uffff`;
    const own = readPeople(reader, [...voters.keys()], voters, (key) => key >= first && key <= last);
    return { people: own, total: own.length };
  }
  const { ids, total } = findPeople(reader, filter, { today: '', limit: most, offset: 0 });
  return { people: readPeople(reader, ids, voters), total };
}

/** The class of a person at the door of a meeting. */
export const classOf = (reader: Reader, meeting: Meeting, person: DoorPerson): string =>
  classOfPerson(reader, meeting, person);
