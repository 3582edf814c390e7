import { z } from 'zod';
import { deviceOf, setSessionCookie } from '#kernel/access/sessions.ts';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import { AppError, notFound } from '#kernel/http/errors.ts';
import { type App, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { emailAddress, REQUIRED_TEXT, requiredText } from '#kernel/http/validation.ts';
import { isSetUp, type SetUpCode, setUp } from '#people/set-up.ts';
import { FIRST_STEPS } from '#views/people/first-steps.ts';
import { setUpPage } from '#views/people/set-up.ts';

const body = z.object({
  code: z.string(REQUIRED_TEXT).max(64, 'must have at most 64 characters'),
  name: requiredText(200),
  email: emailAddress,
});

/** Makes the first owner, with the code that the start printed. Not there once anybody is an owner. */
export function setUpRoutes(app: App, { ctx, code }: { ctx: Context; code: SetUpCode }): void {
  app.get('/set-up', async (_request, reply) => {
    if (isSetUp(ctx)) throw notFound();
    return sendHtml(reply, setUpPage({}));
  });

  app.post(
    '/set-up',
    {
      config: {
        refused: (_request, { errors, entered }) => {
          if (isSetUp(ctx)) throw notFound();
          return setUpPage({ errors, entered });
        },
      },
      bodyLimit: 8 * 1024,
      schema: { body, summary: 'Make the first owner' },
    },
    async (request, reply) => {
      const isForm = wantsHtml(request);
      try {
        const actor = actorOf(request, ctx.now);
        const token = await setUp(ctx, code, request.body, deviceOf(request), actor);
        setSessionCookie(ctx, request, reply, token, true);
        return isForm ? reply.redirect(FIRST_STEPS, 303) : { ok: true, next: FIRST_STEPS };
      } catch (error) {
        if (!isForm || !(error instanceof AppError) || error.statusCode !== 403) throw error;
        const errors = [{ path: 'code', message: 'is not the one that the service printed at its start' }];
        return sendHtml(reply, setUpPage({ errors, entered: request.body }), 403);
      }
    },
  );
}
