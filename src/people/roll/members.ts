import { sql } from 'kysely';
import { z } from 'zod';
import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import { badField } from '#kernel/http/errors.ts';
import { listOf } from '#kernel/http/validation.ts';
import { coded } from '#kernel/messages/messages.ts';
import { listGroups, listKinds, Names } from './kinds-and-groups.ts';
import { optionalDay, withStanding } from './search.ts';

const names = listOf(z.string().trim().min(1, coded('empty')).max(80), 100).optional();

/** A selection of members. Kinds and groups are names or ids; `on` is a day, by default today. */
export const MembersInput = z.object({ kinds: names, groups: names, on: optionalDay });

/** A person with a vote on a day. */
export interface Member {
  id: string;
  name: string;
  /** The primary address; null if the person has none. */
  email: string | null;
  /** The kind of membership on the day. */
  standing: string;
  /** The day. */
  as_of: string;
}

/**
 * Finds the people with a vote on a day, sorted by name: of the given kinds, or of any; and in one of the given groups,
 * or regardless of groups.
 * @throws 400 for an unknown kind or group, and for a kind without a vote
 */
export function findMembers(
  reader: Reader,
  { kinds, groups, on }: z.output<typeof MembersInput>,
  today: string,
): Member[] {
  const day = on ?? today;
  const all = listKinds(reader);
  const chosen = kinds?.length ? resolve('kinds', kinds, all) : all.filter(({ votes }) => votes);
  const silent = chosen.find(({ votes }) => !votes);
  if (silent) throw badField('roll.kinds', 'kind_without_vote', { kind: silent.name });
  const kindIds = chosen.map(({ id }) => id);
  const asked = { day, kinds: JSON.stringify(kindIds) };
  if (!groups?.length) return reader.all(membersOn(asked)).map((member) => ({ ...member, as_of: day }));
  const ids = resolve('groups', groups, listGroups(reader)).map(({ id }) => id);
  const inGroups = build.selectFrom('group_members').select('person_id').where('group_id', 'in', ids);
  const members = reader.all(selectMembers(asked).where('persons.id', 'in', inGroups));
  return members.map((member) => ({ ...member, as_of: day }));
}

/** @param kinds a JSON list of ids */
const selectMembers = ({ day, kinds }: { day: string; kinds: string }) =>
  build
    .selectFrom('persons')
    .innerJoin('standings', 'standings.person_id', 'persons.id')
    .innerJoin('kinds', 'kinds.id', 'standings.kind_id')
    .leftJoin('addresses', (join) =>
      join.onRef('addresses.person_id', '=', 'persons.id').on('is_primary', '=', sql.lit(1)),
    )
    .select(['persons.id', 'persons.name', 'email', 'kinds.name as standing'])
    .where('erased_at', 'is', null)
    .where('persons.id', 'in', sql<string>`(${withStanding(day, kinds)})`)
    .where('kind_id', 'in', sql<string>`(SELECT value FROM json_each(${kinds}))`)
    .where('first_day', '<=', day)
    .where((where) => where.or([where('last_day', 'is', null), where('last_day', '>=', day)]))
    .orderBy('sort_name')
    .orderBy('persons.id');

const membersOn = prepare(selectMembers);

/** The people with this address who have a vote on a day, by id. @param email in lower case */
export function listVotersWith(reader: Reader, email: string, day: string): string[] {
  const kinds = listKinds(reader).filter(({ votes }) => votes);
  const found = reader.all(votersWith({ email, day, kinds: JSON.stringify(kinds.map(({ id }) => id)) }));
  return found.map(({ person_id }) => person_id);
}

const votersWith = prepare(({ email, day, kinds }: { email: string; day: string; kinds: string }) =>
  build
    .selectFrom('addresses')
    .innerJoin('persons', 'persons.id', 'addresses.person_id')
    .select('person_id')
    .where('email', '=', email)
    .where('erased_at', 'is', null)
    .where('person_id', 'in', sql<string>`(${withStanding(day, kinds)})`),
);

function resolve<Named extends { id: string; name: string }>(
  field: 'kinds' | 'groups',
  given: readonly string[],
  all: readonly Named[],
): Named[] {
  const known = new Names(all);
  return given.map((text) => {
    const found = known.find(text);
    if (!found) throw badField(`roll.${field}`, 'no_such_one', { what: field.slice(0, -1), name: text });
    return found;
  });
}
