import type { FastifyRequest } from 'fastify';
import { findRoles } from '#kernel/access/person-roles.ts';
import type { Context } from '#kernel/context.ts';
import { t } from '#kernel/language/message.ts';
import { getPerson } from '#people/roll/people.ts';
import { actingPerson, type SensitiveAct } from './approvals.ts';

/**
 * Returns the act by which somebody with a role gets another way to sign in from somebody else: an address, or a link.
 * The giver could act as them.
 * @param emails the addresses that the person will have; undefined for a sign-in link
 * @returns undefined if the request gives no such way. @throws 404
 */
export function findStaffAccess(
  ctx: Context,
  request: FastifyRequest,
  id: string,
  emails?: readonly string[],
): SensitiveAct | undefined {
  const { name, addresses } = getPerson(ctx, id);
  const added = emails?.filter((email) => !addresses.some((known) => known.email === email));
  const isOwn = actingPerson(request) === id;
  if (isOwn || added?.length === 0 || findRoles(ctx.db, id, ctx.now()).length === 0) return undefined;
  return {
    kind: 'access',
    act: added ? t('people-admin.access.address', { name }) : t('people-admin.access.link', { name }),
    details: added ? [{ label: t('people-admin.access.new_address'), value: added.join(', ') }] : [],
  };
}
