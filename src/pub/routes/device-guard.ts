import type { onRequestHookHandler } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { AppError } from '#kernel/errors.ts';
import { header } from '#kernel/http.ts';
import { sameSecret } from '#kernel/secrets.ts';

/**
 * The guard of the capture device's routes: NOW_PLAYING_INGEST_TOKEN as a bearer token, else 401. While none is set
 * everyone may use them, which is said in the log once.
 */
export function deviceGuard(ctx: Context): onRequestHookHandler {
  const expected = ctx.config.NOW_PLAYING_INGEST_TOKEN;
  return (request, reply, done) => {
    if (expected === undefined) {
      if (!warned.has(ctx))
        ctx.log.warn('NOW_PLAYING_INGEST_TOKEN is not set: anyone can act as the capture device');
      warned.add(ctx);
      done();
      return;
    }
    const given = /^bearer +(.+)$/i.exec(header(request, 'authorization') ?? '')?.[1];
    if (given !== undefined && sameSecret(given, expected)) {
      done();
      return;
    }
    reply.header('www-authenticate', 'Bearer');
    const message = 'Send NOW_PLAYING_INGEST_TOKEN as a bearer token.';
    done(new AppError(401, 'Authentication required', { extra: { message } }));
  };
}

const warned = new WeakSet<Context>();

/** A hook that plays a missing database binding: 503 with the specified text while SETLIST_DB is off. */
export function needsSetlist(ctx: Context): onRequestHookHandler {
  return (_request, reply, done) => {
    if (ctx.config.SETLIST_DB) {
      done();
      return;
    }
    reply
      .code(503)
      .headers({ 'retry-after': 60, 'cache-control': 'no-store' })
      .type('text/plain; charset=utf-8')
      .send('SETLIST_DB binding not configured');
  };
}
