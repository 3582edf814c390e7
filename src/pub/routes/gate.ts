import type { onRequestHookHandler } from 'fastify';
import { notFound } from '#kernel/errors.ts';
import { wantsHtml } from '#kernel/http.ts';

/** An onRequest hook before routes whose feature is switched off: 404 `{ enabled: false, … }`, or a page that says so. */
export function whenEnabled(
  enabled: boolean,
  { json = {}, words }: { json?: Record<string, unknown>; words: string },
): onRequestHookHandler {
  return (request, reply, done) => {
    if (enabled) done();
    else if (wantsHtml(request)) done(notFound(words));
    else void reply.code(404).send({ enabled: false, ...json });
  };
}
