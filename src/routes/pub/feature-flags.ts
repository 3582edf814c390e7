import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { notFound } from '#kernel/http/errors.ts';
import { wantsHtml } from '#kernel/http/http.ts';
import { isOn, type Part, type PartsContext } from '#kernel/settings/parts.ts';

type CodeOfPart =
  | 'setlist_page_off'
  | 'screenings_off'
  | 'requests_off'
  | 'song_requests_off'
  | 'sports_off'
  | 'now_showing_off'
  | 'feedback_off';

/** The answer of a route whose feature is off: additional keys of the JSON, and the code of the page's sentence. */
interface Disabled {
  json?: Record<string, unknown>;
  code: CodeOfPart;
}

/** Returns an onRequest hook that answers 404 while a part is off: `{ enabled: false, … }`, or a page. */
export function whenOn(ctx: PartsContext, part: Part, disabled: Disabled): onRequestHookHandler {
  return (request, reply, done) => {
    if (isOn(ctx, part)) return done();
    sendDisabled(request, reply, disabled);
  };
}

/** Sends the same answer, for routes where only the handler knows whether the feature is on. */
export function sendDisabled(
  request: FastifyRequest,
  reply: FastifyReply,
  { json = {}, code }: Disabled,
): FastifyReply {
  if (wantsHtml(request)) return reply.send(notFound(code));
  return reply
    .code(404)
    .header('cache-control', 'no-store')
    .send({ enabled: false, ...json });
}
