import type { FastifyRequest } from 'fastify';
import { linkOrigin } from '#kernel/access/link-origin.ts';
import { listOwners } from '#kernel/access/person-roles.ts';
import type { Context } from '#kernel/context.ts';
import { newRandomId } from '#kernel/ids.ts';
import { type MailContent, NO_ADDRESS } from '#kernel/mail/message.ts';
import { listAddresses } from './persons.ts';

/**
 * Mails a notice to all addresses of some people, after the response. A failure is only logged, because it must not
 * undo the act that the notice is about.
 * @param compose makes the mail; its links begin with `origin`
 */
export function mailNotice(
  ctx: Context,
  request: FastifyRequest,
  people: readonly string[],
  compose: (origin: string) => MailContent,
): void {
  const origin = linkOrigin(ctx, request);
  if (origin === undefined) {
    ctx.log.error({ reason: NO_ADDRESS }, 'a notice could not be mailed');
    return;
  }
  const mail = compose(origin);
  setImmediate(() => {
    send(ctx, people, { ...mail, origin }).catch((err: unknown) =>
      ctx.log.error({ err }, 'a notice could not be mailed'),
    );
  });
}

/** Mails a notice to all owners. */
export function mailOwners(
  ctx: Context,
  request: FastifyRequest,
  compose: (origin: string) => MailContent,
): void {
  mailNotice(ctx, request, listOwners(ctx.db, ctx.now()), compose);
}

async function send(
  ctx: Context,
  people: readonly string[],
  mail: MailContent & { origin: string },
): Promise<void> {
  const addresses = new Set(people.flatMap((id) => listAddresses(ctx.db, id).map(({ email }) => email)));
  await Promise.all(
    [...addresses].map(async (to) => {
      const sent = await ctx.mailer.send({ to, id: `notice-${newRandomId()}`, ...mail });
      if (!sent.ok) ctx.log.error({ reason: sent.error }, 'a notice could not be mailed');
    }),
  );
}
