import type { FastifyError } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { AppError } from '#kernel/http/errors.ts';
import { type App, actorOf, answerDone, isForm, wantsHtml } from '#kernel/http/http.ts';
import { Id } from '#kernel/ids.ts';
import { clearManualResults, ManualResultsInput, setManualResults } from '#voting/counting/manual-results.ts';
import { bodyOf, readEntry } from '#voting/counting/manual-results-entry.ts';

const params = z.object({ id: Id });

const CODES: Record<number, string> = {
  400: 'VALIDATION_ERROR',
  404: 'NOT_FOUND',
  413: 'BODY_TOO_LARGE',
  415: 'UNSUPPORTED_CONTENT_TYPE',
  500: 'INTERNAL_ERROR',
};

/** Certified results. Their errors have an envelope of their own: `{ ok: false, error, code }`. */
export async function manualResults(app: App, { ctx }: { ctx: Context }): Promise<void> {
  app.setErrorHandler((error: FastifyError | AppError, request, reply) => {
    const status = error.statusCode ?? 500;
    const code = CODES[status];
    if (wantsHtml(request) || !code) throw error;
    if (status === 500) ctx.log.error({ id: request.id, err: error }, 'request failed');
    const message = status === 500 ? 'Internal server error' : error.message;
    const errors = 'errors' in error ? { errors: error.errors } : {};
    return reply.code(status).send({ ok: false, error: message, code, ...errors });
  });

  app.put(
    '/elections/:id/manual-results',
    {
      config: { section: 'manual-results' },
      schema: { params, body: ManualResultsInput },
      // The editor always shows a few empty rows; they are not part of the results.
      preValidation: async (request) => {
        if (isForm(request)) request.body = bodyOf(readEntry(request.entered ?? {})) as never;
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      await setManualResults(ctx, id, request.body, actorOf(request, ctx.now));
      return answerDone(
        request,
        reply,
        { ok: true, results_mode: 'manual' },
        `/admin/elections/${id}?done=manual-set#results`,
      );
    },
  );

  app.delete(
    '/elections/:id/manual-results',
    { config: { section: 'manual-results' }, schema: { params } },
    async (request, reply) => {
      const { id } = request.params;
      await clearManualResults(ctx, id, actorOf(request, ctx.now));
      return answerDone(
        request,
        reply,
        { ok: true, results_mode: 'computed' },
        `/admin/elections/${id}?done=manual-cleared#results`,
      );
    },
  );
}
