import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { errorPage } from '#views/error.ts';
import { askedPage } from '#views/people/approvals.ts';
import { sudoPage } from '#views/people/sudo.ts';
import { sudoTarget } from './kernel/access/sudo.ts';
import { MINUTE, SECOND } from './kernel/clock.ts';
import type { Context } from './kernel/context.ts';
import { isDiskError } from './kernel/db/writes.ts';
import type { Html } from './kernel/html.ts';
import { AppError } from './kernel/http/errors.ts';
import { accepts, isForm, wantsHtml } from './kernel/http/http.ts';
import { sendHtml } from './kernel/http/pages.ts';
import { momentInWords } from './kernel/local-time.ts';
import { waysToConfirm } from './people/sudo.ts';

/** When a write that the disk refused may be tried again, in seconds. */
const RETRY_DISK_S = 30;

/** Answers a request that was refused or failed: a form by its page or a redirect, where its route says so. */
export async function answerRefusal(
  ctx: Context,
  thrown: FastifyError | AppError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const error = isDiskError(thrown) ? diskRefusal(ctx, thrown, request) : thrown;
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

/** What is said while the disk takes no writes: nothing of the request was stored, and it can be sent again. */
function diskRefusal(ctx: Context, err: Error & { code: string }, { id }: FastifyRequest): AppError {
  ctx.log.error({ id, err }, 'request failed: the disk refused the write');
  const reason =
    err.code === 'SQLITE_FULL'
      ? 'There is no room left on the disk of this service'
      : 'The disk of this service takes no data at the moment';
  return new AppError(
    503,
    `${reason}. Nothing was saved: please tell whoever looks after it, and try again`,
    {
      extra: { retryAfter: RETRY_DISK_S },
    },
  );
}

/** Where a refused form is led back to; undefined where the route shows its page itself or the client takes JSON. */
function refusedLocation(error: FastifyError | AppError, request: FastifyRequest): string | undefined {
  if (error.statusCode !== 400 || !isForm(request) || accepts(request, 'application/json')) return undefined;
  const errors = error instanceof AppError ? error.errors : undefined;
  return request.routeOptions.config.refusedLocation?.(errors ?? []);
}

/** The page of a refused form with what is wrong with it; undefined where the route has none. */
async function showRefusedForm(
  error: FastifyError | AppError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Html | undefined> {
  const { refused, refusedStatuses = [400] } = request.routeOptions.config;
  const { entered } = request;
  if (!refused || !entered || !wantsHtml(request)) return undefined;
  if (!(error instanceof AppError) || !refusedStatuses.includes(error.statusCode)) return undefined;
  // The page that asks for a confirmation keeps the fields.
  if (error.extra?.sudo) return undefined;
  const { statusCode: status, errors = [] } = error;
  const page = await refused(request, { status, message: messageFor(error), errors, entered }, reply);
  setRetryAfter(reply, error);
  return page;
}

/** Where the error itself is a word for programs, its `message` is the sentence for people. */
function messageFor({ message, extra }: AppError): string {
  return typeof extra?.message === 'string' ? extra.message : message;
}

/** @returns the seconds after which it makes sense to try again, where the error says so */
function setRetryAfter(reply: FastifyReply, error: Error): number | undefined {
  const retryAfter = error instanceof AppError ? error.extra?.retryAfter : undefined;
  if (typeof retryAfter !== 'number') return undefined;
  reply.header('retry-after', retryAfter);
  return retryAfter;
}

/** The first full minute at which it makes sense to try again. */
function retryTime(ctx: Context, seconds: number): string {
  const at = Math.ceil((ctx.now() + seconds * SECOND) / MINUTE) * MINUTE;
  return momentInWords(at, ctx.now(), ctx.config.TIME_ZONE);
}

/** One place answers every error, as JSON or as a page. What was not expected is logged and shown as its id only. */
export function answerError(
  ctx: Context,
  error: Error & { statusCode?: number },
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const status = error.statusCode ?? 500;
  const expected = status < 500 || error instanceof AppError;
  if (!expected) ctx.log.error({ id: request.id, err: error }, 'request failed');
  const sentence = expected ? error.message : 'Internal server error';
  const extra = error instanceof AppError ? error.extra : undefined;
  const retryAfter = setRetryAfter(reply, error);

  // A route may have allowed caching before it failed.
  reply.header('cache-control', 'no-store');
  // What was taken off HTTP for a socket it does not get has nowhere to go back to.
  if ('upgrade' in request.raw && request.raw.upgrade) reply.raw.once('finish', () => request.raw.destroy());

  if (extra?.sudo && wantsHtml(request))
    return sendHtml(
      reply,
      sudoPage({ ...sudoTarget(request), ...waysToConfirm(ctx, request.session) }),
      status,
    );
  if (extra?.approval && wantsHtml(request)) {
    const { act } = extra.approval as { act: string };
    return sendHtml(reply, askedPage({ act, viewer: request.viewer }), status);
  }
  if (wantsHtml(request) && status !== 401) {
    const message = error instanceof AppError ? messageFor(error) : sentence;
    const { id: requestId, identity, viewer = identity } = request;
    const area = identity ? 'staff' : viewer ? 'officer' : 'voter';
    const retryAt = retryAfter === undefined ? undefined : retryTime(ctx, retryAfter);
    return sendHtml(
      reply,
      errorPage({ status, message, requestId, retryAfter, retryAt, area, viewer }),
      status,
    );
  }
  const errors = error instanceof AppError ? error.errors : undefined;
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send({
      error: sentence,
      ...(expected ? {} : { message: request.id }),
      ...(errors && { errors }),
      ...extra,
    });
}
