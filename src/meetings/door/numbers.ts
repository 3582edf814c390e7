import { randomInt } from 'node:crypto';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { plainCharacters } from '#kernel/typed-codes.ts';

const DIGITS = 8;

/** The number of an invitation, as it is shown: `4821-7703`. */
export interface DoorNumber {
  /** Whose it is, at an address of several people. */
  name: string | null;
  number: string;
}

/** The page with the square of an invitation, which is also what the square says. */
export const doorNumberPath = (meetingId: string, number: string): string => `/m/${meetingId}/door/${number}`;

/** Gives a number to each of these people who has none for the meeting yet. */
export function giveDoorNumbers(tx: Tx, meeting_id: string, people: readonly string[]): void {
  const rows = tx.all(build.selectFrom('door_numbers').selectAll().where('meeting_id', '=', meeting_id));
  const known = new Set(rows.map(({ person_id }) => person_id));
  const taken = new Set(rows.map(({ number }) => number));
  for (const person_id of new Set(people)) {
    if (known.has(person_id)) continue;
    let number = newNumber();
    while (taken.has(number)) number = newNumber();
    taken.add(number);
    tx.run(build.insertInto('door_numbers').values({ meeting_id, person_id, number }));
  }
}

const newNumber = (): string => String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');

/**
 * The numbers that an invitation to this address has: that of its only person, or those of everybody whose first address
 * it is, with names.
 */
export function doorNumbersOf(reader: Reader, meetingId: string, email: string): DoorNumber[] {
  const people = reader.all(
    build
      .selectFrom('addresses')
      .innerJoin('persons', 'persons.id', 'addresses.person_id')
      .leftJoin('door_numbers', (join) =>
        join.onRef('door_numbers.person_id', '=', 'persons.id').on('meeting_id', '=', meetingId),
      )
      .select(['name', 'door_numbers.number', 'is_primary'])
      .where('email', '=', email)
      .where('erased_at', 'is', null)
      .orderBy('sort_name')
      .orderBy('persons.id'),
  );
  const isShared = people.length > 1;
  return people.flatMap(({ name, number, is_primary }) =>
    number === null || (isShared && is_primary === 0)
      ? []
      : { name: isShared ? name : null, number: formatDoorNumber(number) },
  );
}

export const formatDoorNumber = (number: string): string => `${number.slice(0, 4)}-${number.slice(4)}`;

const NUMBER = /(?:^|\/door\/)(\d{4})[\s-]?(\d{4})(?:\?i=[\w-]*)?$/;

/** The digits of a number that was typed, or of its address as a scanner types it. */
export function readDoorNumber(text: string): string | undefined {
  const [, first, second] = NUMBER.exec(plainCharacters(text).trim()) ?? [];
  return first === undefined ? undefined : `${first}${second}`;
}

/** The numbers of a meeting, by person. */
export const listDoorNumbers = (reader: Reader, meetingId: string): ReadonlyMap<string, string> =>
  new Map(
    reader
      .all(
        build.selectFrom('door_numbers').select(['person_id', 'number']).where('meeting_id', '=', meetingId),
      )
      .map(({ person_id, number }) => [person_id, number]),
  );

/** The person with the number of an invitation to the meeting. */
export function findByDoorNumber(reader: Reader, meetingId: string, text: string): string | undefined {
  const number = readDoorNumber(text);
  if (number === undefined) return undefined;
  const query = build.selectFrom('door_numbers').select('person_id').where('meeting_id', '=', meetingId);
  return reader.first(query.where('number', '=', number))?.person_id;
}

/** After the meeting nobody is looked for. */
export const endDoorNumbers = (tx: Tx, meetingId: string): void => {
  tx.run(build.deleteFrom('door_numbers').where('meeting_id', '=', meetingId));
};
