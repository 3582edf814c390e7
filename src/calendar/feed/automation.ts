import { createHash } from 'node:crypto';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { AppError, badRequest, notFound } from '#kernel/http/errors.ts';
import type { SingleFlight } from '#kernel/single-flight.ts';
import { fetchUpstream, type UpstreamAnswer } from '#kernel/upstream.ts';

const WITHIN = 10 * SECOND;
const FEED_BYTES = 4 * 1024 * 1024;
/** Feeds that are fetched from the automation host at the same time; each may take `FEED_BYTES` of memory. */
const FETCHES_AT_MOST = 8;

/** A feed as the automation host keeps it. */
export interface ForeignFeed {
  body: Buffer;
  /** `text/calendar`, with its parameters. */
  type: string;
  /** In its quotes; the hash of the body where the host gives none. */
  etag: string;
}

/**
 * Hands a request for the internal calendar on to the automation host, which keeps its subscribers.
 * @throws 400 when the host refuses it, 500 when the host is not set up, cannot be reached or fails
 */
export async function forwardSubscription(
  ctx: Context,
  person: { name: string; email: string },
): Promise<void> {
  const base = ctx.config.AUTOMATION_BASE_URL;
  if (!base) throw new AppError(500, 'Missing configuration: AUTOMATION_BASE_URL');
  const answer = await fetchUpstream(`${base}/webhook/subs/new`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': ctx.userAgent },
    body: JSON.stringify(person),
    timeoutMs: WITHIN,
    maxBytes: 64 * 1024,
  });
  if (answer.ok && answer.status >= 200 && answer.status < 300) return;
  ctx.log.warn(failureOf(answer), 'the automation host did not take a subscription');
  if (answer.ok && answer.status >= 400 && answer.status < 500)
    throw badRequest('The request was refused by the internal calendar');
  throw new AppError(500, 'The internal calendar cannot be reached');
}

/** A calendar id as it may stand in an address and in a file name. */
export function plainCalendarId(text: string | undefined): string {
  return (
    (text ?? '')
      .toLowerCase()
      .replace(/[^a-z0-9-]/g, '')
      .slice(0, 40) || 'internal'
  );
}

/**
 * Fetches the feed of an internal calendar from the automation host; requests at the same time share the fetch.
 * @throws 404 when the host lets nobody in, 502 when it is not set up or sends no calendar, 503 when too much is asked
 */
export function fetchForeignFeed(
  ctx: Context & { foreignFeeds: SingleFlight<string, ForeignFeed> },
  id: string,
): Promise<ForeignFeed> {
  const { foreignFeeds } = ctx;
  if (foreignFeeds.size >= FETCHES_AT_MOST && !foreignFeeds.has(id))
    throw new AppError(503, 'The internal calendar is busy', { extra: { retryAfter: 10 } });
  return foreignFeeds.run(id, () => fetchFeed(ctx, id));
}

async function fetchFeed(ctx: Context, id: string): Promise<ForeignFeed> {
  const base = ctx.config.AUTOMATION_BASE_URL;
  if (!base) throw new AppError(502, 'The internal calendar is not set up: AUTOMATION_BASE_URL is missing');
  const answer = await fetchUpstream(`${base}/webhook/rc-cal?calendar_id=${id}`, {
    headers: { accept: 'text/calendar', 'user-agent': ctx.userAgent },
    timeoutMs: WITHIN,
    maxBytes: FEED_BYTES,
    // Where it would lead is not what was configured.
    redirects: 0,
  });
  if (answer.ok && (answer.status === 401 || answer.status === 403)) throw notFound('Calendar not found');
  // Whatever else comes, as a page that says it is down, must not be served as a calendar, nor as a page of ours.
  if (!answer.ok || answer.status !== 200 || !isCalendar(answer.body)) {
    ctx.log.warn(failureOf(answer), 'the automation host sent no calendar');
    throw new AppError(502, 'The internal calendar cannot be read');
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
  answer.ok ? { status: answer.status } : { reason: answer.reason };
