import { randomBytes } from 'node:crypto';
import type { Actor } from '#kernel/db/audit.ts';
import { build, prepareInsert, type Tx } from '#kernel/db/queries.ts';
import { newId } from '#kernel/ids.ts';
import { searchName } from '#people/persons.ts';
import type { RollAddress, RollPerson } from './records.ts';
import type { Standing } from './standings.ts';

type NewPerson = Omit<RollPerson, 'version'>;

/** Stores new people. The caller writes the audit log entry. */
export function insertRollPeople(tx: Tx, people: readonly NewPerson[], actor: Actor): void {
  const rows = people.map(({ id, name, family_name, called, number, note }) => ({
    id,
    name,
    family_name,
    called,
    number,
    note,
    webauthn_id: randomBytes(32),
    created_at: actor.at,
    sort_name: searchName({ family_name, name, called, number }),
  }));
  insertPersons(tx, rows);
  insertAddresses(tx, people.flatMap(addressesOf), actor);
  insertStandings(tx, people.flatMap(standingsOf), actor);
  insertMembers(tx, people.flatMap(membersOf));
}

export const addressesOf = ({ id, addresses }: NewPerson) =>
  addresses.map((address) => ({ person_id: id, ...address }));

export const standingsOf = ({ id, standings }: NewPerson) =>
  standings.map((standing) => ({ person_id: id, ...standing }));

export const membersOf = ({ id, groups }: NewPerson) =>
  groups.map((group_id) => ({ person_id: id, group_id }));

export function insertAddresses(
  tx: Tx,
  addresses: readonly (RollAddress & { person_id: string })[],
  { at, by, ip }: Actor,
): void {
  const added = { added_by: by ?? ip, added_at: at };
  const rows = addresses.map(({ person_id, email, primary, verified_at }) => ({
    id: newId(at),
    person_id,
    email,
    verified_at,
    ...added,
    is_primary: primary ? (1 as const) : (0 as const),
  }));
  insertAddressRows(tx, rows);
}

export function insertStandings(
  tx: Tx,
  standings: readonly (Standing & { person_id: string })[],
  { at }: Actor,
): void {
  const rows = standings.map(({ person_id, kind_id, first_day, last_day }) => ({
    id: newId(at),
    person_id,
    kind_id,
    first_day,
    last_day,
  }));
  insertStandingRows(tx, rows);
}

interface PersonRow {
  id: string;
  name: string;
  sort_name: string;
  family_name: string | null;
  called: string | null;
  number: string | null;
  note: string | null;
  webauthn_id: Uint8Array;
  created_at: number;
}

const insertPersons = prepareInsert((rows: PersonRow[]) =>
  build.insertInto('persons').values(
    rows.map(({ id, name, sort_name, family_name, called, number, note, webauthn_id, created_at }) => ({
      id,
      name,
      sort_name,
      family_name,
      called,
      number,
      note,
      webauthn_id,
      created_at,
      erased_at: null,
    })),
  ),
);

interface AddressRow {
  id: string;
  person_id: string;
  email: string;
  is_primary: 0 | 1;
  verified_at: number | null;
  added_by: string;
  added_at: number;
}

const insertAddressRows = prepareInsert((rows: AddressRow[]) =>
  build.insertInto('addresses').values(
    rows.map(({ id, person_id, email, is_primary, verified_at, added_by, added_at }) => ({
      id,
      person_id,
      email,
      is_primary,
      verified_at,
      added_by,
      added_at,
    })),
  ),
);

interface StandingRow {
  id: string;
  person_id: string;
  kind_id: string;
  first_day: string;
  last_day: string | null;
}

const insertStandingRows = prepareInsert((rows: StandingRow[]) =>
  build.insertInto('standings').values(
    rows.map(({ id, person_id, kind_id, first_day, last_day }) => ({
      id,
      person_id,
      kind_id,
      first_day,
      last_day,
    })),
  ),
);

export const insertMembers = prepareInsert((rows: { person_id: string; group_id: string }[]) =>
  build.insertInto('group_members').values(rows.map(({ person_id, group_id }) => ({ person_id, group_id }))),
);
