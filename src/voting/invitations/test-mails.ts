import { z } from 'zod';
import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { badField } from '#kernel/http/errors.ts';
import { listOf, requiredText } from '#kernel/http/validation.ts';
import { formatWhen } from '#kernel/local-time.ts';
import { normalizeAddress } from '#kernel/mail/addresses.ts';
import { clubName } from '#kernel/mail/message.ts';
import { DIAGNOSTIC_TEMPLATES, diagnosticMail } from '#views/mail/diagnostic.ts';
import { ensureMailConfigured } from './invite-delivery.ts';

export const TestMailsInput = z.object({
  to: requiredText(254),
  templates: listOf(
    z.enum(DIAGNOSTIC_TEMPLATES, { error: `must be one of ${DIAGNOSTIC_TEMPLATES.join(', ')}` }),
    DIAGNOSTIC_TEMPLATES.length,
  ).refine((templates) => templates.length > 0, 'name at least one template'),
});

/** Sends templates with made-up contents to one address, to see whether mail works and how it looks. */
export async function mailTests(ctx: Context, { to, templates }: z.output<typeof TestMailsInput>) {
  ensureMailConfigured(ctx);
  const address = normalizeAddress(to);
  if (!address.ok) throw badField('to', address.reason);
  const { BASE_URL = '', TIME_ZONE: zone } = ctx.config;
  const props = {
    clubName: clubName(ctx.config),
    opens: formatWhen(ctx.now(), zone),
    closes: formatWhen(ctx.now() + 7 * DAY, zone),
    link: BASE_URL,
  };
  const results = await Promise.all(
    [...new Set(templates)].map(async (template) => {
      const id = `test-${template}-${ctx.now()}`;
      const sent = await ctx.mailer.send({ to: address.email, id, ...diagnosticMail(template, props) });
      return { template, success: sent.ok, ...(!sent.ok && { error: sent.error }) };
    }),
  );
  return { success: results.some(({ success }) => success), results };
}
