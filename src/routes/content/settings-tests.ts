import { z } from 'zod';
import { testMail } from '#content/mail-test.ts';
import { ensureSudo } from '#kernel/access/sudo.ts';
import { MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { act } from '#kernel/http/act.ts';
import { badField, tooManyRequests } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';
import { emailAddress } from '#kernel/http/validation.ts';
import { inEnglish } from '#kernel/language/kept-text.ts';
import { t } from '#kernel/language/message.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import type { OpenIdProvider } from '#people/oidc/provider.ts';
import { onSettingsPage, ownAddress, renderSettings } from './settings.ts';

/** Most tests of a minute, so that nobody mails strangers through them or blocks the club's mailbox. */
const TESTS_A_MINUTE = 30;

const MailTest = z.object({ to: emailAddress.optional() }).optional();

/** Tests of the settings with the servers that they name. */
export function settingsTests(app: App, { ctx, provider }: { ctx: Context; provider: OpenIdProvider }): void {
  act(app, ctx, {
    ...onSettingsPage(ctx, 'mail'),
    api: 'POST /api/admin/settings/mail/test',
    form: 'POST /admin/settings/mail/test',
    summary: 'Send a test mail with the present settings',
    body: MailTest,
    run: async ({ body, request }) => {
      // It says of any host and port whether something answers there.
      ensureSudo(ctx, request);
      limitTests(ctx, request.client);
      const to = body?.to ?? ownAddress(ctx, request);
      if (to === undefined) throw badField('to', 'no_test_address');
      return testMail(ctx, to);
    },
    json: ({ ok, message, answer }) => ({
      ok,
      message: (answer === undefined
        ? message
        : t('settings.settings_tests.answer', { message, answer })
      ).for(ENGLISH),
    }),
    next: (testedMail, { request }) => renderSettings(ctx, request, { group: 'mail', testedMail }),
  });

  act(app, ctx, {
    ...onSettingsPage(ctx, 'sign-in'),
    api: 'POST /api/admin/settings/oidc/test',
    form: 'POST /admin/settings/oidc/test',
    summary: 'Try the settings of the OpenID provider with it',
    run: async ({ request }) => {
      limitTests(ctx, request.client);
      return provider.test();
    },
    json: (findings) => ({ ok: findings.length === 0, findings: findings.map(inEnglish) }),
    next: (testedSignIn, { request }) => renderSettings(ctx, request, { group: 'sign-in', testedSignIn }),
  });
}

/** @throws 429 after too many tests in a minute */
function limitTests(ctx: Context, client: string): void {
  const { allowed, resetAt } = ctx.limiter.hit('tests of settings', client, TESTS_A_MINUTE, MINUTE);
  if (!allowed) throw tooManyRequests('rate_limit_exceeded', resetAt - ctx.now());
}
