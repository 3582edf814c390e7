import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { CALENDAR_IDS, type CalendarId } from './calendars.ts';

/** Figures of one calendar, or of all. */
export interface Figures {
  subscribers: { total: number; active: number; disabled: number };
  tokens: { live: number; expired: number; revoked: number };
  /** Links that were made, for requests and renewals; `pending` ones can still be used. */
  verifications: { last_24h: number; last_7d: number; pending: number };
  /** Reads of the feed; `by_client` are those of the last seven days by calendar program. */
  accesses: { last_24h: number; last_7d: number; by_client: Record<string, number> };
}

/** Returns the total figures, and under `calendars` those of each calendar. */
export function readStats(ctx: Context): Figures & { calendars: Record<CalendarId, Figures> } {
  const [subscribers, tokens, verifications, accesses] = [
    countSubscribers(ctx),
    countTokens(ctx),
    countVerifications(ctx),
    countAccesses(ctx),
  ];
  const figuresOf = (ids: readonly string[]): Figures => {
    const of = <Row extends { calendar_id: string }>(rows: Row[]) =>
      rows.filter(({ calendar_id }) => ids.includes(calendar_id));
    const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);
    const read = of(accesses);
    const byClient = Map.groupBy(read, ({ client }) => client);
    return {
      subscribers: {
        total: sum(of(subscribers).map(({ total }) => total)),
        active: sum(of(subscribers).map(({ total, disabled }) => total - disabled)),
        disabled: sum(of(subscribers).map(({ disabled }) => disabled)),
      },
      tokens: {
        live: sum(of(tokens).map(({ total, revoked, expired }) => total - revoked - expired)),
        expired: sum(of(tokens).map(({ expired }) => expired)),
        revoked: sum(of(tokens).map(({ revoked }) => revoked)),
      },
      verifications: {
        last_24h: sum(of(verifications).map(({ last_24h }) => last_24h)),
        last_7d: sum(of(verifications).map(({ last_7d }) => last_7d)),
        pending: sum(of(verifications).map(({ pending }) => pending)),
      },
      accesses: {
        last_24h: sum(read.map(({ last_24h }) => last_24h)),
        last_7d: sum(read.map(({ last_7d }) => last_7d)),
        by_client: Object.fromEntries(
          [...byClient].map(([client, rows]) => [client, sum(rows.map(({ last_7d }) => last_7d))]),
        ),
      },
    };
  };
  const calendars = Object.fromEntries(CALENDAR_IDS.map((id) => [id, figuresOf([id])]));
  return { ...figuresOf(CALENDAR_IDS), calendars: calendars as Record<CalendarId, Figures> };
}

function countSubscribers(ctx: Context) {
  return ctx.db.all(
    build
      .selectFrom('subscribers')
      .select(['calendar_id', ({ fn }) => fn.countAll<number>().as('total')])
      .select(({ fn }) => fn.count<number>('disabled_at').as('disabled'))
      .where('left_at', 'is', null)
      .groupBy('calendar_id'),
  );
}

function countTokens(ctx: Context) {
  const now = ctx.now();
  return ctx.db.all(
    build
      .selectFrom('feed_tokens')
      .innerJoin('subscribers', 'subscribers.id', 'feed_tokens.subscriber_id')
      .select(['calendar_id', ({ fn }) => fn.countAll<number>().as('total')])
      .select(({ fn, eb }) => [
        fn.count<number>('revoked_at').as('revoked'),
        fn
          .countAll<number>()
          .filterWhere(eb.and([eb('revoked_at', 'is', null), eb('expires_at', '<=', now)]))
          .as('expired'),
      ])
      .groupBy('calendar_id'),
  );
}

function countVerifications(ctx: Context) {
  const now = ctx.now();
  return ctx.db.all(
    build
      .selectFrom('verifications')
      .select(['calendar_id'])
      .select(({ fn, eb }) => [
        fn
          .countAll<number>()
          .filterWhere('created_at', '>', now - DAY)
          .as('last_24h'),
        fn
          .countAll<number>()
          .filterWhere('created_at', '>', now - 7 * DAY)
          .as('last_7d'),
        fn
          .countAll<number>()
          .filterWhere(eb.and([eb('consumed_at', 'is', null), eb('expires_at', '>', now)]))
          .as('pending'),
      ])
      .groupBy('calendar_id'),
  );
}

function countAccesses(ctx: Context) {
  const now = ctx.now();
  return ctx.db.all(
    build
      .selectFrom('feed_accesses')
      .select(['calendar_id', 'client', ({ fn }) => fn.countAll<number>().as('last_7d')])
      .select(({ fn }) =>
        fn
          .countAll<number>()
          .filterWhere('at', '>', now - DAY)
          .as('last_24h'),
      )
      .where('at', '>', now - 7 * DAY)
      .groupBy(['calendar_id', 'client']),
  );
}
