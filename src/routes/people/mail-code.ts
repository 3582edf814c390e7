import type { FastifyRequest } from 'fastify';
import { getLinkOrigin } from '#kernel/access/link-origin.ts';
import { listPeopleOf } from '#kernel/access/person-roles.ts';
import type { Context } from '#kernel/context.ts';
import { mailOneNow } from '#kernel/mail/sender.ts';
import type { SignInMail } from '#people/sign-in.ts';
import { endPause, mayMail } from '#people/sign-in-limits.ts';

/** The response to every request for a code. */
export const SENT = 'If this address is on the club’s roll, a code is on its way.';

interface Purpose {
  forSignIn?: boolean;
  account?: string | undefined;
}

/**
 * Stores a request for a code, and mails the code after the response, if the address is on the roll and the limits
 * allow it.
 * @param forSignIn false for the code of a confirmation: its mail has no link, and the limit of one a minute is off
 * @param account name of the provider whose account the code links. Such a mail has no link, because the link could
 *   open in another browser than the one that came from the provider
 * @throws 500 while the address of the service is not known
 */
export async function mailCode(
  ctx: Context,
  request: FastifyRequest,
  ask: () => Promise<SignInMail>,
  { forSignIn = true, account }: Purpose = {},
): Promise<void> {
  const origin = getLinkOrigin(ctx, request);
  const asked = await ask();
  setImmediate(() => {
    send(ctx, request.client, origin, asked, { forSignIn, account }).catch((err: unknown) =>
      ctx.log.error({ err }, 'a sign-in code could not be mailed'),
    );
  });
}

async function send(
  ctx: Context,
  client: string,
  origin: string,
  { id, email }: SignInMail,
  { forSignIn = true, account }: Purpose,
): Promise<void> {
  if (listPeopleOf(ctx.db, email).length === 0) return;
  if (!mayMail(ctx, email, client, forSignIn)) return;
  const facts = { origin, hasLink: forSignIn && account === undefined, account };
  const { state } = await mailOneNow(ctx, { kind: 'sign-in-code', ref: id, email, facts });
  // Not sent yet, so asking again sends another one at once: a server that greylists accepts the next try.
  if (state !== 'SENT' && state !== 'UNSURE') endPause(ctx, email, client);
}
