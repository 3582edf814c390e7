import { listOwners } from '#kernel/access/person-roles.ts';
import type { Context } from '#kernel/context.ts';
import { newRandomId } from '#kernel/ids.ts';
import type { MailContent } from '#kernel/mail/message.ts';
import { listAddresses } from './persons.ts';

/**
 * Mails a notice to all addresses of some people, after the response. A failure is only logged, because it must not
 * undo the act that the notice is about.
 */
export function mailNotice(ctx: Context, people: readonly string[], mail: MailContent): void {
  setImmediate(() => {
    send(ctx, people, mail).catch((err: unknown) => ctx.log.error({ err }, 'a notice could not be mailed'));
  });
}

/** Mails a notice to all owners. */
export function mailOwners(ctx: Context, mail: MailContent): void {
  mailNotice(ctx, listOwners(ctx.db, ctx.now()), mail);
}

async function send(ctx: Context, people: readonly string[], mail: MailContent): Promise<void> {
  const addresses = new Set(people.flatMap((id) => listAddresses(ctx.db, id).map(({ email }) => email)));
  await Promise.all(
    [...addresses].map(async (to) => {
      const sent = await ctx.mailer.send({ to, id: `notice-${newRandomId()}`, ...mail });
      if (!sent.ok) ctx.log.error({ reason: sent.error }, 'a notice could not be mailed');
    }),
  );
}
