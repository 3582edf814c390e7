import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { pathOnward } from '#kernel/access/path-onward.ts';
import { deviceOf, findSignedIn, renewSession, setSessionCookie } from '#kernel/access/sessions.ts';
import { ensureSudo, sudoTarget } from '#kernel/access/sudo.ts';
import { isoTime, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { recordAudit } from '#kernel/db/audit.ts';
import { act, doneQuery } from '#kernel/http/act.ts';
import { actorOf } from '#kernel/http/client.ts';
import { AppError, notFound } from '#kernel/http/errors.ts';
import { type App, type RefusedForm, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { emailAddress, flag } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { formatInSentence } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { clubName } from '#kernel/mail/message.ts';
import { ownValue } from '#kernel/own-value.ts';
import { askingBrowser, ensureAskingBrowser } from '#people/browser.ts';
import { mailNotice } from '#people/notices.ts';
import {
  type Flow,
  findInterrupted,
  findKeptAccount,
  type Interrupted,
  newFlowSecrets,
  storeFlow,
  takeFlow,
} from '#people/oidc/flows.ts';
import { findLink, listLinks, unlinkAccount } from '#people/oidc/links.ts';
import { CALLBACK, type OpenIdProvider, providerName } from '#people/oidc/provider.ts';
import { arrive } from '#people/oidc/sign-in.ts';
import { askForCode } from '#people/sign-in.ts';
import { limitAsks } from '#people/sign-in-limits.ts';
import {
  accountsPage,
  confirmedPage,
  goToProviderPage,
  oidcLinkPage,
  oidcRefusedPage,
  signedOutPage,
} from '#views/people/oidc.ts';
import { mailCode, SENT } from './mail-code.ts';
import { actorOfPerson, requireSignedIn, requireWriter } from './signed-in.ts';

const startQuery = z.object({
  next: z.string().max(2_000).optional().catch(undefined),
  stay: flag.optional().default(false).catch(false),
});
const callbackQuery = z.object({ state: z.string().max(200).optional().catch(undefined) });
const LinkBody = z.object({ email: emailAddress });

/** @throws 404 while nobody can sign in at a provider */
export function ensureSetUp(provider: OpenIdProvider): void {
  if (!provider.isSetUp) throw notFound('not_found');
}

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
        throw new AppError(401, 'oidc_start_again', { provider: provider.name });
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
    if (!flow || !state) throw new AppError(401, 'oidc_refused', { provider: provider.name });
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
      return sendHtml(
        reply,
        oidcRefusedPage({ club: club(), message: error.pageText ?? error.message }),
        error.statusCode,
      );
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

const params = z.object({ id: Id });

const DONE: Record<string, Words> = {
  added: t('sign-in.oidc.added'),
  removed: t('sign-in.oidc.removed'),
};

/** Routes for a person's linked OpenID accounts. They can be removed even if no provider is configured any more. */
export function meOidc(app: App, { ctx, provider }: { ctx: Context; provider: OpenIdProvider }): void {
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
      since: formatInSentence(created_at, ctx.now(), ctx.config.TIME_ZONE),
    }));
    const done = ownValue(DONE, request.query.done);
    return sendHtml(reply, accountsPage({ name: providerName(ctx), links: shown, done }));
  });

  act(app, ctx, {
    both: 'POST /me/oidc',
    run: async ({ request, reply }) => {
      ensureSetUp(provider);
      const { person } = requireWriter(ctx, request);
      ensureSudo(ctx, request);
      const secrets = newFlowSecrets();
      const { href: address } = await provider.begin(secrets);
      const browser = ensureAskingBrowser(ctx, request, reply);
      await storeFlow(ctx, browser, secrets, { linkFor: person.id });
      return address;
    },
    json: (address) => ({ ok: true, address }),
    next: (address) =>
      goToProviderPage({
        name: provider.name,
        address,
        lede: t('sign-in.oidc.sign_in_there'),
      }),
  });

  act(app, ctx, {
    both: 'DELETE /me/oidc/:id',
    params,
    run: async ({ params: { id }, request }) => {
      const signedIn = requireWriter(ctx, request);
      ensureSudo(ctx, request);
      const actor = actorOfPerson(ctx, request, signedIn);
      await ctx.write((tx) => unlinkAccount(tx, id, signedIn.person.id, actor));
      mailNotice(ctx, request, [signedIn.person.id], 'account-notice', {
        account: ctx.config.OIDC_NAME,
        isLinked: false,
      });
    },
    next: '/me/oidc?done=removed',
  });
}

