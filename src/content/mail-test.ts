import type { Context } from '#kernel/context.ts';
import { t } from '#kernel/language/message.ts';
import { allOf } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { TEST_WAITS } from '#kernel/mail/limits.ts';
import { neededInWords } from '#kernel/mail/message.ts';
import { explainRefusal } from '#kernel/mail/refusals.ts';
import { mailOneNow } from '#kernel/mail/sender.ts';
import { mailServer } from '#kernel/mail/server.ts';

/** The outcome of a test mail in words. */
export interface TestedMail {
  ok: boolean;
  to: string;
  message: Words;
  /** What the server, or the connection to it, answered. */
  answer?: string | undefined;
  /** It stands in a folder of the server, and nobody gets it. */
  isKept?: true;
}

/** Sends a test mail with the present settings, and waits for the answer of the mail server. */
export async function testMail(ctx: Context, to: string): Promise<TestedMail> {
  const missing = neededInWords(ctx.mailer.needed());
  if (missing.length > 0)
    return { ok: false, to, message: t('settings.mail_test.enter_first', { missing: allOf(missing) }) };
  const server = mailServer(ctx.config);
  if (server === undefined || ('folder' in server && ctx.mailer.isFolder))
    return { ok: false, to, message: t('settings.mail_test.mails_written_into_folder_server') };
  const mail = { kind: 'first-test', email: to, facts: {} } as const;
  const outcome = await mailOneNow(ctx, mail, { isFinal: true, within: TEST_WAITS, triesOnce: true });
  if ('folder' in server) {
    if ('error' in outcome)
      return { ok: false, to, message: t('settings.mail_test.folder_cannot_written'), answer: outcome.error };
    return {
      ok: true,
      to,
      message: t('settings.mail_test.written_into_folder_gets', { folder: server.folder }),
      isKept: true,
    };
  }
  if (!('error' in outcome)) return { ok: true, to, message: t('settings.mail_test.mail_server_took_mail') };
  return { ok: false, to, message: explainRefusal(outcome.error, server), answer: outcome.error };
}
