import type { FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { formatShort } from '#kernel/local-time.ts';
import { mailClub } from '#kernel/mail/club.ts';
import { mailNotice } from '#people/notices.ts';
import { accountMail } from '#views/mail/notices.ts';

/** Notifies a person that an account was linked for signing in, or that its link was removed. */
export function mailLinked(ctx: Context, request: FastifyRequest, person: string, isLinked = true): void {
  const { OIDC_NAME: account, TIME_ZONE } = ctx.config;
  const at = formatShort(ctx.now(), TIME_ZONE);
  mailNotice(ctx, request, [person], (origin) =>
    accountMail({ club: mailClub(ctx.config), at, account, isLinked, link: `${origin}/me/oidc` }),
  );
}
