import type { Context } from '#kernel/context.ts';
import { TEST_WAITS } from '#kernel/mail/limits.ts';
import { neededInWords } from '#kernel/mail/message.ts';
import { explainRefusal } from '#kernel/mail/refusals.ts';
import { mailOneNow } from '#kernel/mail/sender.ts';
import { mailServer } from '#kernel/mail/server.ts';

/** The outcome of a test mail in words. */
export interface TestedMail {
  ok: boolean;
  to: string;
  message: string;
  /** What the server, or the connection to it, answered. */
  answer?: string | undefined;
}

/** Sends a test mail with the present settings, and waits for the answer of the mail server. */
export async function testMail(ctx: Context, to: string): Promise<TestedMail> {
  const missing = neededInWords(ctx.mailer.needed());
  if (missing.length > 0) return { ok: false, to, message: `Enter ${missing.join(' and ')} first.` };
  const server = mailServer(ctx.config);
  if (server === undefined || ('folder' in server && ctx.mailer.isFolder))
    return { ok: false, to, message: 'Mails are written into a folder of the server: nobody gets them.' };
  const mail = { kind: 'first-test', email: to, facts: {} } as const;
  const outcome = await mailOneNow(ctx, mail, { isFinal: true, within: TEST_WAITS, triesOnce: true });
  if ('folder' in server) {
    if ('error' in outcome)
      return { ok: false, to, message: 'The folder cannot be written.', answer: outcome.error };
    return { ok: true, to, message: `It was written into the folder ${server.folder}. Nobody gets it.` };
  }
  if (!('error' in outcome)) return { ok: true, to, message: 'The mail server took the mail.' };
  return { ok: false, to, message: explainRefusal(outcome.error, server), answer: outcome.error };
}
