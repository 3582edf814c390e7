import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { databaseBusy } from '#kernel/http/database-busy.ts';
import { errorPage, usualMessage } from '#views/error.ts';
import { madePage } from '#views/made.ts';
import { sudoPage } from '#views/people/sudo.ts';
import { sudoTarget } from './kernel/access/sudo.ts';
import { kept } from './kernel/cache.ts';
import { MINUTE, SECOND } from './kernel/clock.ts';
import type { Context } from './kernel/context.ts';
import { isBusyError, isDiskError } from './kernel/db/writes.ts';
import type { Html } from './kernel/html.ts';
import { AppError, type ErrorJson } from './kernel/http/errors.ts';
import { accepts, isForm, wantsHtml } from './kernel/http/http.ts';
import { ToldMade } from './kernel/http/once.ts';
import { sendHtml } from './kernel/http/pages.ts';
import { t } from './kernel/language/message.ts';
import { momentInWords } from './kernel/language/times.ts';
import type { Words } from './kernel/language/words.ts';
import type { Code } from './kernel/messages/messages.ts';
import { waysToConfirm } from './people/sudo.ts';

/** Retry-After when the disk refused a write, in seconds. */
const RETRY_DISK_S = 30;

/** Answers a request that was refused or failed. A form gets its page again or a redirect, if its route defines one. */
export async function answerRefusal(
  ctx: Context,
  thrown: FastifyError | AppError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const error = writeRefusal(ctx, thrown, request) ?? thrown;
  const location = refusedLocation(error, request);
  if (location !== undefined) return reply.redirect(location, 303);
  try {
    const page = await showRefusedForm(error, request, reply);
    if (page) return sendHtml(reply.header('cache-control', 'no-store'), page, error.statusCode);
  } catch (failure) {
    return answerError(ctx, failure as Error, request, reply);
  }
  return answerError(ctx, error, request, reply);
}

/** By what is said: a full disk, on which the log may lie too, is not filled with a stack a request. */
const SAID = kept<boolean>({ age: MINUTE });

function logOnceAMinute({ cache, log }: Context, details: { id: string; err: Error }, what: string): void {
  cache.get(SAID, what, () => {
    log.error(details, what);
    return true;
  });
}

/**
 * Makes the 503 for a write that the disk or another process did not let through: nothing of the request was stored,
 * and the client can retry it. @returns undefined for other errors
 */
function writeRefusal(ctx: Context, err: Error, { id }: FastifyRequest): AppError | undefined {
  if (isBusyError(err)) {
    logOnceAMinute(ctx, { id, err }, 'request failed: another process locks the database');
    return databaseBusy();
  }
  if (!isDiskError(err)) return undefined;
  logOnceAMinute(ctx, { id, err }, 'request failed: the disk refused the write');
  const code = err.code === 'SQLITE_FULL' ? 'disk_full' : 'disk_refuses';
  return new AppError(503, code, {}, { extra: { retryAfter: RETRY_DISK_S } });
}

/** Where a form refused with a 400 redirects to; undefined if its route has no address or the client accepts JSON. */
function refusedLocation(error: FastifyError | AppError, request: FastifyRequest): string | undefined {
  if (error.statusCode !== 400 || !isForm(request) || accepts(request, 'application/json')) return undefined;
  const errors = error instanceof AppError ? error.errors : undefined;
  return request.routeOptions.config.refusedLocation?.(errors ?? []);
}

/** Renders the page of a refused form with its errors; undefined if the route has no such page. */
async function showRefusedForm(
  error: FastifyError | AppError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Html | undefined> {
  const { refused, refusedStatuses = [400] } = request.routeOptions.config;
  const { entered } = request;
  if (!refused || !entered || !wantsHtml(request)) return undefined;
  if (!(error instanceof AppError) || !refusedStatuses.includes(error.statusCode)) return undefined;
  // The sudo page keeps the fields itself; what is made already has a page of its own.
  if (error.extra?.sudo || error.code === 'once_made') return undefined;
  const { statusCode: status, errors = [] } = error;
  // Somebody else has removed it while the form was open.
  const usual = status === 404 ? t('errors.page.not_there') : usualMessage(status);
  const message = error.formText ?? usual;
  const page = await refused(request, { error, status, message, errors, entered }, reply);
  setRetryAfter(reply, error);
  return page;
}

/** Sets Retry-After if the error contains one. @returns its seconds */
function setRetryAfter(reply: FastifyReply, error: Error): number | undefined {
  const retryAfter = error instanceof AppError ? error.extra?.retryAfter : undefined;
  if (typeof retryAfter !== 'number') return undefined;
  reply.header('retry-after', retryAfter);
  return retryAfter;
}

/** The codes of what the server refuses before any route reads it, by status: the sentence is the server’s. */
const UNREAD: Readonly<Record<number, Code>> = { 413: 'body_too_large', 415: 'unsupported_media_type' };

const answerOf = (code: Code): ErrorJson => AppError.of(400, { code, params: {} }).answer;

/** The time of the retry in words, rounded up to the full minute. */
function retryTime(ctx: Context, seconds: number): Words {
  const at = Math.ceil((ctx.now() + seconds * SECOND) / MINUTE) * MINUTE;
  return momentInWords(at, ctx.now(), ctx.config.TIME_ZONE);
}

/** Answers every error, as JSON or as a page. An unexpected error is logged, and only the request's id is shown. */
export function answerError(
  ctx: Context,
  error: Error & { statusCode?: number },
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const status = error.statusCode ?? 500;
  const refusal = error instanceof AppError ? error : undefined;
  const expected = status < 500 || refusal !== undefined;
  if (!expected) ctx.log.error({ id: request.id, err: error }, 'request failed');
  const extra = refusal?.extra;
  const retryAfter = setRetryAfter(reply, error);

  // A route may have allowed caching before it failed.
  reply.header('cache-control', 'no-store');
  // A refused WebSocket upgrade: its connection has left HTTP and cannot be used further.
  if ('upgrade' in request.raw && request.raw.upgrade) reply.raw.once('finish', () => request.raw.destroy());

  if (extra?.sudo && wantsHtml(request))
    return sendHtml(
      reply,
      sudoPage({ ...sudoTarget(request), ...waysToConfirm(ctx, request.session) }),
      status,
    );
  if (extra?.made instanceof ToldMade && wantsHtml(request)) {
    const { identity, viewer = identity } = request;
    const page = madePage({ made: extra.made.made, message: refusal?.formText, identity, viewer });
    return sendHtml(reply, page, status);
  }
  if (wantsHtml(request) && status !== 401) {
    const message = refusal?.formText;
    const { id: requestId, identity, viewer = identity } = request;
    const area = identity ? 'staff' : viewer ? 'officer' : 'voter';
    const retryAt = retryAfter === undefined ? undefined : retryTime(ctx, retryAfter);
    return sendHtml(
      reply,
      errorPage({ status, message, requestId, retryAfter, retryAt, area, viewer }),
      status,
    );
  }
  const unexpected: ErrorJson = expected
    ? { ...answerOf(UNREAD[status] ?? 'invalid_request'), error: error.message }
    : { ...answerOf('internal_error'), message: request.id };
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(refusal?.answer ?? unexpected);
}
