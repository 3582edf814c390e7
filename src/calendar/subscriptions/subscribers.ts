import type { Selectable } from 'kysely';
import { z } from 'zod';
import { CalendarName } from '#calendar/calendars.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { SubscribersTable } from '#kernel/db/schema.ts';
import { badField, notFound } from '#kernel/http/errors.ts';
import { emailAddress, optionalText, wholeNumber } from '#kernel/http/validation.ts';
import { changeAccess, revokeTokens } from './tokens.ts';

export type Subscriber = Selectable<SubscribersTable>;

const LISTED_AT_MOST = 1_000;

export const ListQuery = z.object({
  calendar_id: CalendarName.default('programs'),
  q: optionalText(254),
  limit: wholeNumber(1, LISTED_AT_MOST).default(LISTED_AT_MOST),
  offset: wholeNumber(0, 10_000_000).default(0),
});

/** Identifies a subscriber: by calendar (`programs` if none is named) and email address, or by id. */
export const SubscriberInput = z.object({
  calendar_id: optionalText(200),
  email: emailAddress.optional(),
  subscriber_id: optionalText(200),
});

/** A subscriber as the API lists them. The token itself is not stored, only its last four characters. */
export interface SubscriberJson {
  id: string;
  calendar_id: string;
  name: string;
  email: string;
  status: 'active' | 'disabled';
  created_at: string;
  verified_at: string;
  /** Number of their valid feed addresses. */
  tokens: number;
  /** The last four characters of the newest token. */
  token: string | null;
  last_access_at: string | null;
  client: string | null;
}

/** Lists the subscribers of a calendar, the newest first, with the total. People who unsubscribed are not listed. */
export async function listSubscribers(ctx: Context, query: z.output<typeof ListQuery>) {
  const { calendar_id, q, limit, offset } = query;
  let matching = build
    .selectFrom('subscribers')
    .where('calendar_id', '=', calendar_id)
    .where('left_at', 'is', null);
  if (q) {
    matching = matching.where(({ eb, fn, val }) => eb(fn('instr', ['search', val(q.toLowerCase())]), '>', 0));
  }
  const rows = ctx.db.all(
    matching.select('id').orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).offset(offset),
  );
  const { total } = ctx.db.first(matching.select((of) => of.fn.countAll<number>().as('total')))!;
  const subscribers = await readJson(
    ctx,
    rows.map(({ id }) => id),
  );
  return { calendar_id, subscribers, total };
}

/**
 * Disables a subscriber: they get no feed, no link, and only a mail that says so. A second call changes nothing.
 * @throws 404
 */
export function disableSubscriber(ctx: Context, who: z.output<typeof SubscriberInput>, actor: Actor) {
  return change(ctx, who, (tx, { id, calendar_id, disabled_at }) => {
    const now = ctx.now();
    const stopped = build
      .updateTable('subscribers')
      .set({ disabled_at: now, left_at: null })
      .where('id', '=', id);
    if (disabled_at !== null || tx.run(stopped) === 0) return 0;
    const tokens_revoked = revokeTokens(tx, id, now);
    const metadata = { calendar_id, subscriber_id: id, tokens_revoked };
    recordAudit(tx, actor, { action: 'subscriber.disabled', metadata });
    return tokens_revoked;
  });
}

/** Lets a disabled subscriber sign up again. Revoked feed addresses stay revoked. @throws 404 */
export function enableSubscriber(ctx: Context, who: z.output<typeof SubscriberInput>, actor: Actor) {
  return change(ctx, who, (tx, { id, calendar_id, disabled_at }) => {
    const started = build.updateTable('subscribers').set({ disabled_at: null }).where('id', '=', id);
    if (disabled_at === null || tx.run(started) === 0) return 0;
    const metadata = { calendar_id, subscriber_id: id };
    recordAudit(tx, actor, { action: 'subscriber.enabled', metadata });
    return 0;
  });
}

/** Finds the subscriber with this address, even if they are disabled or have unsubscribed. */
export function findSubscriber(tx: Reader, calendar_id: string, email: string): Subscriber | undefined {
  return tx.first(
    build
      .selectFrom('subscribers')
      .selectAll()
      .where('calendar_id', '=', calendar_id)
      .where('email', '=', email),
  );
}

async function change(
  ctx: Context,
  { calendar_id: named, email, subscriber_id }: z.output<typeof SubscriberInput>,
  work: (tx: Tx, subscriber: Subscriber) => number,
): Promise<{ subscriber: SubscriberJson; tokens_revoked: number }> {
  const calendar_id = named ?? (subscriber_id === null ? 'programs' : null);
  if (subscriber_id === null && email === undefined) throw badField('email', 'required');
  const { id, tokens_revoked } = await changeAccess(ctx, (tx) => {
    let meant = build.selectFrom('subscribers').selectAll();
    if (subscriber_id !== null) meant = meant.where('id', '=', subscriber_id);
    if (calendar_id !== null) meant = meant.where('calendar_id', '=', calendar_id);
    if (email !== undefined) meant = meant.where('email', '=', email);
    const subscriber = tx.first(meant);
    if (!subscriber) throw notFound('subscriber_not_found');
    return { id: subscriber.id, tokens_revoked: work(tx, subscriber) };
  });
  const [subscriber] = await readJson(ctx, [id]);
  return { subscriber: subscriber!, tokens_revoked };
}

/** Reads subscribers in the order of `ids`. */
async function readJson(ctx: Context, ids: string[]): Promise<SubscriberJson[]> {
  if (ids.length === 0) return [];
  const rows = ctx.db.all(build.selectFrom('subscribers').selectAll().where('id', 'in', ids));
  const tokens = ctx.db.all(
    build
      .selectFrom('feed_tokens')
      .select(['subscriber_id', 'last_four'])
      .where('subscriber_id', 'in', ids)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', ctx.now())
      .orderBy('created_at', 'desc'),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byOwner = Map.groupBy(tokens, (token) => token.subscriber_id);
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row ? [subscriberJson(row, byOwner.get(id) ?? [])] : [];
  });
}

function subscriberJson(row: Subscriber, tokens: { last_four: string }[]): SubscriberJson {
  return {
    id: row.id,
    calendar_id: row.calendar_id,
    name: row.name,
    email: row.email,
    status: row.disabled_at === null ? 'active' : 'disabled',
    created_at: isoTime(row.created_at),
    verified_at: isoTime(row.verified_at),
    tokens: tokens.length,
    token: tokens[0]?.last_four ?? null,
    last_access_at: row.last_access_at === null ? null : isoTime(row.last_access_at),
    client: row.client,
  };
}
