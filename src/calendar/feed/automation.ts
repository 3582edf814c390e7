import { createHash } from 'node:crypto';
import { kept } from '#kernel/cache.ts';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { AppError, badRequest, notFound } from '#kernel/http/errors.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { fetchUpstream, hasContent, type UpstreamAnswer } from '#kernel/upstream.ts';

const WITHIN = 10 * SECOND;
const FEED_BYTES = 4 * 1024 * 1024;
/** Maximum number of concurrent fetches from the automation host; each may take `FEED_BYTES` of memory. */
const FETCHES_AT_MOST = 8;

/** A feed of the automation host. */
export interface ForeignFeed {
  body: Buffer;
  /** `text/calendar`, with its parameters. */
  type: string;
  /** With quotes; the hash of the body if the host gives none. */
  etag: string;
}

/**
 * Forwards a request for the internal calendar to the automation host, which stores its subscribers.
 * @throws 400 when the host refuses it, 500 when the host is not set up, cannot be reached or fails
 */
export async function forwardSubscription(
  ctx: Context,
  person: { name: string; email: string },
): Promise<void> {
  const base = ctx.config.AUTOMATION_BASE_URL;
  if (!base) throw new AppError(500, 'configuration_missing', { names: ['AUTOMATION_BASE_URL'] });
  const answer = await fetchUpstream(`${base}/webhook/subs/new`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': ctx.userAgent },
    body: JSON.stringify(person),
    timeoutMs: WITHIN,
    maxBytes: 64 * 1024,
  });
  if (answer.ok && answer.status >= 200 && answer.status < 300) return;
  ctx.log.warn(failureOf(answer), 'the automation host did not accept a subscription');
  if (answer.ok && answer.status >= 400 && answer.status < 500)
    throw badRequest('refused_by_internal_calendar');
  throw new AppError(500, 'internal_calendar_unreachable');
}

/** Reduces a calendar id to characters that are safe in an address and a file name; `internal` if none are left. */
export function plainCalendarId(text: string | undefined): string {
  return (
    (text ?? '')
      .toLowerCase()
      .replace(/[^a-z0-9-]/g, '')
      .slice(0, 40) || 'internal'
  );
}

/** By calendar. */
const FETCHES = kept<Promise<ForeignFeed>>({ age: 0 });

/**
 * Fetches the feed of an internal calendar from the automation host; requests at the same time share the fetch.
 * @throws 404 when the host refuses access, 502 when it is not set up or sends no calendar, 503 at too many fetches
 */
export function fetchForeignFeed(ctx: Context, id: string): Promise<ForeignFeed> {
  return ctx.cache.get(FETCHES, id, () => {
    if (ctx.cache.count(FETCHES) >= FETCHES_AT_MOST)
      throw new AppError(503, 'internal_calendar_busy', {}, { extra: { retryAfter: 10 } });
    return fetchFeed(ctx, id);
  });
}

async function fetchFeed(ctx: Context, id: string): Promise<ForeignFeed> {
  const base = ctx.config.AUTOMATION_BASE_URL;
  if (!base) throw new AppError(502, 'internal_calendar_not_set_up');
  const answer = await fetchUpstream(`${base}/webhook/rc-cal?calendar_id=${id}`, {
    headers: { accept: 'text/calendar', 'user-agent': ctx.userAgent },
    timeoutMs: WITHIN,
    maxBytes: FEED_BYTES,
    // A redirect would lead to an address that was not configured.
    redirects: 0,
  });
  if (answer.ok && (answer.status === 401 || answer.status === 403)) throw notFound('calendar_not_found');
  // Any other answer, such as an error page, must be served neither as a calendar nor as a page of this service.
  if (!answer.ok || !hasContent(answer) || !isCalendar(answer.body)) {
    ctx.log.warn(failureOf(answer), 'the automation host sent no calendar');
    throw new AppError(502, 'internal_calendar_unreadable');
  }
  const { headers, body } = answer;
  const type = headers.get('content-type') ?? '';
  const etag = headers.get('etag') ?? '';
  return {
    body,
    type: /^text\/calendar\b[\x20-\x7e]*$/i.test(type) ? type : 'text/calendar; charset=utf-8',
    etag: /^(?:W\/)?"[\x21\x23-\x7e]*"$/.test(etag) ? etag : hashTag(body),
  };
}

const isCalendar = (body: Buffer) =>
  body
    .subarray(0, 64)
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
    .startsWith('BEGIN:VCALENDAR');

const hashTag = (body: Buffer) => `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;

const failureOf = (answer: UpstreamAnswer) =>
  answer.ok ? { status: answer.status } : { reason: answer.reason.for(ENGLISH) };
