import type { FastifyReply, FastifyRequest } from 'fastify';
import { pathOnward } from '#kernel/access/path-onward.ts';
import { findSignedIn, renewSession, setSessionCookie } from '#kernel/access/sessions.ts';
import { sudoTarget } from '#kernel/access/sudo.ts';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { recordAudit } from '#kernel/db/audit.ts';
import { AppError } from '#kernel/http/errors.ts';
import { type App, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { ensureAskingBrowser } from '#people/browser.ts';
import {
  type Flow,
  findInterrupted,
  type Interrupted,
  newFlowSecrets,
  storeFlow,
} from '#people/oidc/flows.ts';
import { findLink } from '#people/oidc/links.ts';
import type { OpenIdProvider } from '#people/oidc/provider.ts';
import { confirmedPage, goToProviderPage } from '#views/people/oidc.ts';
import { actorOfPerson, requireSignedIn, requireWriter } from './signed-in.ts';

/** Maximum size of an interrupted form that is stored meanwhile, in characters of JSON. */
const KEPT_AT_MOST = 100_000;

/** Routes for the fresh proof (sudo) at the OpenID provider. */
export function sudoOidc(app: App, { ctx, provider }: { ctx: Context; provider: OpenIdProvider }): void {
  app.post('/me/sudo/oidc', async (request, reply) => {
    const { session } = requireWriter(ctx, request);
    const interrupted = interruptedBy(request);
    const secrets = newFlowSecrets();
    const { href: address } = await provider.begin(secrets, { freshly: true });
    const browser = ensureAskingBrowser(ctx, request, reply);
    await storeFlow(ctx, browser, secrets, { confirms: { session: session.id, interrupted } });
    if (!wantsHtml(request)) return { ok: true, address };
    const lede = 'Sign in there once more; then what you were doing goes on.';
    return sendHtml(reply, goToProviderPage({ name: provider.name, address, lede }));
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
export async function confirm(
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
    throw new AppError(401, 'This is not the account of whoever is signed in');
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
  if (JSON.stringify(fields).length > KEPT_AT_MOST)
    throw new AppError(413, 'There is too much in this form to keep meanwhile: confirm it another way');
  // Sent directly, not from the page of an interrupted request: there is nothing to repeat.
  return to.startsWith('/me/sudo')
    ? { to: '/me', method: 'GET', fields: {} }
    : { to: pathOnward(to), method, fields };
}
