import { sql } from 'kysely';
import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import type { Standing } from './standings.ts';

/** A person of the roll with all data that officers edit. Kinds and groups are ids. */
export interface RollPerson {
  id: string;
  name: string;
  /** By which lists are sorted; null where no import had it. */
  family_name: string | null;
  called: string | null;
  number: string | null;
  note: string | null;
  version: number;
  /** The primary address first. */
  addresses: readonly RollAddress[];
  /** By their first day. */
  standings: readonly Standing[];
  /** In the order of their ids. */
  groups: readonly string[];
}

export interface RollAddress {
  /** Lower case. */
  email: string;
  primary: boolean;
  /** When the person proved that they read its mail. */
  verified_at: number | null;
}

/** A list of ids as one JSON parameter, so that one prepared statement serves every length. */
const among = (ids: string) => sql<string>`(SELECT value FROM json_each(${ids}))`;

const personsOf = prepare((p: { ids: string }) =>
  build
    .selectFrom('persons')
    .select(['id', 'name', 'family_name', 'called', 'number', 'note', 'version'])
    .where('id', 'in', among(p.ids))
    .where('erased_at', 'is', null),
);

const addressesOf = prepare((p: { ids: string }) =>
  build
    .selectFrom('addresses')
    .select(['person_id', 'email', 'is_primary', 'verified_at'])
    .where('person_id', 'in', among(p.ids))
    .orderBy('is_primary', 'desc')
    .orderBy('email'),
);

const standingsOf = prepare((p: { ids: string }) =>
  build
    .selectFrom('standings')
    .innerJoin('kinds', 'kinds.id', 'kind_id')
    .select(['person_id', 'kind_id', 'votes', 'first_day', 'last_day'])
    .where('person_id', 'in', among(p.ids))
    .orderBy('first_day')
    .orderBy('kind_id'),
);

const groupsOf = prepare((p: { ids: string }) =>
  build
    .selectFrom('group_members')
    .select(['person_id', 'group_id'])
    .where('person_id', 'in', among(p.ids))
    .orderBy('group_id'),
);

/** Loads people by their ids, in that order; unknown and erased ones are left out. */
export function loadPeople(reader: Reader, ids: readonly string[]): RollPerson[] {
  const p = { ids: JSON.stringify(ids) };
  const byPerson = <Row extends { person_id: string }>(rows: Row[]) =>
    Map.groupBy(rows, ({ person_id }) => person_id);
  const persons = new Map(reader.all(personsOf(p)).map((person) => [person.id, person]));
  const addresses = byPerson(reader.all(addressesOf(p)));
  const standings = byPerson(reader.all(standingsOf(p)));
  const groups = byPerson(reader.all(groupsOf(p)));
  return ids.flatMap((id) => {
    const person = persons.get(id);
    if (!person) return [];
    return [
      {
        ...person,
        addresses: (addresses.get(id) ?? []).map(({ email, is_primary, verified_at }) => ({
          email,
          primary: is_primary === 1,
          verified_at,
        })),
        standings: (standings.get(id) ?? []).map(({ kind_id, votes, first_day, last_day }) => ({
          kind_id,
          votes: votes === 1,
          first_day,
          last_day,
        })),
        groups: (groups.get(id) ?? []).map(({ group_id }) => group_id),
      },
    ];
  });
}

const rolesOf = prepare((p: { ids: string; now: number }) =>
  build
    .selectFrom('person_roles')
    .select(['person_id', 'role'])
    .where('person_id', 'in', among(p.ids))
    .where((is) => is.or([is('until', 'is', null), is('until', '>', p.now)]))
    .orderBy('role'),
);

/** Returns the current roles of each person; people without a role are left out. */
export function loadRoles(reader: Reader, ids: readonly string[], now: number): Map<string, string[]> {
  const rows = reader.all(rolesOf({ ids: JSON.stringify(ids), now }));
  const byPerson = Map.groupBy(rows, ({ person_id }) => person_id);
  return new Map([...byPerson].map(([id, own]) => [id, own.map(({ role }) => role)]));
}
