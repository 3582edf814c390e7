import type { FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { mailNotice } from '#people/notices.ts';
import { listSharedStaffAddresses } from '#people/roll/shared-staff.ts';

/**
 * Runs a change of the roll, then notifies people with a role whose address now belongs to another person too: they
 * keep the role, and everybody who reads that mailbox can sign in as them.
 */
export async function notifyAddressSharers<T>(
  ctx: Context,
  request: FastifyRequest,
  change: () => Promise<T>,
): Promise<T> {
  const shared = () => listSharedStaffAddresses(ctx.db, ctx.now());
  const known = new Set(shared().map(({ person_id, email }) => `${person_id} ${email}`));
  const result = await change();
  for (const { person_id, email } of shared())
    if (!known.has(`${person_id} ${email}`))
      mailNotice(ctx, request, [person_id], 'address-notice', { email });
  return result;
}
