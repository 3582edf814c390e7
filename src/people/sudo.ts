import { createHmac } from 'node:crypto';
import { renewSession, type Session } from '#kernel/access/sessions.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { deriveKey } from '#kernel/secrets.ts';
import { type Asked, askForCode, codeRefused, useCode } from './sign-in.ts';

/** What stands in for the asking browser: the session alone can use the code, and the code signs nobody in. */
const askerOf = (ctx: Context, { id }: Session): string =>
  createHmac('sha256', deriveKey(ctx.secretKey, 'sudo codes')).update(id).digest('base64url');

/** Makes a code for the address of a session, else the person's primary one. Undefined where there is none. */
export async function askForSudoCode(ctx: Context, session: Session): Promise<Asked | undefined> {
  const own = build
    .selectFrom('addresses')
    .select('email')
    .where('person_id', '=', session.person_id)
    .orderBy((of) => of.eb('id', '=', session.address_id), 'desc')
    .orderBy('is_primary', 'desc');
  const address = ctx.db.first(own);
  if (!address) return undefined;
  return askForCode(ctx, { email: address.email, next: null, stay: false }, askerOf(ctx, session));
}

/**
 * Confirms with a mailed code that the person of a session is there: for ten minutes dangerous acts go through.
 * @returns the session's new token. @throws 401 for a code that does not fit
 */
export async function confirmByCode(
  ctx: Context,
  session: Session,
  code: string,
  actor: Actor,
): Promise<string> {
  const token = await useCode(ctx, code, askerOf(ctx, session), (tx) => {
    recordAudit(tx, actor, { action: 'session.confirmed', metadata: { method: 'code' } });
    return renewSession(tx, session, ctx.now());
  });
  if (token === undefined) throw codeRefused();
  return token;
}
