import type { FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { formatTime } from '#kernel/local-time.ts';
import { mailClub } from '#kernel/mail/club.ts';
import { mailNotice } from '#people/notices.ts';
import { type PasskeyNews, passkeyMail } from '#views/mail/passkey.ts';

/** Mails news about a passkey to each address of its person, see `mailNotice`. */
export function mailPasskeyNotice(
  ctx: Context,
  request: FastifyRequest,
  personId: string,
  news: PasskeyNews,
): void {
  const at = ctx.now();
  mailNotice(ctx, request, [personId], (origin) =>
    passkeyMail({
      club: mailClub(ctx.config),
      news,
      when: formatTime(at, ctx.config.TIME_ZONE),
      link: `${origin}/me/passkeys`,
    }),
  );
}
