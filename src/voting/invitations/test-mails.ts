import { z } from 'zod';
import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { badFields, fieldErrorOf } from '#kernel/http/errors.ts';
import { listOf, requiredText } from '#kernel/http/validation.ts';
import { formatShort, formatWhen } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { type MailClub, mailClub } from '#kernel/mail/club.ts';
import { mailNow } from '#kernel/mail/sender.ts';
import { normalizeAddress } from '#kernel/mail-addresses.ts';
import { coded } from '#kernel/messages/messages.ts';
import { ensureMailConfigured } from './invite-mails.ts';

/** The mails that an officer may send as a test, by their API names. */
export const TEST_TEMPLATES = ['invite', 'batch_invite', 'reminder', 'results', 'subscription'] as const;

export type TestTemplate = (typeof TEST_TEMPLATES)[number];

/** The variable data of the sample mails. */
export interface TestMailData {
  club: MailClub;
  /** Sample times. */
  opens: Words;
  closes: Words;
  /** Target of the button, instead of a ballot. */
  link: string;
}

export const TestMailsInput = z.object({
  to: requiredText(254),
  templates: listOf(
    z.enum(TEST_TEMPLATES, coded('not_one_of', { values: TEST_TEMPLATES })),
    TEST_TEMPLATES.length,
  ).refine((templates) => templates.length > 0, coded('no_template')),
});

declare module '#kernel/mail/outbox.ts' {
  interface MailFacts {
    sample: { template: TestTemplate };
  }
}

/** Sends templates with sample contents to one address, to see whether mail works and how it looks. */
export async function sendTestMails(ctx: Context, { to, templates }: z.output<typeof TestMailsInput>) {
  ensureMailConfigured(ctx);
  const address = normalizeAddress(to);
  if (!address.ok) throw badFields([fieldErrorOf('to', address.reason)]);
  const chosen = [...new Set(templates)];
  const mails = chosen.map(
    (template) => ({ kind: 'sample', email: address.email, facts: { template } }) as const,
  );
  const tried = await mailNow(ctx, mails, { isFinal: true });
  const results = tried.map(({ outcome }, at) => ({
    template: chosen[at]!,
    success: outcome.state === 'SENT',
    ...('error' in outcome && { error: outcome.error }),
  }));
  return { success: results.some(({ success }) => success), results };
}

export function sampleData({ config, now }: Context): TestMailData {
  return {
    club: mailClub(config),
    opens: formatShort(now(), config.TIME_ZONE),
    closes: formatWhen(now() + 7 * DAY, config.TIME_ZONE),
    link: config.BASE_URL ?? '',
  };
}
