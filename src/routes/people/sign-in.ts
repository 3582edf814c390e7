import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { pathOnward } from '#kernel/access/path-onward.ts';
import { deviceOf, findSignedIn, setSessionCookie } from '#kernel/access/sessions.ts';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import { AppError, fieldError } from '#kernel/http/errors.ts';
import { type App, noStore, type RefusedForm, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { emailAddress, flag, REQUIRED_TEXT } from '#kernel/http/validation.ts';
import { clubName } from '#kernel/mail/message.ts';
import { coded } from '#kernel/messages/messages.ts';
import { askingBrowser, ensureAskingBrowser, keepLink, keptLink } from '#people/browser.ts';
import { mailNotice } from '#people/notices.ts';
import { providerName } from '#people/oidc/provider.ts';
import { offersPasskeys } from '#people/passkeys/relying-party.ts';
import { signInByRecoveryCode } from '#people/recovery-codes.ts';
import {
  askForCode,
  choosePerson,
  findAskedAddress,
  listChoices,
  type Proved,
  signInByCode,
} from '#people/sign-in.ts';
import { limitAsks } from '#people/sign-in-limits.ts';
import { describeSignIn, findByLink, isAsker, signInByLink } from '#people/sign-in-links.ts';
import { codePage, linkPage, recoveryPage, signInPage, whoPage } from '#views/people/sign-in.ts';
import { mailCode, SENT } from './mail-code.ts';

const nextQuery = z.object({ next: z.string().max(2_000).optional().catch(undefined) });
const linkQuery = z.object({ t: z.string().optional().catch('') });
const stay = flag.optional().default(false);
const code = z.string(REQUIRED_TEXT).max(64, coded('too_long', { max: 64 }));
const AskBody = z.object({
  email: emailAddress,
  next: z.string().max(2_000).optional().catch(undefined),
  stay,
});
const CodeBody = z.object({ code, stay });
/** Without `t` it is the link that this browser has opened. */
const LinkBody = z.object({ t: z.string(REQUIRED_TEXT).max(200).optional(), code: code.optional(), stay });
const RecoveryBody = z.object({ email: emailAddress, code });
const WhoBody = z.object({ person_id: z.string(REQUIRED_TEXT).max(64), stay });

/** Routes for signing in by a mailed code or link, or by a recovery code. */
export function signIn(app: App, { ctx }: { ctx: Context }): void {
  const club = () => clubName(ctx.config);
  const provider = () => providerName(ctx);

  app.get('/sign-in', { schema: { querystring: nextQuery } }, async (request, reply) => {
    const next = pathOnward(request.query.next);
    if (findSignedIn(ctx, request)) return reply.redirect(next, 303);
    return sendHtml(
      reply,
      signInPage({ club: club(), next, passkeys: offersPasskeys(ctx), provider: provider() }),
    );
  });

  app.post(
    '/sign-in',
    {
      config: { refused: (_request, refused) => askAgain(refused) },
      bodyLimit: 8 * 1024,
      schema: { body: AskBody, summary: 'Ask for a sign-in code by mail' },
    },
    async (request, reply) => {
      limitAsks(ctx, request.client);
      const { email, next, stay } = request.body;
      const browser = ensureAskingBrowser(ctx, request, reply);
      // The mail is sent after the response, which is the same for known and unknown addresses.
      await mailCode(ctx, request, () => askForCode(ctx, { email, next: next ?? null, stay }, browser));
      return wantsHtml(request) ? reply.redirect('/sign-in/code', 303) : { ok: true, message: SENT };
    },
  );

  app.get('/sign-in/code', async (request, reply) => {
    const email = askedAddress(request);
    if (email === undefined) return reply.redirect('/sign-in', 303);
    return sendHtml(reply, codePage({ club: club(), email }));
  });

  app.post(
    '/sign-in/code',
    {
      config: { proofInBody: true, refused: (request, refused) => codeAgain(request, refused) },
      bodyLimit: 4 * 1024,
      schema: { body: CodeBody, summary: 'Sign in with a mailed code' },
    },
    (request, reply) =>
      prove(
        request,
        reply,
        () => signInByCode(ctx, request.body.code, proofOf(request, request.body.stay)),
        () => codeAgain(request),
      ),
  );

  app.get('/sign-in/who', async (request, reply) => {
    const people = listChoices(ctx, askingBrowser(ctx, request));
    if (people.length === 0) return reply.redirect('/sign-in', 303);
    return sendHtml(reply, whoPage({ people }));
  });

  app.post(
    '/sign-in/who',
    {
      config: { proofInBody: true },
      bodyLimit: 4 * 1024,
      schema: { body: WhoBody, summary: 'Choose among the people of a shared address' },
    },
    (request, reply) =>
      prove(request, reply, () =>
        choosePerson(ctx, request.body.person_id, proofOf(request, request.body.stay)),
      ),
  );

  app.get('/sign-in/recovery', async (_request, reply) => sendHtml(reply, recoveryPage({ club: club() })));

  app.post(
    '/sign-in/recovery',
    {
      config: {
        refused: (_request, { errors, entered }) =>
          recoveryPage({ club: club(), errors, email: String(entered.email ?? '') }),
      },
      bodyLimit: 4 * 1024,
      schema: { body: RecoveryBody, summary: 'Sign in with a recovery code' },
    },
    (request, reply) => {
      limitAsks(ctx, request.client);
      const { email } = request.body;
      const bySheet = async (): Promise<Proved> => {
        const { device, actor } = proofOf(request, false);
        const token = await signInByRecoveryCode(ctx, request.body, device, actor);
        return { token, next: null, stay: false };
      };
      const errors = [fieldError('code', 'code_does_not_fit')];
      return prove(request, reply, bySheet, () => recoveryPage({ club: club(), errors, email }));
    },
  );

  app.get(
    '/sign-in/link',
    { onRequest: noStore, schema: { querystring: linkQuery } },
    async (request, reply) => {
      const { t } = request.query;
      // The secret leaves the address at once: the page has it in a cookie, and its form is sent with an origin.
      if (t !== undefined) {
        keepLink(ctx, request, reply, t);
        return reply.header('referrer-policy', 'no-referrer').redirect('/sign-in/link', 303);
      }
      const page = pageOfLink(request, keptLink(ctx, request));
      return page ? sendHtml(reply, page) : sendHtml(reply, deadLink(), 401);
    },
  );

  app.post(
    '/sign-in/link',
    {
      bodyLimit: 4 * 1024,
      schema: { body: LinkBody, summary: 'Sign in with a mailed link' },
    },
    (request, reply) => {
      const { t = keptLink(ctx, request), code, stay } = request.body;
      const own = askingBrowser(ctx, request) ?? ensureAskingBrowser(ctx, request, reply);
      const proof = { ...proofOf(request, stay), browser: own };
      return prove(
        request,
        reply,
        () => signInByLink(ctx, { t, code }, proof),
        () => pageOfLink(request, t, true) ?? deadLink(),
      );
    },
  );

  const deadLink = () => linkPage({ club: club(), state: 'dead' });

  function askAgain({ errors, entered }: RefusedForm) {
    const text = (value: unknown) => (typeof value === 'string' ? value : '');
    const next = pathOnward(entered.next);
    const passkeys = offersPasskeys(ctx);
    return signInPage({
      club: club(),
      next,
      passkeys,
      provider: provider(),
      errors,
      email: text(entered.email),
    });
  }

  function codeAgain(request: FastifyRequest, refused?: RefusedForm) {
    const errors = refused?.errors ?? [fieldError('code', 'code_does_not_fit_mail')];
    return codePage({ club: club(), email: askedAddress(request) ?? '', errors });
  }

  function pageOfLink(request: FastifyRequest, t: string, wrong = false) {
    const row = findByLink(ctx, t);
    if (!row) return undefined;
    const alone = row.link_alone === 1 || isAsker(row, askingBrowser(ctx, request));
    const state = alone ? 'asker' : 'elsewhere';
    return linkPage({ club: club(), state, email: describeSignIn(ctx.db, row), wrong });
  }

  /** The address that was last entered in this browser. */
  function askedAddress(request: FastifyRequest): string | undefined {
    const browser = askingBrowser(ctx, request);
    return browser === undefined ? undefined : findAskedAddress(ctx, browser);
  }

  function proofOf(request: FastifyRequest, stay: boolean) {
    const browser = askingBrowser(ctx, request);
    return { browser, stay, device: deviceOf(request), actor: actorOf(request, ctx.now) };
  }

  /** Responds with the outcome of a proof; a refused form gets its page again. */
  async function prove(
    request: FastifyRequest,
    reply: FastifyReply,
    check: () => Promise<Proved>,
    again?: () => Parameters<typeof sendHtml>[1],
  ): Promise<unknown> {
    const isForm = wantsHtml(request);
    try {
      const proved = await check();
      if ('choose' in proved)
        return isForm ? reply.redirect('/sign-in/who', 303) : { ok: true, choose: proved.choose };
      if (proved.linked !== undefined)
        mailNotice(ctx, request, [proved.linked], 'account-notice', {
          account: ctx.config.OIDC_NAME,
          isLinked: true,
        });
      setSessionCookie(ctx, request, reply, proved.token, proved.stay);
      const next = pathOnward(proved.next);
      return isForm ? reply.redirect(next, 303) : { ok: true, next };
    } catch (error) {
      if (!isForm || !again || !(error instanceof AppError) || error.statusCode !== 401) throw error;
      return sendHtml(reply, again(), 401);
    }
  }
}
