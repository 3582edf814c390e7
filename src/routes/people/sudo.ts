import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type SignedIn, setSessionCookie } from '#kernel/access/sessions.ts';
import { sudoTarget } from '#kernel/access/sudo.ts';
import type { Context } from '#kernel/context.ts';
import { AppError } from '#kernel/http/errors.ts';
import { type App, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { coded } from '#kernel/messages/messages.ts';
import { askingBrowser } from '#people/browser.ts';
import { mailNotice } from '#people/notices.ts';
import { limitAsks } from '#people/sign-in-limits.ts';
import { askForSudoCode, confirmByCode, confirmByPasskey, waysToConfirm } from '#people/sudo.ts';
import { sudoPage } from '#views/people/sudo.ts';
import { mailCode } from './mail-code.ts';
import { actorOfPerson, requireWriter } from './signed-in.ts';

const typed = z
  .string()
  .max(64, coded('too_long', { max: 64 }))
  .optional();
/** `code` and `credential` are for JSON; pages use the prefix, because an interrupted form may have such fields too. */
const SudoBody = z.object({
  code: z.unknown().optional(),
  credential: z.unknown().optional(),
  sudo_code: typed,
  sudo_credential: z.string().optional(),
});

/** Routes for the fresh proof (sudo) before a dangerous act. */
export function sudo(app: App, { ctx }: { ctx: Context }): void {
  app.post('/me/sudo/code', async (request, reply) => {
    const { session } = requireWriter(ctx, request);
    limitAsks(ctx, request.client);
    const isPage = wantsHtml(request);
    const ways = waysToConfirm(ctx, session);
    if (isPage && ways.address === undefined)
      return sendHtml(reply, sudoPage({ ...sudoTarget(request), ...ways }), 409);
    await mailCode(ctx, request, () => askForSudoCode(ctx, session), { forSignIn: false });
    return isPage ? sendHtml(reply, sudoPage({ ...sudoTarget(request), ...ways, sent: true })) : { ok: true };
  });

  app.post('/me/sudo', { schema: { body: SudoBody } }, async (request, reply) => {
    const signedIn = requireWriter(ctx, request);
    const { session } = signedIn;
    const isPage = wantsHtml(request);
    const proof = proofOf(request.body);
    try {
      const token =
        'credential' in proof
          ? await byPasskey(request, signedIn, proof.credential)
          : await confirmByCode(ctx, session, proof.code, actorOfPerson(ctx, request, signedIn));
      setSessionCookie(ctx, request, reply, token, session.stay === 1);
    } catch (error) {
      if (!isPage || !(error instanceof AppError) || error.statusCode !== 401) throw error;
      const wrong = 'credential' in proof ? 'passkey' : 'code';
      const again = { ...sudoTarget(request), ...waysToConfirm(ctx, session), wrong } as const;
      return sendHtml(reply, sudoPage(again), 401);
    }
    if (!isPage) return { ok: true };
    // 307 keeps method and fields, so that the browser repeats the interrupted request.
    const { to, method } = sudoTarget(request);
    return reply.redirect(to, method === 'GET' ? 303 : 307);
  });

  function byPasskey(request: FastifyRequest, signedIn: SignedIn, credential: unknown): Promise<string> {
    return confirmByPasskey(ctx, signedIn.session, {
      credential,
      browser: askingBrowser(ctx, request),
      actor: actorOfPerson(ctx, request, signedIn),
      onCopied: (personId) =>
        mailNotice(ctx, request, [personId], 'passkey-notice', { news: { is: 'copied' } }),
    });
  }
}

/** The fields of the confirmation page take precedence over those of the interrupted form. */
function proofOf(body: z.output<typeof SudoBody>): { credential: unknown } | { code: string } {
  const { sudo_credential, sudo_code, credential, code } = body;
  if (sudo_credential) return { credential: sudo_credential };
  if (sudo_code === undefined && sudo_credential === undefined && credential) return { credential };
  const given = sudo_code ?? code;
  return { code: typeof given === 'string' ? given : '' };
}
