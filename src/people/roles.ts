import { sql } from 'kysely';
import { z } from 'zod';
import { findRoles, listPeopleOf } from '#kernel/access/person-roles.ts';
import { isRole, permissionsOf, ROLES, type Role } from '#kernel/access/roles.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { listOwners } from '#kernel/db/owners.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { badField, conflict, forbidden } from '#kernel/http/errors.ts';
import { emailAddress, listOf, optionalText } from '#kernel/http/validation.ts';
import { dateInWords, formatShort } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { localDate, parseTimestamp, startOfDate } from '#kernel/local-time.ts';
import { coded } from '#kernel/messages/messages.ts';
import { createPerson } from './persons.ts';

const ROLE_NAMES = Object.keys(ROLES) as Role[];

export const RoleName = z.enum(ROLE_NAMES, coded('not_one_of', { values: ROLE_NAMES }));

/**
 * Roles are deduplicated and put into their usual order. `until`, a time or a day, inclusive, is the end of what this
 * gives and of what had an end already; where it gives nothing and nothing had an end, of all these roles.
 */
export const RolesInput = z.object({
  email: emailAddress,
  roles: listOf(RoleName, 20).transform((roles) => ROLE_NAMES.filter((role) => roles.includes(role))),
  until: optionalText(64),
});

/** A person and their roles. */
export interface Assignment {
  email: string;
  /** Their name; an address where none was entered. */
  name: string;
  roles: Role[];
  /** The ends of those that have one, in milliseconds. */
  until: Partial<Record<Role, number>>;
  /** When the newest of the roles was granted, in milliseconds, and by whom. */
  granted_at: number;
  granted_by: string;
}

/** Lists all people with a role, by primary address. Roles that are over or unknown to this version are left out. */
export function listAssignments(ctx: Pick<Context, 'db' | 'now'>): Assignment[] {
  const rows = ctx.db.all(
    build
      .selectFrom('person_roles')
      .innerJoin('addresses', 'addresses.person_id', 'person_roles.person_id')
      .innerJoin('persons', 'persons.id', 'person_roles.person_id')
      .select(['email', 'name', 'role', 'granted_at', 'granted_by', 'until'])
      .where('is_primary', '=', sql.lit(1))
      .where((is) => is.or([is('until', 'is', null), is('until', '>', ctx.now())]))
      .orderBy('email')
      .orderBy('granted_at'),
  );
  return [...Map.groupBy(rows, (row) => row.email)].map(([email, own]) => {
    const { name, granted_at, granted_by } = own.at(-1)!;
    const has = new Set(own.map((row) => row.role));
    const until = Object.fromEntries(
      own.flatMap((row) => (row.until === null ? [] : [[row.role, row.until]])),
    ) as Assignment['until'];
    const roles = ROLE_NAMES.filter((role) => has.has(role));
    return { email, name, roles, until, granted_at, granted_by };
  });
}

/**
 * Replaces the roles of one person; an empty list removes all.
 * @param mayGrant whether the actor may grant a role or take it away
 * @returns the previous roles. @throws 409 when no owner would be left, 403 for a role beyond `mayGrant`
 */
export async function setRoles(
  ctx: Pick<Context, 'write'>,
  { email, roles, until }: Omit<z.output<typeof RolesInput>, 'until'> & { until?: number | null },
  actor: Actor,
  mayGrant: (role: string) => boolean = () => true,
): Promise<Role[]> {
  return ctx.write((tx) => replaceRoles(tx, email, () => roles, actor, { mayGrant, until }));
}

/**
 * Reads the end of roles: a time, or the end of a day in the club's zone.
 * @throws 400 if it cannot be read, is over, or would end an owner's role
 */
export function readUntil(
  { config, now }: Pick<Context, 'config' | 'now'>,
  { until, roles }: Pick<z.output<typeof RolesInput>, 'until' | 'roles'>,
): number | null {
  if (until === null) return null;
  const zone = config.TIME_ZONE;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(until);
  const at = isDay ? startOfDate(until, zone, 1) : parseTimestamp(until, zone);
  if (at === undefined) throw badField('until', 'not_date_or_moment');
  if (at <= now()) throw badField('until', 'not_in_future');
  if (roles.includes('owner')) throw badField('until', 'owner_without_end');
  return at;
}

/** Roles that somebody is given beside those that they have. */
export interface RoleGift {
  email: string;
  roles: readonly Role[];
}

/**
 * Gives roles to several people in one transaction. Nothing is taken away: a role that somebody has already may end later
 * by it, never earlier.
 * @param until when what is given ends, in milliseconds
 * @returns the roles of each before and after. @throws as `setRoles`
 */
export function giveRoles(
  ctx: Pick<Context, 'write'>,
  gifts: readonly RoleGift[],
  until: number | null,
  actor: Actor,
  mayGrant: (role: string) => boolean,
): Promise<{ email: string; before: Role[]; after: Role[] }[]> {
  return ctx.write((tx) =>
    gifts.map(({ email, roles }) => {
      const add = (has: string[]) => [...has, ...roles];
      const before = replaceRoles(tx, email, add, actor, { mayGrant, until, given: roles });
      return { email, before, after: ROLE_NAMES.filter((role) => [...before, ...roles].includes(role)) };
    }),
  );
}

/** What a gift changes for somebody: their roles now, and those that are new to them or end later than before. */
export function changedByGift(
  reader: Reader,
  { email, roles }: RoleGift,
  until: number | null,
  now: number,
): { before: string[]; given: string[] } {
  const [person] = listPeopleOf(reader, email);
  const before = person ? findRoles(reader, person.id, now) : [];
  const fresh = roles.filter((role) => !before.includes(role));
  const known = roles.filter((role) => before.includes(role));
  return { before, given: [...fresh, ...prolongedBy(reader, person?.id, known, until)] };
}

