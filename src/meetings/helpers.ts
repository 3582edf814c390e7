import { z } from 'zod';
import { listPeopleOf } from '#kernel/access/person-roles.ts';
import type { Role } from '#kernel/access/roles.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { badField, badFields, type FieldError, fieldError } from '#kernel/http/errors.ts';
import { emailAddress, listOf, requiredName } from '#kernel/http/validation.ts';
import { localDate } from '#kernel/local-time.ts';
import { nameKey } from '#kernel/names.ts';
import { listAssignments, type RoleGift, RolesInput } from '#people/roles.ts';
import type { Meeting } from './meetings.ts';

/** The roles of those who help at a meeting, by the fields that name the people. */
export const HELPER_ROLES = { chair: 'chair', door: 'door', tellers: 'teller' } as const satisfies Record<
  string,
  Role
>;

export type HelperField = keyof typeof HELPER_ROLES;
export const HELPER_FIELDS = Object.keys(HELPER_ROLES) as HelperField[];

/** Addresses, or names of the roll. */
const people = listOf(requiredName(300), 50).default([]);

export const HelpersInput = z.object({
  chair: people,
  door: people,
  tellers: people,
  until: RolesInput.shape.until.default(null),
});

/** Somebody who helps now. */
export interface Helper {
  email: string;
  name: string;
  /** In milliseconds; null: no end. */
  until: number | null;
}

/** Who has these roles now, whoever gave them, and for which meeting. */
export function listHelpers(ctx: Pick<Context, 'db' | 'now'>): Record<HelperField, Helper[]> {
  const all = listAssignments(ctx);
  const having = (role: Role) =>
    all
      .filter(({ roles }) => roles.includes(role))
      .map(({ email, name, until }) => ({ email, name, until: until[role] ?? null }));
  return {
    chair: having(HELPER_ROLES.chair),
    door: having(HELPER_ROLES.door),
    tellers: having(HELPER_ROLES.tellers),
  };
}

/** The same for scripts. @param shows whether addresses may be shown */
export const helpersJson = (ctx: Pick<Context, 'db' | 'now'>, shows: boolean) =>
  Object.fromEntries(
    Object.entries(listHelpers(ctx)).map(([field, helpers]) => [
      field,
      helpers.map(({ email, name, until }) => ({
        ...(shows && { email }),
        name: shows || name !== email ? name : null,
        until: until === null ? null : isoTime(until),
      })),
    ]),
  );

/** The end that is proposed for these roles, an ISO date: the day of the meeting, or today once that is over. */
export function proposedEnd({ config, now }: Pick<Context, 'config' | 'now'>, { held_at }: Meeting): string {
  const [day, today] = [held_at, now()].map((at) => localDate(at, config.TIME_ZONE));
  return day! > today! ? day! : today!;
}

/**
 * What each person gets who is named. Somebody may be named in several fields.
 * @throws 400 with an error for each name that is not that of one person with an address of their own; where nobody is named
 */
export function readHelpers(reader: Reader, input: Omit<z.output<typeof HelpersInput>, 'until'>): RoleGift[] {
  const gifts = new Map<string, Role[]>();
  const errors: FieldError[] = [];
  // A roll can have thousands of names: it is read once for all who are named.
  const roll = readRoll(reader);
  for (const field of HELPER_FIELDS)
    for (const named of input[field]) {
      const found = named.includes('@')
        ? readAddress(reader, field, named)
        : findAddress(reader, roll, field, named);
      if (typeof found === 'string') gifts.getOrInsertComputed(found, () => []).push(HELPER_ROLES[field]);
      else errors.push(found);
    }
  if (errors.length > 0) throw badFields(errors);
  if (gifts.size === 0) throw badField('chair', 'required');
  return [...gifts].map(([email, roles]) => ({ email, roles: [...new Set(roles)] }));
}

type Listed = { email: string | null };

/** The people of the roll, by what they can be named. */
type Roll = Record<'byName' | 'byNumber', ReadonlyMap<string | null, readonly Listed[]>>;

function readRoll(reader: Reader): Roll {
  const people = reader.all(
    build
      .selectFrom('persons')
      .leftJoin('addresses', (join) =>
        join.onRef('addresses.person_id', '=', 'persons.id').on('is_primary', '=', 1),
      )
      .select(['name', 'number', 'email'])
      .where('erased_at', 'is', null),
  );
  return {
    byName: Map.groupBy(people, ({ name }) => nameKey(name)),
    byNumber: Map.groupBy(people, ({ number }) => number),
  };
}

function readAddress(reader: Reader, field: HelperField, text: string): string | FieldError {
  const address = emailAddress.safeParse(text);
  return address.success
    ? ownAddress(reader, field, text, address.data)
    : fieldError(field, 'helper_not_address', { name: text });
}

/** The address of somebody who was named by a name or number of the roll; or why there is none. */
function findAddress(
  reader: Reader,
  { byName, byNumber }: Roll,
  field: HelperField,
  name: string,
): string | FieldError {
  const found = new Set([...(byName.get(nameKey(name)) ?? []), ...(byNumber.get(name) ?? [])]);
  const [person, ...others] = found;
  if (!person) return fieldError(field, 'helper_unknown', { name });
  if (others.length > 0) return fieldError(field, 'helper_ambiguous', { name });
  if (person.email === null) return fieldError(field, 'helper_without_address', { name });
  return ownAddress(reader, field, name, person.email);
}

const ownAddress = (reader: Reader, field: HelperField, name: string, email: string): string | FieldError =>
  listPeopleOf(reader, email).length > 1 ? fieldError(field, 'helper_shares_address', { name }) : email;
