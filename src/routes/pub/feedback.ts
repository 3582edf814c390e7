import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type App, noStore } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { FeedbackInput, sendFeedback } from '#pub/feedback/feedback.ts';
import { feedbackPage, feedbackThanksPage } from '#views/pub/feedback.ts';
import { whenEnabled } from './feature-flags.ts';
import { identifyVisitor } from './visitor-cookie.ts';

const querystring = z.object({ sent: z.unknown().optional(), page: z.string().max(64).optional() });

/** The feedback box: JSON, and a form that works without script. */
export function feedback(app: App, { ctx }: { ctx: Context }): void {
  const { FEEDBACK_ENABLED: enabled } = ctx.config;
  const closed = whenEnabled(enabled, { words: 'The feedback box is closed.' });
  const closedPage = whenEnabled(enabled, { words: 'The feedback box is closed at the moment.' });

  app.post(
    '/api/feedback',
    {
      onRequest: [closed, noStore],
      bodyLimit: 8 * 1024,
      schema: { summary: 'Send feedback', body: FeedbackInput },
    },
    async (request, reply) => {
      await sendFeedback(ctx, identifyVisitor(ctx, request, reply), request.body);
      return { ok: true };
    },
  );

  for (const url of ['/feedback', '/feedback/']) {
    app.get(
      url,
      {
        config: { part: 'feedback' },
        onRequest: [closedPage, noStore],
        schema: { summary: 'The feedback box', querystring },
      },
      async (request, reply) => {
        identifyVisitor(ctx, request, reply);
        const { sent, page } = request.query;
        return sendHtml(
          reply,
          sent === undefined ? feedbackPage({ entered: { page } }) : feedbackThanksPage(),
        );
      },
    );

    app.post(
      url,
      {
        onRequest: [closedPage, noStore],
        config: refusedOn((_request, refused) => feedbackPage({ entered: refused.entered, refused })),
        bodyLimit: 32 * 1024,
        schema: { hide: true, body: FeedbackInput },
      },
      async (request, reply) => {
        await sendFeedback(ctx, identifyVisitor(ctx, request, reply), request.body);
        return reply.redirect('/feedback?sent=1', 303);
      },
    );
  }
}
