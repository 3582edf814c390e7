import { faultWords } from '#content/ical/faults.ts';
import { backoff } from '#kernel/backoff.ts';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { tooManyRequests } from '#kernel/http/errors.ts';
import { keepText } from '#kernel/language/kept-text.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { contentText, forgetContent, keptContent } from './content-of.ts';
import { type Fetched, fetchCalendar } from './fetching.ts';
import { isDue, readsOf } from './reads.ts';
import { findRow, getRow, listRows, type SourceRow } from './rows.ts';
import { addressOf, announceSource, READ_AGAIN_AFTER } from './sources.ts';

const EVERY = HOUR;
/** Random variation of the interval, so that related sources are not all fetched in the same minute. */
const SPREAD = 0.1;
const FIRST_RETRY = 15 * MINUTE;
const LAST_RETRY = 6 * HOUR;
/** Stored content only covers the days around the read: after this time the whole file is read again. */
const MADE_ANEW_AFTER = 7 * DAY;
/** A file that lost at least 4/5 of 10 or more coming dates is accepted only when a later read confirms it. */
const DOUBT = { least: 10, left: 0.2, later: 50 * MINUTE };

/** Reads the sources that are due, one after another; called by a job. */
export async function readDueSources(ctx: Context, stopping?: AbortSignal): Promise<void> {
  for (const row of listRows(ctx.db)) {
    if (stopping?.aborted) return;
    if (isDue(ctx, row)) await readsOf(ctx).queue.add(() => readIfDue(ctx, row.id, stopping));
  }
}

/** Reads a source on a user's request. @throws 404, 429 within a minute of the last try */
export async function readByHand(ctx: Context, id: string): Promise<void> {
  const now = ctx.now();
  const { tried_at } = getRow(ctx.db, id);
  const left = (tried_at ?? Number.NEGATIVE_INFINITY) + READ_AGAIN_AFTER - now;
  const { allowed, resetAt } = ctx.limiter.hit('calendar read by hand', id, 1, READ_AGAIN_AFTER);
  if (left > 0 || !allowed)
    throw tooManyRequests('calendar_just_read', Math.max(left, allowed ? 0 : resetAt - now));
  await readSource(ctx, id);
}

/** Reads a source. Problems of the source do not throw; they are stored in its `error`. */
export async function readSource(ctx: Context, id: string): Promise<void> {
  await readsOf(ctx).queue.add(() => readNow(ctx, id));
}

/** Checks again that the source is due, because another read may have finished while this one was queued. */
async function readIfDue(ctx: Context, id: string, stopping?: AbortSignal): Promise<void> {
  const row = findRow(ctx.db, id);
  if (row && isDue(ctx, row)) await readNow(ctx, id, stopping);
}

async function readNow(ctx: Context, id: string, signal?: AbortSignal): Promise<void> {
  const row = findRow(ctx.db, id);
  if (!row) return;
  const address = addressOf(ctx, id);
  const now = ctx.now();
  if (address === undefined) {
    await store(ctx, row, failure(row, t('content-admin.ical_error.address_lost'), 0, now));
    return;
  }
  const kept = keptContent(ctx, id);
  const fits = kept && kept.zone === ctx.config.TIME_ZONE && now - kept.madeAt < MADE_ANEW_AFTER;
  const fetched = await fetchCalendar(ctx, address, {
    etag: fits ? row.etag : null,
    lastModified: fits ? row.last_modified : null,
    before: contentText(ctx, id),
    signal,
  });
  // The service is stopping: the source has not failed.
  if (signal?.aborted) return;
  // Discards the result if the source got another address meanwhile.
  if (addressOf(ctx, id) === address) await settle(ctx, row, fetched);
}

async function settle(ctx: Context, row: SourceRow, fetched: Fetched): Promise<void> {
  const now = ctx.now();
  if (fetched.kind === 'failed') {
    ctx.log.info({ source: row.id, fails: row.fails + 1 }, 'a calendar could not be read');
    return store(ctx, row, failure(row, fetched.reason, fetched.waitMs, now));
  }
  const next = { read_at: now, tried_at: now, next_at: now + pause(row.refresh_ms), fails: 0 };
  if (fetched.kind === 'unchanged') {
    if (row.fails > 0 || row.doubted_at !== null)
      return store(ctx, row, { ...next, error: null, doubted_at: null });
    readsOf(ctx).times.set(row.id, { readAt: now, nextAt: next.next_at });
    return;
  }
  const { file, etag, lastModified } = fetched;
  const before = keptContent(ctx, row.id)?.dates.filter(({ end }) => end > now).length ?? 0;
  const loses = before >= DOUBT.least && file.coming <= before * DOUBT.left;
  if (loses && (row.doubted_at === null || now - row.doubted_at < DOUBT.later)) {
    const counts = { coming: String(file.coming), before: String(before) };
    const error = keepText(t('content-admin.ical_error.lost_dates', counts));
    return store(ctx, row, { ...next, error, doubted_at: row.doubted_at ?? now });
  }
  const error = faultsOf(file);
  const refresh_ms = file.refreshMs ?? null;
  const state = { ...next, etag, last_modified: lastModified, refresh_ms, error, doubted_at: null };
  const same = file.same && row.etag === etag && row.last_modified === lastModified && row.error === error;
  const fresh = keptContent(ctx, row.id)?.madeAt ?? 0;
  if (same && row.fails === 0 && row.refresh_ms === refresh_ms && now - fresh < MADE_ANEW_AFTER) {
    readsOf(ctx).times.set(row.id, { readAt: now, nextAt: next.next_at });
    return;
  }
  await store(ctx, row, {
    ...state,
    next_at: now + pause(refresh_ms),
    content: file.content,
    events: file.kept,
  });
  if (!file.same) announceSource(ctx, row.id);
  else forgetContent(ctx, row.id);
}

async function store(ctx: Context, { id }: SourceRow, state: Partial<SourceRow> & { content?: string }) {
  readsOf(ctx).times.delete(id);
  await ctx.write((tx) => tx.run(build.updateTable('ical_sources').set(state).where('id', '=', id)));
}

function failure({ fails }: SourceRow, reason: Words, waitMs: number, now: number) {
  const wait = Math.max(backoff(fails + 1, FIRST_RETRY, LAST_RETRY), waitMs);
  return { fails: fails + 1, error: keepText(reason), tried_at: now, next_at: now + wait };
}

/** Returns the time until the next read: a calendar may ask for a longer interval than an hour, up to a day. */
function pause(refreshMs: number | null): number {
  const spread = 1 + SPREAD * (2 * Math.random() - 1);
  return Math.round(Math.max(EVERY, refreshMs ?? 0) * spread);
}

type Read = Extract<Fetched, { kind: 'read' }>['file'];

function faultsOf({ bad, events, faults }: Read): string | null {
  if (bad === 0) return null;
  const counts = { bad: String(bad), events };
  const [first, ...others] = faults.map(faultWords);
  if (first === undefined) return keepText(t('content-admin.ical_error.bad', counts));
  // A list could not be stored.
  const all = others.reduce<Words>(
    (before, fault) => t('content-admin.ical_error.and_fault', { before, fault }),
    first,
  );
  return keepText(t('content-admin.ical_error.bad_faults', { ...counts, faults: all }));
}
