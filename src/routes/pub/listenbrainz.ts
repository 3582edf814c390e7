import type {
  FastifyError,
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
  onRequestHookHandler,
} from 'fastify';
import { isToken, needsToken, senderToken } from '#kernel/access/sender-tokens.ts';
import { countWrongKey, refuseOtherKey } from '#kernel/access/wrong-keys.ts';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { AppError, badRequest, tooManyRequests } from '#kernel/http/errors.ts';
import { type App, header, noStore } from '#kernel/http/http.ts';
import { guardedBy } from '#kernel/http/route-table.ts';
import { clubName } from '#kernel/mail/message.ts';
import { sentence } from '#kernel/messages/messages.ts';
import { inflateBody } from '#pub/plays/inflate.ts';
import { DOCUMENT_BYTES, parseSubmission } from '#pub/plays/listens.ts';
import { submitListens } from '#pub/plays/submit.ts';
import { isOwnSender } from './device-guard.ts';

/** Requests per client and window; clients slow down according to the rate limit headers. */
const REQUESTS = 300;
const WINDOW = 10 * SECOND;

/** The ListenBrainz protocol, with which players report what they play and have played. */
export function listenBrainz(app: App, { ctx }: { ctx: Context }): void {
  app.addHook('onRoute', guardedBy('device'));
  app.addHook('onRequest', noStore);
  app.addHook('onRequest', allowAnyPage);
  app.addHook('onRequest', async (request, reply) => showAllowance(ctx, request, reply));
  app.setErrorHandler((error: FastifyError | AppError, request, reply) =>
    sendError(ctx, error, request, reply),
  );
  // The protocol ignores the content type and parses the bytes as JSON.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request: FastifyRequest, body: Buffer) =>
    inflateBody(body, header(request, 'content-encoding'), DOCUMENT_BYTES),
  );

  app.post(
    '/api/listenbrainz/1/submit-listens',
    {
      bodyLimit: DOCUMENT_BYTES,
      onRequest: submitGuard(ctx),
      schema: { summary: 'What a player plays or has played, in the ListenBrainz protocol' },
    },
    async (request) => {
      if (!ctx.config.SETLIST_DB) throw new AppError(503, 'setlist_off');
      const body = request.body instanceof Buffer ? request.body : Buffer.alloc(0);
      await submitListens(ctx, parseSubmission(body, ctx.now()));
      return { status: 'ok' };
    },
  );

  for (const url of ASKED_BY_PAGES)
    app.route({
      method: 'OPTIONS',
      url,
      schema: { hide: true },
      handler: (_request, reply) => reply.code(204).headers(PREFLIGHT).send(),
    });

  const schema = { summary: 'Whether a player has the right token' };
  app.get('/api/listenbrainz/1/validate-token', { schema }, async (request) => {
    const { token: inQuery } = request.query as Record<string, unknown>;
    const token = senderToken(request) ?? (typeof inQuery === 'string' ? inQuery : undefined);
    if (!token) throw badRequest('authorization_token_missing');
    if (await isAccepted(ctx, request, token)) {
      const user_name = clubName(ctx.config);
      return { code: 200, message: 'Token valid.', valid: true, user_name };
    }
    return { code: 200, message: 'Token invalid.', valid: false };
  });
}

/** The addresses of which browsers ask whether a page of another site may use them. */
const ASKED_BY_PAGES = [
  '/api/listenbrainz/1/submit-listens',
  '/api/listenbrainz/1/validate-token',
  '/api/now-playing/ingest',
];

/** Players that run in a page of another site report too, as the protocol allows: with their token, never a cookie. */
export const allowAnyPage: onRequestHookHandler = (_request, reply, done) => {
  reply.headers({
    'access-control-allow-origin': '*',
    'access-control-expose-headers':
      'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset-In, Retry-After',
  });
  done();
};

const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'Authorization, Content-Type, Content-Encoding',
  'access-control-max-age': 86_400,
};

function submitGuard(ctx: Context): onRequestAsyncHookHandler {
  return async (request) => {
    const token = senderToken(request);
    if (await isAccepted(ctx, request, token)) return;
    throw new AppError(
      401,
      !header(request, 'authorization')
        ? 'authorization_missing'
        : token === undefined
          ? 'authorization_invalid'
          : 'authorization_token_invalid',
    );
  };
}

async function isAccepted(
  ctx: Context,
  request: FastifyRequest,
  token: string | undefined,
): Promise<boolean> {
  if (!needsToken(ctx)) return isOwnSender(ctx, request);
  if (token !== undefined && isToken(ctx, 'player', token)) return true;
  refuseOtherKey(ctx, request, 'player');
  if (token !== undefined) await countWrongKey(ctx, request, 'NOW_PLAYING_INGEST_TOKEN');
  return false;
}

/** @throws 429 */
function showAllowance({ limiter, now }: Context, { client }: FastifyRequest, reply: FastifyReply): void {
  const { allowed, remaining, resetAt } = limiter.hit('listens', client, REQUESTS, WINDOW);
  reply.headers({
    'x-ratelimit-limit': REQUESTS,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset-in': Math.max(1, Math.ceil((resetAt - now()) / SECOND)),
    'x-ratelimit-reset': Math.ceil(resetAt / SECOND),
  });
  if (!allowed) throw tooManyRequests('listens_limit', resetAt - now());
}

/** Sends an error in the protocol's format: { code, error }. */
function sendError(
  ctx: Context,
  error: FastifyError | AppError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const tooLarge = error.statusCode === 413;
  const code = tooLarge ? 400 : (error.statusCode ?? 500);
  const expected = code < 500 || error instanceof AppError;
  if (!expected) ctx.log.error({ id: request.id, err: error }, 'request failed');
  const text = expected ? error.message : sentence('internal_error');
  const retry = error instanceof AppError ? error.extra?.retryAfter : undefined;
  if (typeof retry === 'number') reply.header('retry-after', retry);
  return reply
    .code(code)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send({
      code,
      error: tooLarge ? `Payload too large. It cannot exceed ${DOCUMENT_BYTES} bytes.` : text,
    });
}
