import { z } from 'zod';
import { countSignUp } from '#calendar/sign-up-limits.ts';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { AppError } from '#kernel/http/errors.ts';
import { emailAddress, requiredName } from '#kernel/http/validation.ts';
import { withdrawMails } from '#kernel/mail/outbox.ts';
import { mailOneNow } from '#kernel/mail/sender.ts';
import { coded } from '#kernel/messages/messages.ts';
import { startVerification, withdraw } from './verifications.ts';

/** The longest time that a request for a mail waits until the mail is sent. */
const WITHIN = 9 * SECOND;

const challenge = z
  .string(coded('not_text'))
  .trim()
  .max(2_048, coded('too_long', { max: 2_048 }))
  .optional();

export const SubscriptionInput = z.object({
  name: requiredName(100),
  email: emailAddress,
  turnstile_token: challenge,
  challenge_token: challenge,
});

/** The answer to every request for a link, whether the address is new, known or disabled. */
export const ASKED =
  'A mail with a link is on its way to this address. The link works for 30 minutes. If no mail comes, ' +
  'look in the spam folder.';

/**
 * Mails a link to a person who wants to subscribe to the programme. It does the same work, in the same time, for every
 * address.
 * @throws 429 within 60 seconds of the last one or over the limits of sign-up mails, 500 when the mail cannot be sent;
 * then nothing is stored
 */
export async function requestSubscription(
  ctx: Context,
  { name, email }: Pick<z.output<typeof SubscriptionInput>, 'name' | 'email'>,
  actor: Actor,
): Promise<void> {
  const pending = await startVerification(ctx, { calendar_id: 'programs', email, name }, () =>
    countSignUp(ctx, { client: actor.ip, email }),
  );
  const mail = { kind: 'calendar-link', ref: pending.id, email, facts: {} } as const;
  const { state } = await mailOneNow(ctx, mail, { isFinal: true, within: WITHIN });
  // One whose answer is missing may have arrived: its link has to work.
  if (state !== 'SENT' && state !== 'UNSURE') {
    await ctx.write((tx) => {
      withdraw(tx, pending.id);
      withdrawMails(tx, ['calendar-link'], [pending.id]);
    });
    throw new AppError(500, 'mail_not_sent');
  }
  // After the mail, because an entry cannot be removed. It has no name or address: nobody has proved to own them.
  const metadata = { calendar_id: 'programs', verification_id: pending.id };
  await ctx.write((tx) => recordAudit(tx, actor, { action: 'subscription.requested', metadata }));
}
