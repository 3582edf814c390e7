import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { pathOnward } from '#kernel/access/path-onward.ts';
import { deviceOf, setSessionCookie } from '#kernel/access/sessions.ts';
import { ensureSudo } from '#kernel/access/sudo.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { act } from '#kernel/http/act.ts';
import { actorOf } from '#kernel/http/client.ts';
import { AppError } from '#kernel/http/errors.ts';
import { type App, type RefusedForm, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { flag, requiredName } from '#kernel/http/validation.ts';
import { formatInSentence } from '#kernel/language/times.ts';
import { clubName } from '#kernel/mail/message.ts';
import { askingBrowser, ensureAskingBrowser } from '#people/browser.ts';
import { mailNotice } from '#people/notices.ts';
import { providerName } from '#people/oidc/provider.ts';
import { signInByPasskey, signInOptions } from '#people/passkeys/authenticate.ts';
import { listPasskeys, type Passkey, removePasskey } from '#people/passkeys/passkeys.ts';
import { addPasskey, ensureOffered, registrationOptions } from '#people/passkeys/register.ts';
import { offersPasskeys, relyingParty } from '#people/passkeys/relying-party.ts';
import { limitPasskeys } from '#people/sign-in-limits.ts';
import { browserWords } from '#views/people/me.ts';
import { newPasskeyPage, passkeysPage } from '#views/people/passkeys.ts';
import { signInPage } from '#views/people/sign-in.ts';
import { actorOfPerson, forgetCookie, requireSignedIn, requireWriter } from './signed-in.ts';

const LIST = '/me/passkeys';
const next = z.string().max(2_000).optional().catch(undefined);
const params = z.object({ id: z.string().max(1_400) });
const body = z.object({ credential: z.unknown().optional(), name: requiredName(100), next });

/** Routes for the passkeys of the signed-in person. */
export function passkeys(app: App, { ctx }: { ctx: Context }): void {
  app.get(LIST, async (request, reply) => {
    const signedIn = requireSignedIn(ctx, request, reply);
    if (!signedIn) return reply;
    const own = listPasskeys(ctx.db, signedIn.person.id);
    const offered = offersPasskeys(ctx);
    if (!wantsHtml(request)) return { offered, passkeys: own.map(passkeyJson) };
    return sendHtml(reply, passkeysPage({ offered, passkeys: own.map(passkeyRow) }));
  });

  app.get('/me/passkeys/new', { schema: { querystring: z.object({ next }) } }, async (request, reply) => {
    if (!requireSignedIn(ctx, request, reply)) return reply;
    ensureOffered(ctx);
    ensureSudo(ctx, request);
    return sendHtml(reply, newPasskeyPage({ ...named(request), next: onward(request.query.next) }));
  });

  app.post(
    '/me/passkeys/options',
    { bodyLimit: 4 * 1024, schema: { summary: 'What a browser needs to make a passkey' } },
    async (request, reply) => {
      const { person } = requireWriter(ctx, request);
      ensureSudo(ctx, request);
      return registrationOptions(ctx, person, ensureAskingBrowser(ctx, request, reply));
    },
  );

  act(app, ctx, {
    both: 'POST /me/passkeys',
    summary: 'Add a passkey',
    bodyLimit: 64 * 1024,
    body,
    refused: showAgain,
    refusedStatuses: [400, 409],
    run: async ({ body: { credential, name }, request }) => {
      const signedIn = requireWriter(ctx, request);
      ensureSudo(ctx, request);
      const { id } = signedIn.person;
      const actor = actorOfPerson(ctx, request, signedIn);
      await addPasskey(ctx, id, { credential, name }, askingBrowser(ctx, request), actor);
      mailNotice(ctx, request, [id], 'passkey-notice', { news: { is: 'added', name } });
    },
    next: (_, { body: { next } }) => onward(next),
  });

  act(app, ctx, {
    both: 'DELETE /me/passkeys/:id',
    params,
    run: async ({ params: { id }, request, reply }) => {
      const signedIn = requireWriter(ctx, request);
      ensureSudo(ctx, request);
      const { person, session } = signedIn;
      const name = await removePasskey(ctx, person.id, id, actorOfPerson(ctx, request, signedIn));
      mailNotice(ctx, request, [person.id], 'passkey-notice', { news: { is: 'removed', name } });
      if (session.passkey_id === id) forgetCookie(ctx, request, reply);
    },
    next: '/me/passkeys',
  });

  function passkeyRow({ id, name, created_at, used_at, backed_up, rp_id }: Passkey) {
    const when = (at: number) => formatInSentence(at, ctx.now(), ctx.config.TIME_ZONE);
    const elsewhere = rp_id === relyingParty(ctx.config)?.id ? null : rp_id;
    const times = { created: when(created_at), used: used_at === null ? null : when(used_at) };
    return { id, name, ...times, synced: backed_up === 1, elsewhere };
  }
}

/** The page after adding a passkey: the one that led here, or else the list. */
const onward = (path: string | undefined): string => (path ? pathOnward(path) : LIST);

/** The default name of a new passkey: the name of the browser. */
const named = (request: FastifyRequest) => ({ name: browserWords(deviceOf(request)) });

function showAgain(request: FastifyRequest, refused: RefusedForm) {
  const { name, next: to } = refused.entered;
  const path = typeof to === 'string' ? to : undefined;
  const typed = typeof name === 'string' ? { name } : named(request);
  return newPasskeyPage({ ...typed, next: onward(path), refused });
}

function passkeyJson({ id, name, created_at, used_at, backed_up, rp_id }: Passkey) {
  const times = { created_at: isoTime(created_at), used_at: used_at === null ? null : isoTime(used_at) };
  return { id, name, host: rp_id, synced: backed_up === 1, ...times };
}

/** `credential` is not validated here, so that an invalid one gets the same 401 as an unknown passkey. */
const SignInBody = z.object({
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
    { bodyLimit: 32 * 1024, schema: { body: SignInBody, summary: 'Sign in with a passkey' } },
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
