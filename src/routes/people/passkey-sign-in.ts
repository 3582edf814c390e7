import { z } from 'zod';
import { pathOnward } from '#kernel/access/path-onward.ts';
import { deviceOf, setSessionCookie } from '#kernel/access/sessions.ts';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import { AppError } from '#kernel/http/errors.ts';
import { type App, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { flag } from '#kernel/http/validation.ts';
import { clubName } from '#kernel/mail/message.ts';
import { askingBrowser, ensureAskingBrowser } from '#people/browser.ts';
import { mailNotice } from '#people/notices.ts';
import { providerName } from '#people/oidc/provider.ts';
import { signInByPasskey, signInOptions } from '#people/passkeys/authenticate.ts';
import { offersPasskeys } from '#people/passkeys/relying-party.ts';
import { limitPasskeys } from '#people/sign-in-limits.ts';
import { signInPage } from '#views/people/sign-in.ts';

/** `credential` is not validated here, so that an invalid one gets the same 401 as an unknown passkey. */
const body = z.object({
  credential: z.unknown().optional(),
  next: z.string().max(2_000).optional().catch(undefined),
  stay: flag.optional().default(false),
});

/** Routes for signing in by passkey. */
export function passkeySignIn(app: App, { ctx }: { ctx: Context }): void {
  app.post(
    '/sign-in/passkey/options',
    { bodyLimit: 4 * 1024, schema: { summary: 'What a browser needs to ask for a passkey' } },
    async (request, reply) => {
      limitPasskeys(ctx, request.client);
      return signInOptions(ctx, ensureAskingBrowser(ctx, request, reply));
    },
  );

  app.post(
    '/sign-in/passkey',
    { bodyLimit: 32 * 1024, schema: { body, summary: 'Sign in with a passkey' } },
    async (request, reply) => {
      const { credential, next, stay } = request.body;
      const isForm = wantsHtml(request);
      const onward = pathOnward(next);
      const answer = {
        credential,
        browser: askingBrowser(ctx, request),
        actor: actorOf(request, ctx.now),
        onCopied: (personId: string) =>
          mailNotice(ctx, request, [personId], 'passkey-notice', { news: { is: 'copied' } }),
      };
      try {
        const token = await signInByPasskey(ctx, answer, { stay, device: deviceOf(request) });
        setSessionCookie(ctx, request, reply, token, stay);
        return isForm ? reply.redirect(onward, 303) : { ok: true, next: onward };
      } catch (error) {
        if (!isForm || !(error instanceof AppError) || error.statusCode !== 401) throw error;
        const club = clubName(ctx.config);
        const again = {
          club,
          next: onward,
          passkeys: offersPasskeys(ctx),
          passkeyRefused: true,
          provider: providerName(ctx),
        };
        return sendHtml(reply, signInPage(again), 401);
      }
    },
  );
}
