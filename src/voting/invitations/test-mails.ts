import { z } from 'zod';
import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { badField } from '#kernel/http/errors.ts';
import { listOf, requiredText } from '#kernel/http/validation.ts';
import { formatShort, formatWhen } from '#kernel/local-time.ts';
import { type MailClub, mailClub } from '#kernel/mail/club.ts';
import type { MailContent } from '#kernel/mail/message.ts';
import { normalizeAddress } from '#kernel/mail-addresses.ts';
import { ensureMailConfigured } from './invite-delivery.ts';

/** The mails that an officer may send as a test, by their API names. */
export const TEST_TEMPLATES = ['invite', 'batch_invite', 'reminder', 'results', 'subscription'] as const;

export type TestTemplate = (typeof TEST_TEMPLATES)[number];

/** The variable data of the sample mails. */
export interface TestMailData {
  club: MailClub;
  /** Formatted sample times. */
  opens: string;
  closes: string;
  /** Target of the button, instead of a ballot. */
  link: string;
}

export const TestMailsInput = z.object({
  to: requiredText(254),
  templates: listOf(
    z.enum(TEST_TEMPLATES, { error: `must be one of ${TEST_TEMPLATES.join(', ')}` }),
    TEST_TEMPLATES.length,
  ).refine((templates) => templates.length > 0, 'name at least one template'),
});

/** Sends templates with sample contents to one address, to see whether mail works and how it looks. */
export async function sendTestMails(
  ctx: Context,
  { to, templates }: z.output<typeof TestMailsInput>,
  compose: (template: TestTemplate, data: TestMailData) => MailContent,
) {
  ensureMailConfigured(ctx);
  const address = normalizeAddress(to);
  if (!address.ok) throw badField('to', address.reason);
  const { BASE_URL = '', TIME_ZONE: zone } = ctx.config;
  const data: TestMailData = {
    club: mailClub(ctx.config),
    opens: formatShort(ctx.now(), zone),
    closes: formatWhen(ctx.now() + 7 * DAY, zone),
    link: BASE_URL,
  };
  const results = await Promise.all(
    [...new Set(templates)].map(async (template) => {
      const id = `test-${template}-${ctx.now()}`;
      const sent = await ctx.mailer.send({ to: address.email, id, ...compose(template, data) });
      return { template, success: sent.ok, ...(!sent.ok && { error: sent.error }) };
    }),
  );
  return { success: results.some(({ success }) => success), results };
}
