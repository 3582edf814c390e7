import type { FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { originOf } from '#kernel/http/client.ts';
import { formatTime } from '#kernel/local-time.ts';
import { mailClub } from '#kernel/mail/club.ts';
import { listAddresses } from '#people/persons.ts';
import { type PasskeyNews, passkeyMail } from '#views/mail/passkey.ts';

/** Mails news about a passkey to each address of its person, after the response. Failures are only logged. */
export function mailPasskeyNotice(
  ctx: Context,
  request: FastifyRequest,
  personId: string,
  news: PasskeyNews,
): void {
  const at = ctx.now();
  const mail = passkeyMail({
    club: mailClub(ctx.config),
    news,
    when: formatTime(at, ctx.config.TIME_ZONE),
    link: `${ctx.config.BASE_URL ?? originOf(request)}/me/passkeys`,
  });
  for (const { email } of listAddresses(ctx.db, personId))
    setImmediate(async () => {
      const sent = await ctx.mailer.send({ to: email, id: `passkey-${request.id}`, ...mail });
      if (!sent.ok) ctx.log.error({ reason: sent.error }, 'a notice of a passkey could not be mailed');
    });
}
