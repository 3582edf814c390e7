import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { notFound } from '#kernel/http/errors.ts';
import { wantsHtml } from '#kernel/http/http.ts';

/** What a route whose feature is switched off answers: further keys of the JSON, and the sentence of the page. */
interface Disabled {
  json?: Record<string, unknown>;
  words: string;
}

/** An onRequest hook before routes whose feature is switched off: 404 `{ enabled: false, … }`, or a page that says so. */
export function whenEnabled(enabled: boolean, disabled: Disabled): onRequestHookHandler {
  return (request, reply, done) => {
    if (enabled) return done();
    sendDisabled(request, reply, disabled);
  };
}

/** The same answer where only the handler knows. */
export function sendDisabled(
  request: FastifyRequest,
  reply: FastifyReply,
  { json = {}, words }: Disabled,
): FastifyReply {
  if (wantsHtml(request)) return reply.send(notFound(words));
  return reply
    .code(404)
    .header('cache-control', 'no-store')
    .send({ enabled: false, ...json });
}
