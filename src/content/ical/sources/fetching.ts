import { FILE_FAULTS } from '#content/ical/faults.ts';
import { type ReadAnswer, readInThread } from '#content/ical/reader.ts';
import { DAY, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { servesOthers } from '#kernel/house-network.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { fetchUpstream, hasContent, noteRetirement, retryAfter, statusInWords } from '#kernel/upstream.ts';

/** The result of fetching a calendar. Reasons never contain the address, and begin with a small letter. */
export type Fetched =
  | { kind: 'unchanged' }
  | {
      kind: 'read';
      file: Extract<ReadAnswer, { ok: true }>;
      etag: string | null;
      lastModified: string | null;
    }
  | { kind: 'failed'; reason: Words; waitMs: number };

const WITHIN = 20 * SECOND;
const BYTES_AT_MOST = 10 * 1024 * 1024;
const LONGEST_WAIT = DAY;
/** PRODID of our own feed: reading it would duplicate its events over and over. */
const OWN_PRODUCT = /\bPublic House\/\/Programme\b/i;
const LONGEST_VALIDATOR = 500;

/** Fetches a calendar and reads it. @param before its stored content, to detect what is unchanged */
export async function fetchCalendar(
  ctx: Context,
  address: string,
  {
    etag,
    lastModified,
    before,
    signal,
    withinMs = WITHIN,
  }: {
    etag: string | null;
    lastModified: string | null;
    before: string | null;
    signal?: AbortSignal | undefined;
    /** Time limit for the response, including redirects and body. */
    withinMs?: number;
  },
): Promise<Fetched> {
  const answer = await fetchUpstream(address, {
    headers: {
      accept: 'text/calendar, */*;q=0.5',
      'user-agent': ctx.userAgent,
      ...(etag && { 'if-none-match': etag }),
      ...(lastModified && { 'if-modified-since': lastModified }),
    },
    timeoutMs: withinMs,
    maxBytes: BYTES_AT_MOST,
    publicOnly: servesOthers(ctx.config),
    privateHosts: ctx.config.ICAL_PRIVATE_HOSTS,
    signal,
  });
  if (!answer.ok) return failed(answer.reason);
  const { status, headers, body } = answer;
  if (status === 304 && (etag || lastModified)) return { kind: 'unchanged' };
  if (status === 401 || status === 403)
    return failed(t('content-admin.ical_error.login', { status: String(status) }));
  if (!hasContent(answer)) return failed(statusInWords(answer), retryAfter(headers, ctx.now()));
  noteRetirement(ctx, t('content-admin.ical_error.source', { host: new URL(address).hostname }), answer);
  const charset = /;\s*charset="?([\w-]+)/i.exec(headers.get('content-type') ?? '')?.[1];
  const file = await readInThread(body, { zone: ctx.config.TIME_ZONE, now: ctx.now(), before, charset });
  if (!file.ok) return failed(FILE_FAULTS[file.fault]);
  if (OWN_PRODUCT.test(file.product)) return failed(t('content-admin.ical_error.own_feed'));
  const validators = { etag: validator(headers, 'etag'), lastModified: validator(headers, 'last-modified') };
  return { kind: 'read', file, ...validators };
}

const failed = (reason: Words, waitMs = 0): Fetched => ({
  kind: 'failed',
  reason,
  waitMs: Math.min(waitMs, LONGEST_WAIT),
});

function validator(headers: Headers, name: string): string | null {
  const value = headers.get(name);
  return value && value.length <= LONGEST_VALIDATOR && /^[\x20-\x7e]+$/.test(value) ? value : null;
}
