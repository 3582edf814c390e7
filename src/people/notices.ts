import type { Context } from '#kernel/context.ts';
import { newRandomId } from '#kernel/ids.ts';
import type { MailContent } from '#kernel/mail/message.ts';
import { listAddresses } from './persons.ts';

/**
 * Mails a notice to all addresses of some people, after the answer. What fails is in the log: a notice never undoes what
 * it is about.
 */
export function mailNotice(ctx: Context, people: readonly string[], mail: MailContent): void {
  const addresses = new Set(people.flatMap((id) => listAddresses(ctx.db, id).map(({ email }) => email)));
  setImmediate(() => {
    for (const to of addresses)
      ctx.mailer.send({ to, id: `notice-${newRandomId()}`, ...mail }).then(
        (sent) => {
          if (!sent.ok) ctx.log.error({ reason: sent.error }, 'a notice could not be mailed');
        },
        (error: unknown) => ctx.log.error({ error }, 'a notice could not be mailed'),
      );
  });
}
