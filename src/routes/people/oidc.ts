import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { pathOnward } from '#kernel/access/path-onward.ts';
import { deviceOf, findSignedIn, setSessionCookie } from '#kernel/access/sessions.ts';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import { AppError } from '#kernel/http/errors.ts';
import { type App, type RefusedForm, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { emailAddress, flag } from '#kernel/http/validation.ts';
import { clubName } from '#kernel/mail/message.ts';
import { askingBrowser, ensureAskingBrowser } from '#people/browser.ts';
import { mailNotice } from '#people/notices.ts';
import { findKeptAccount, newFlowSecrets, storeFlow, takeFlow } from '#people/oidc/flows.ts';
import { CALLBACK, type OpenIdProvider } from '#people/oidc/provider.ts';
import { arrive } from '#people/oidc/sign-in.ts';
import { askForCode } from '#people/sign-in.ts';
import { limitAsks } from '#people/sign-in-limits.ts';
import { oidcLinkPage, oidcRefusedPage, signedOutPage } from '#views/people/oidc.ts';
import { mailCode, SENT } from './mail-code.ts';
import { confirm } from './sudo-oidc.ts';

const startQuery = z.object({
  next: z.string().max(2_000).optional().catch(undefined),
  stay: flag.optional().default(false).catch(false),
});
const callbackQuery = z.object({ state: z.string().max(200).optional().catch(undefined) });
const LinkBody = z.object({ email: emailAddress });

/** Routes for signing in at an OpenID provider. */
export function oidc(app: App, { ctx, provider }: { ctx: Context; provider: OpenIdProvider }): void {
  const club = () => clubName(ctx.config);

  app.get(
    '/sign-in/oidc',
    // No HEAD route, because it would begin a sign-in too.
    {
      exposeHeadRoute: false,
      schema: { querystring: startQuery, summary: 'Sign in at the OpenID provider' },
    },
    async (request, reply) => {
      const { next, stay } = request.query;
      if (findSignedIn(ctx, request)) return reply.redirect(pathOnward(next), 303);
      return orRefused(request, reply, async () => {
        const secrets = newFlowSecrets();
        const address = await provider.begin(secrets);
        const browser = ensureAskingBrowser(ctx, request, reply);
        await storeFlow(ctx, browser, secrets, { next: next ?? null, stay });
        return reply.redirect(address.href, 303);
      });
    },
  );

  app.get(
    CALLBACK,
    {
      exposeHeadRoute: false,
      config: { secretAddress: true },
      schema: { querystring: callbackQuery, summary: 'Where the OpenID provider sends people back to' },
    },
    (request, reply) => orRefused(request, reply, () => comeBack(request, reply)),
  );

  app.get('/sign-in/oidc/link', async (request, reply) => {
    const kept = findKeptAccount(ctx, askingBrowser(ctx, request));
    if (!kept) return reply.redirect('/sign-in', 303);
    return sendHtml(reply, oidcLinkPage({ club: club(), name: provider.name, account: kept.email }));
  });

  app.post(
    '/sign-in/oidc/link',
    {
      config: { refused: (request, refused) => linkAgain(request, refused) },
      bodyLimit: 8 * 1024,
      schema: { body: LinkBody, summary: 'Ask for the code that links an account at the OpenID provider' },
    },
    async (request, reply) => {
      limitAsks(ctx, request.client);
      const browser = askingBrowser(ctx, request);
      const kept = findKeptAccount(ctx, browser);
      if (browser === undefined || !kept) {
        if (wantsHtml(request)) return reply.redirect('/sign-in', 303);
        throw new AppError(401, `Begin at ${provider.name} once more`);
      }
      const { issuer, subject, next, stay } = kept;
      const ask = { email: request.body.email, next, stay: stay === 1, account: { issuer, subject } };
      await mailCode(ctx, request, () => askForCode(ctx, ask, browser), { account: provider.name });
      return wantsHtml(request) ? reply.redirect('/sign-in/code', 303) : { ok: true, message: SENT };
    },
  );

  app.get('/sign-out/oidc', async (_request, reply) => {
    const address = await provider.signOutAddress();
    if (address === undefined) return reply.redirect('/', 303);
    return sendHtml(reply, signedOutPage({ name: provider.name, address }));
  });

  async function comeBack(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { state } = request.query as z.output<typeof callbackQuery>;
    const browser = askingBrowser(ctx, request);
    const flow = state && browser ? await takeFlow(ctx, state, browser) : undefined;
    if (!flow || !state) throw new AppError(401, `Signing in with ${provider.name} did not work`);
    if (flow.sudo_session !== null)
      return confirm(ctx, provider, { request, reply, flow, search: searchOf(request), state });
    const account = await provider.finish(searchOf(request), { ...flow, state });
    const arrived = await arrive(ctx, flow, account, {
      person: findSignedIn(ctx, request)?.person.id,
      device: deviceOf(request),
      actor: actorOf(request, ctx.now),
    });
    if (arrived.kind === 'unknown') return reply.redirect('/sign-in/oidc/link', 303);
    if (arrived.kind === 'linked') {
      if (arrived.isNew)
        mailNotice(ctx, request, [arrived.person], 'account-notice', {
          account: ctx.config.OIDC_NAME,
          isLinked: true,
        });
      return reply.redirect('/me/oidc?done=added', 303);
    }
    if (arrived.linked !== undefined)
      mailNotice(ctx, request, [arrived.linked], 'account-notice', {
        account: ctx.config.OIDC_NAME,
        isLinked: true,
      });
    setSessionCookie(ctx, request, reply, arrived.token, arrived.stay);
    return reply.redirect(pathOnward(arrived.next), 303);
  }

  /** Responds to a refusal with a page that links to the other ways to sign in. */
  async function orRefused(
    request: FastifyRequest,
    reply: FastifyReply,
    work: () => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AppError) || !wantsHtml(request)) throw error;
      return sendHtml(reply, oidcRefusedPage({ club: club(), message: error.message }), error.statusCode);
    }
  }

  function linkAgain(request: FastifyRequest, { errors, entered }: RefusedForm) {
    const account = findKeptAccount(ctx, askingBrowser(ctx, request))?.email ?? null;
    const email = typeof entered.email === 'string' ? entered.email : '';
    return oidcLinkPage({ club: club(), name: provider.name, account, email, errors });
  }
}

/** The unparsed query of a request, with its question mark. */
const searchOf = ({ url }: FastifyRequest): string => {
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at);
};