/** Those of some roles of a person that end before `until`. */
function prolongedBy(
  reader: Reader,
  person: string | undefined,
  roles: readonly string[],
  until: number | null,
): string[] {
  if (person === undefined || roles.length === 0) return [];
  return reader
    .all(
      build
        .selectFrom('person_roles')
        .select(['role', 'until'])
        .where('person_id', '=', person)
        .where('role', 'in', roles),
    )
    .flatMap((row) => (row.until !== null && (until === null || row.until < until) ? [row.role] : []));
}

/** Whether a role lets its holder decide what others voted: it is given, and taken away, as a grave act. */
export const isOfficerRole = (role: string): boolean => permissionsOf([role]).has('elections:certify');

/** The end of a role as it was entered: a whole day, or a time. */
export const lastMoment = (until: number, zone: string): Words =>
  until === startOfDate(localDate(until, zone), zone)
    ? dateInWords(localDate(until - 1, zone))
    : formatShort(until, zone);

/** Grants a role. @returns whether it is new */
export async function grantRole(
  ctx: Pick<Context, 'write'>,
  email: string,
  role: Role,
  actor: Actor,
): Promise<boolean> {
  const before = await ctx.write((tx) => replaceRoles(tx, email, (has) => [...has, role], actor));
  return !before.includes(role);
}

/** Revokes a role. @returns whether the person had it. @throws 409 when no owner would be left */
export async function revokeRole(
  ctx: Pick<Context, 'write'>,
  email: string,
  role: Role,
  actor: Actor,
): Promise<boolean> {
  const without = (has: string[]) => has.filter((one) => one !== role);
  const before = await ctx.write((tx) => replaceRoles(tx, email, without, actor));
  return before.includes(role);
}

/** The roles that a person keeps whose end another `until` moves. */
export interface MovedEnds {
  /** Those that end later than before. */
  prolonged: string[];
  /** Those that end earlier: what is left of them is taken away. */
  shortened: string[];
}

/**
 * Whose end `until` moves, see `RolesInput`.
 * @param before the person's present roles; `after` what they are to be
 */
export function movedEnds(
  reader: Reader,
  person: string | undefined,
  { before, after, until }: { before: readonly string[]; after: readonly string[]; until: number | null },
): MovedEnds {
  const kept = before.filter((role) => after.includes(role));
  if (until === null || person === undefined || kept.length === 0) return { prolonged: [], shortened: [] };
  const rows = reader.all(
    build
      .selectFrom('person_roles')
      .select(['role', 'until'])
      .where('person_id', '=', person)
      .where('role', 'in', kept),
  );
  const ending = rows.filter((row) => row.until !== null);
  const givesMore = after.some((role) => !before.includes(role));
  const moved = ending.length > 0 || givesMore ? ending : rows;
  const among = (test: (end: number) => boolean) =>
    moved.flatMap((row) => (test(row.until ?? Number.POSITIVE_INFINITY) ? [row.role] : []));
  return { prolonged: among((end) => end < until), shortened: among((end) => end > until) };
}

function replaceRoles(
  tx: Tx,
  email: string,
  change: (has: string[]) => string[],
  actor: Actor,
  {
    mayGrant = () => true,
    until = null,
    given: gift,
  }: {
    mayGrant?: (role: string) => boolean;
    until?: number | null | undefined;
    /** Of a gift: what it gives, see `giveRoles`. */
    given?: readonly Role[];
  } = {},
): Role[] {
  const [person, ...others] = listPeopleOf(tx, email);
  const before = person ? findRoles(tx, person.id, actor.at) : [];
  const after = [...new Set(change(before))];
  const given = after.filter((role) => !before.includes(role));
  const taken = before.filter((role) => !after.includes(role));
  const { prolonged, shortened } =
    gift === undefined
      ? movedEnds(tx, person?.id, { before, after, until })
      : {
          prolonged: prolongedBy(
            tx,
            person?.id,
            gift.filter((role) => before.includes(role)),
            until,
          ),
          shortened: [],
        };
  const changed = [...given, ...taken, ...prolonged, ...shortened];
  if (changed.length === 0) return before.filter(isRole);
  const beyond = changed.filter((role) => !mayGrant(role));
  if (beyond.length > 0) throw forbidden('owner_grants_roles', { roles: beyond });
  // Everybody who reads mail at a shared address could sign in with it and have the role.
  if (others.length > 0) throw conflict('role_needs_own_address');
  const id = person?.id ?? createPerson(tx, { name: email, email }, actor);
  if (taken.includes('owner') && !listOwners(tx, actor.at).some((owner) => owner !== id))
    throw conflict('last_owner_stays');
  if (given.length + prolonged.length > 0 && [email, `person:${id}`].includes(actor.by ?? ''))
    throw forbidden('no_role_for_yourself');
  if (taken.length > 0)
    tx.run(build.deleteFrom('person_roles').where('person_id', '=', id).where('role', 'in', taken));
  for (const role of [...given, ...prolonged]) {
    const granted = { granted_by: actor.by ?? actor.ip, granted_at: actor.at, until };
    tx.run(build.replaceInto('person_roles').values({ person_id: id, role, ...granted }));
  }
  if (shortened.length > 0)
    tx.run(
      build
        .updateTable('person_roles')
        .set({ until })
        .where('person_id', '=', id)
        .where('role', 'in', shortened),
    );
  recordAudit(tx, actor, {
    action: 'roles.changed',
    metadata: { before, after, ...(until !== null && { until: isoTime(until) }) },
    personal: { email },
    about: id,
  });
  return before.filter(isRole);
}
