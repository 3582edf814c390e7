import type { Context } from '#kernel/context.ts';
import { formatShort } from '#kernel/local-time.ts';
import { clubName } from '#kernel/mail/message.ts';
import { mailNotice } from '#people/notices.ts';
import { accountMail } from '#views/mail/notices.ts';

/** Tells somebody that an account signs them in from now on. */
export function mailLinked(ctx: Context, person: string, isLinked = true): void {
  const { OIDC_NAME: account, TIME_ZONE, BASE_URL } = ctx.config;
  const at = formatShort(ctx.now(), TIME_ZONE);
  const link = `${BASE_URL}/me/oidc`;
  const mail = accountMail({ clubName: clubName(ctx.config), at, account, isLinked, link });
  mailNotice(ctx, [person], mail);
}