/** Maximum size of an interrupted form that is stored meanwhile, in characters of JSON. */
const KEPT_AT_MOST = 100_000;

/** Routes for the fresh proof (sudo) at the OpenID provider. */
export function sudoOidc(app: App, { ctx, provider }: { ctx: Context; provider: OpenIdProvider }): void {
  act(app, ctx, {
    both: 'POST /me/sudo/oidc',
    run: async ({ request, reply }) => {
      const { session } = requireWriter(ctx, request);
      const interrupted = interruptedBy(request);
      const secrets = newFlowSecrets();
      const { href: address } = await provider.begin(secrets, { freshly: true });
      const browser = ensureAskingBrowser(ctx, request, reply);
      await storeFlow(ctx, browser, secrets, { confirms: { session: session.id, interrupted } });
      return address;
    },
    json: (address) => ({ ok: true, address }),
    next: (address) => {
      const lede = t('sign-in.oidc.sign_in_again');
      return goToProviderPage({ name: provider.name, address, lede });
    },
  });

  app.get('/me/sudo/oidc', async (request, reply) => {
    const signedIn = requireSignedIn(ctx, request, reply);
    if (!signedIn) return reply;
    const interrupted = findInterrupted(ctx, signedIn.session.id);
    if (!interrupted) return reply.redirect('/me', 303);
    const { to, method, fields } = interrupted;
    return method === 'GET' ? reply.redirect(to, 303) : sendHtml(reply, confirmedPage({ to, fields }));
  });
}

/**
 * Confirms a session with a linked account of the same person, after a fresh authentication at the provider.
 * @throws 401 for another account or an old authentication
 */
async function confirm(
  ctx: Context,
  provider: OpenIdProvider,
  back: { request: FastifyRequest; reply: FastifyReply; flow: Flow; search: string; state: string },
): Promise<FastifyReply> {
  const { request, reply, flow, search, state } = back;
  // The provider's clock may differ: the library allows for that.
  const maxAge = Math.ceil((ctx.now() - flow.created_at) / SECOND);
  const account = await provider.finish(search, { ...flow, state }, { maxAge });
  const signedIn = findSignedIn(ctx, request);
  const link = findLink(ctx.db, account);
  if (!signedIn || signedIn.session.id !== flow.sudo_session || link?.person_id !== signedIn.person.id)
    throw new AppError(401, 'other_account');
  const token = await ctx.write((tx) => {
    const actor = actorOfPerson(ctx, request, signedIn);
    recordAudit(tx, actor, { action: 'session.confirmed', metadata: { method: 'oidc' } });
    return renewSession(tx, signedIn.session, ctx.now());
  });
  setSessionCookie(ctx, request, reply, token, signedIn.session.stay === 1);
  return reply.redirect('/me/sudo/oidc', 303);
}

/** Returns the request to repeat after the confirmation. @throws 413 when its form is too large to store */
function interruptedBy(request: FastifyRequest): Interrupted {
  const { to, method, entered } = sudoTarget(request);
  const fields: Interrupted['fields'] = {};
  for (const [name, value] of Object.entries(entered)) {
    const texts = [value].flat().filter((one) => typeof one === 'string');
    if (!name.startsWith('sudo_') && texts.length > 0) fields[name] = texts;
  }
  if (JSON.stringify(fields).length > KEPT_AT_MOST) throw new AppError(413, 'form_too_large_to_keep');
  // Sent directly, not from the page of an interrupted request: there is nothing to repeat.
  return to.startsWith('/me/sudo')
    ? { to: '/me', method: 'GET', fields: {} }
    : { to: pathOnward(to), method, fields };
}
