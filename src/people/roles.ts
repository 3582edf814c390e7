import { z } from 'zod';
import { isRole, ROLES, type Role } from '#kernel/access/permissions.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { AppError } from '#kernel/http/errors.ts';
import { emailAddress, listOf } from '#kernel/http/validation.ts';

const ROLE_NAMES = Object.keys(ROLES) as Role[];

export const RoleName = z.enum(ROLE_NAMES, { error: `must be one of ${ROLE_NAMES.join(', ')}` });

/** The roles come out once each, in their usual order. */
export const RolesInput = z.object({
  email: emailAddress,
  roles: listOf(RoleName, 20).transform((roles) => ROLE_NAMES.filter((role) => roles.includes(role))),
});

/** One person and what they were made. */
export interface Assignment {
  email: string;
  roles: Role[];
  /** When the newest of the roles was given, in milliseconds, and by whom. */
  granted_at: number;
  granted_by: string;
}

/** Everyone who has a role, by address. Roles that this version does not know are left out. */
export function listAssignments(ctx: Pick<Context, 'db'>): Assignment[] {
  const rows = ctx.db.all(
    build.selectFrom('pub_admin_roles').selectAll().orderBy('email').orderBy('granted_at'),
  );
  return [...Map.groupBy(rows, (row) => row.email)].map(([email, own]) => {
    const { granted_at, granted_by } = own.at(-1)!;
    const has = new Set(own.map((row) => row.role));
    return { email, roles: ROLE_NAMES.filter((role) => has.has(role)), granted_at, granted_by };
  });
}

/**
 * Replaces the roles of one person; none takes the person off the list.
 * @returns the roles before. @throws 409 when nobody would be owner any more
 */
export async function setRoles(
  ctx: Pick<Context, 'write'>,
  { email, roles }: z.output<typeof RolesInput>,
  actor: Actor,
): Promise<Role[]> {
  return ctx.write((tx) => replaceRoles(tx, email, () => roles, actor));
}

/** Gives one more role. @returns whether it is new */
export async function grantRole(
  ctx: Pick<Context, 'write'>,
  email: string,
  role: Role,
  actor: Actor,
): Promise<boolean> {
  const before = await ctx.write((tx) => replaceRoles(tx, email, (has) => [...has, role], actor));
  return !before.includes(role);
}

/** Takes one role away. @returns whether it was there. @throws 409 when nobody would be owner any more */
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

function replaceRoles(tx: Tx, email: string, change: (has: string[]) => string[], actor: Actor): Role[] {
  const table = build.selectFrom('pub_admin_roles');
  const before = tx.all(table.select('role').where('email', '=', email)).map((row) => row.role);
  const after = [...new Set(change(before))];
  const given = after.filter((role) => !before.includes(role));
  const taken = before.filter((role) => !after.includes(role));
  if (taken.includes('owner')) {
    const other = table.select('email').where('role', '=', 'owner').where('email', '<>', email);
    if (!tx.first(other))
      throw new AppError(409, 'The last owner cannot be removed', {
        extra: { message: 'Make someone else owner first.' },
      });
  }
  if (taken.length > 0)
    tx.run(build.deleteFrom('pub_admin_roles').where('email', '=', email).where('role', 'in', taken));
  for (const role of given) {
    const granted = { granted_by: actor.by ?? actor.ip, granted_at: actor.at };
    tx.run(build.insertInto('pub_admin_roles').values({ email, role, ...granted }));
  }
  if (given.length + taken.length > 0)
    recordAudit(tx, actor, { action: 'roles.changed', metadata: { email, before, after } });
  return before.filter(isRole);
}
