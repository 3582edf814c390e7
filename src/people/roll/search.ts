import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { build, type Reader } from '#kernel/db/queries.ts';
import { badField } from '#kernel/http/errors.ts';
import { flag, optionalText, pageSize, wholeNumber } from '#kernel/http/validation.ts';
import { addressPart } from '#kernel/mail-addresses.ts';
import { coded } from '#kernel/messages/messages.ts';
import { sortName } from '#people/persons.ts';
import { listGroups, listKinds, Names } from './kinds-and-groups.ts';
import { isDay } from './standings.ts';

/** An optional day; an empty string counts as absent. */
export const optionalDay = z
  .string()
  .trim()
  .refine((text) => text === '' || isDay(text), coded('not_day'))
  .nullish()
  .transform((text) => text || null);

/** A page of the roll. `kind` and `group` are names or ids. */
export const PeopleQuery = z.object({
  q: optionalText(254),
  kind: optionalText(80),
  group: optionalText(80),
  on: optionalDay,
  /** Only people proposed for erasure, see `findPastMembers`. */
  past: flag.default(false),
  limit: pageSize(50, 500),
  offset: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(0),
});

export type PeopleFilter = Pick<z.output<typeof PeopleQuery>, 'q' | 'kind' | 'group' | 'on'> & {
  /** Only these ids; absent: everybody. */
  among?: readonly string[] | undefined;
};

/**
 * Finds the matching people, sorted by name. A kind selects people with that standing on the day (`on`, by default
 * `today`); a day alone selects people with any standing.
 * @throws 400 when there is no such kind or group
 */
export function findPeople(
  reader: Reader,
  filter: PeopleFilter,
  { today, limit, offset }: { today: string; limit: number; offset: number },
): { ids: string[]; total: number } {
  const { q, kind, group, on, among } = filter;
  let matching = build.selectFrom('persons').where('erased_at', 'is', null);
  for (const word of q?.split(/\s+/) ?? []) matching = matching.where(holds(word));
  if (kind) {
    const { id } = new Names(listKinds(reader)).find(kind) ?? unknown('kind', kind);
    matching = matching.where('id', 'in', sql<string>`(${withStanding(on ?? today, JSON.stringify([id]))})`);
  } else if (on) matching = matching.where('id', 'in', sql<string>`(${withStanding(on)})`);
  if (group) {
    const { id } = new Names(listGroups(reader)).find(group) ?? unknown('group', group);
    matching = matching.where(
      'id',
      'in',
      build.selectFrom('group_members').select('person_id').where('group_id', '=', id),
    );
  }
  if (among)
    matching = matching.where(
      'id',
      'in',
      sql<string>`(SELECT value FROM json_each(${JSON.stringify(among)}))`,
    );
  // One query, because counting costs as much as finding.
  const all = reader.all(matching.select('id').orderBy('sort_name').orderBy('id'));
  return { ids: all.slice(offset, offset + limit).map(({ id }) => id), total: all.length };
}

/** Whether a word occurs in the name, nickname, number or an address of a person. */
function holds(word: string): RawBuilder<boolean> {
  return sql`(instr(sort_name, ${sortName(word)}) > 0
    OR id IN (SELECT person_id FROM addresses WHERE instr(email, ${addressPart(word)}) > 0))`;
}

/**
 * The ids of people with a standing on a day, see `standingOn`.
 * @param kindIds a JSON list: of one of these kinds; absent: of any
 */
export function withStanding(day: string, kindIds?: string): RawBuilder<string> {
  const covers = (of: 'own' | 'other') =>
    sql`${sql.ref(`${of}.first_day`)} <= ${day} AND (${sql.ref(`${of}.last_day`)} IS NULL OR ${sql.ref(`${of}.last_day`)} >= ${day})`;
  if (kindIds === undefined) return sql`SELECT person_id FROM standings AS own WHERE ${covers('own')}`;
  return sql`
    SELECT own.person_id FROM standings AS own JOIN kinds AS kind ON kind.id = own.kind_id
    WHERE own.kind_id IN (SELECT value FROM json_each(${kindIds})) AND ${covers('own')}
      AND CASE kind.votes
        WHEN 1 THEN own.person_id NOT IN (
          SELECT other.person_id FROM standings AS other JOIN kinds AS over ON over.id = other.kind_id
          WHERE over.votes = 0 AND ${covers('other')})
        ELSE NOT EXISTS (
          SELECT 1 FROM standings AS other JOIN kinds AS over ON over.id = other.kind_id
          WHERE other.person_id = own.person_id AND over.votes = 0 AND ${covers('other')}
            AND (other.first_day, other.kind_id) > (own.first_day, own.kind_id))
      END`;
}

function unknown(field: string, name: string): never {
  throw badField(field, 'no_such_one', { what: field, name });
}
