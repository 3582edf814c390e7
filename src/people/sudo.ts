import { createHmac } from 'node:crypto';
import { renewSession, type Session } from '#kernel/access/sessions.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { conflict } from '#kernel/http/errors.ts';
import { deriveKey } from '#kernel/secrets.ts';
import { listLinks } from './oidc/links.ts';
import { providerName } from './oidc/provider.ts';
import { type PasskeyAnswer, usePasskey } from './passkeys/authenticate.ts';
import { hasPasskey } from './passkeys/passkeys.ts';
import { isRecoveryCode, useRecoveryCode } from './recovery-codes.ts';
import { askForCode, codeRefused, type SignInMail, useCode } from './sign-in.ts';

/** Replaces the browser's ask cookie: so only this session can use the code, and it cannot be used to sign in. */
const askerOf = (ctx: Context, { id }: Session): string =>
  createHmac('sha256', deriveKey(ctx.secretKey, 'sudo codes')).update(id).digest('base64url');

/** The address with which a session was opened, or else the person's primary one. Undefined if there is none. */
function addressOf(ctx: Context, session: Session): string | undefined {
  const own = build
    .selectFrom('addresses')
    .select('email')
    .where('person_id', '=', session.person_id)
    .orderBy((of) => of.eb('id', '=', session.address_id), 'desc')
    .orderBy('is_primary', 'desc');
  return ctx.db.first(own)?.email;
}

/** Whether a mailed code can be expected to come: mail is set up, and the last one did not fail. */
const mailWorks = ({ mailer }: Context): boolean =>
  mailer.missing().length === 0 && !mailer.isFolder && mailer.outcomes().failure === undefined;

/** The ways in which the person of a session can give a fresh proof. */
export function waysToConfirm(ctx: Context, session: Session | undefined) {
  if (!session) return { passkey: false, address: undefined, account: undefined, mailWorks: true };
  return {
    mailWorks: mailWorks(ctx),
    passkey: hasPasskey(ctx, session.person_id),
    address: addressOf(ctx, session),
    account: listLinks(ctx.db, session.person_id).length > 0 ? providerName(ctx) : undefined,
  };
}

/** Creates a code for the address of `addressOf`. @throws 409 if there is none */
export async function askForSudoCode(ctx: Context, session: Session): Promise<SignInMail> {
  const email = addressOf(ctx, session);
  if (email === undefined) throw conflict('no_own_address_for_code');
  return askForCode(ctx, { email, next: null, stay: false }, askerOf(ctx, session));
}

/**
 * Confirms a session by a mailed code, or by a recovery code of its person (sudo): for ten minutes dangerous acts are
 * allowed.
 * @returns the session's new token. @throws 401 for a wrong code
 */
export async function confirmByCode(
  ctx: Context,
  session: Session,
  code: string,
  actor: Actor,
): Promise<string> {
  if (isRecoveryCode(code))
    return ctx.write((tx) => {
      useRecoveryCode(tx, code, [session.person_id], actor.at);
      recordAudit(tx, actor, { action: 'session.confirmed', metadata: { method: 'recovery' } });
      return renewSession(tx, session, ctx.now());
    });
  const token = await useCode(ctx, code, askerOf(ctx, session), (tx) => {
    recordAudit(tx, actor, { action: 'session.confirmed', metadata: { method: 'code' } });
    return renewSession(tx, session, ctx.now());
  });
  if (token === undefined) throw codeRefused();
  return token;
}

/** Confirms a session by a passkey of its person. @returns the session's new token. @throws 401 for any other proof */
export async function confirmByPasskey(
  ctx: Context,
  session: Session,
  answer: PasskeyAnswer,
): Promise<string> {
  return usePasskey(ctx, answer, (tx, { person_id }) => {
    if (person_id !== session.person_id) return undefined;
    recordAudit(tx, answer.actor, { action: 'session.confirmed', metadata: { method: 'passkey' } });
    return renewSession(tx, session, ctx.now());
  });
}
