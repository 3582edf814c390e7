import { z } from 'zod';
import { ensureSudo } from '#kernel/access/sudo.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type App, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { formatShort } from '#kernel/local-time.ts';
import { ownValue } from '#kernel/own-value.ts';
import { ensureAskingBrowser } from '#people/browser.ts';
import { mailNotice } from '#people/notices.ts';
import { newFlowSecrets, storeFlow } from '#people/oidc/flows.ts';
import { listLinks, unlinkAccount } from '#people/oidc/links.ts';
import type { OpenIdProvider } from '#people/oidc/provider.ts';
import { accountsPage, goToProviderPage } from '#views/people/oidc.ts';
import { actorOfPerson, requireSignedIn, requireWriter } from './signed-in.ts';

const params = z.object({ id: Id });
const doneQuery = z.object({ done: z.string().max(20).optional().catch(undefined) });

const DONE: Record<string, string> = {
  added: 'The account signs you in from now on.',
  removed: 'The account was removed.',
};

/** Routes for a person's linked OpenID accounts. They can be removed even if no provider is configured any more. */
export function meOidc(app: App, { ctx, provider }: { ctx: Context; provider?: OpenIdProvider }): void {
  app.get('/me/oidc', { schema: { querystring: doneQuery } }, async (request, reply) => {
    const signedIn = requireSignedIn(ctx, request, reply);
    if (!signedIn) return reply;
    const links = listLinks(ctx.db, signedIn.person.id);
    if (!wantsHtml(request))
      return {
        links: links.map(({ id, issuer, created_at }) => ({ id, issuer, created_at: isoTime(created_at) })),
      };
    const shown = links.map(({ id, issuer, created_at }) => ({
      id,
      issuer,
      since: formatShort(created_at, ctx.config.TIME_ZONE),
    }));
    const done = ownValue(DONE, request.query.done);
    return sendHtml(reply, accountsPage({ name: provider?.name, links: shown, done }));
  });

  if (provider)
    app.post('/me/oidc', async (request, reply) => {
      const { person } = requireWriter(ctx, request);
      ensureSudo(ctx, request);
      const secrets = newFlowSecrets();
      const { href: address } = await provider.begin(secrets);
      const browser = ensureAskingBrowser(ctx, request, reply);
      await storeFlow(ctx, browser, secrets, { linkFor: person.id });
      if (!wantsHtml(request)) return { ok: true, address };
      return sendHtml(
        reply,
        goToProviderPage({
          name: provider.name,
          address,
          lede: 'Sign in there with the account that is to sign you in here.',
        }),
      );
    });

  app.delete('/me/oidc/:id', { schema: { params } }, async (request, reply) => {
    const signedIn = requireWriter(ctx, request);
    ensureSudo(ctx, request);
    const actor = actorOfPerson(ctx, request, signedIn);
    await ctx.write((tx) => unlinkAccount(tx, request.params.id, signedIn.person.id, actor));
    mailNotice(ctx, request, [signedIn.person.id], 'account-notice', {
      account: ctx.config.OIDC_NAME,
      isLinked: false,
    });
    return wantsHtml(request) ? reply.redirect('/me/oidc?done=removed', 303) : { ok: true };
  });
}
