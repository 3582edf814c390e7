import { z } from 'zod';
import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { REQUIRED_TEXT, wholeNumber } from '#kernel/http/validation.ts';
import { coded } from '#kernel/messages/messages.ts';
import { pubDayOf } from '#pub/pub-day.ts';
import { SURFACES } from './rollups/surfaces.ts';

const CHANNELS = ['native', 'copy', 'download', 'qr', 'other'] as const;
const NAMES = SURFACES.map(({ name }) => name);

export const ShareClick = z.object({
  surface: z.string(REQUIRED_TEXT).refine((name) => NAMES.includes(name), coded('not_surface')),
  channel: z.enum(CHANNELS, coded('not_one_of', { values: CHANNELS })),
  /** Accepted from clients that send it, but not stored. */
  ref: z
    .string()
    .max(32, coded('too_long', { max: 32 }))
    .nullish(),
});

/** The counters of the oldest day are deleted with a new one. */
const DAYS_KEPT = 366;

export const ClicksQuery = z.object({ days: wholeNumber(1, DAYS_KEPT).default(30) });

/** Counts that a surface was shared, by day and channel. Stores nothing about the visitor. */
export async function countShareClick(
  ctx: Context,
  { surface, channel }: z.output<typeof ShareClick>,
): Promise<void> {
  const day = pubDayOf(ctx.now(), ctx.config.TIME_ZONE);
  const kept = pubDayOf(ctx.now() - DAYS_KEPT * DAY, ctx.config.TIME_ZONE);
  await ctx.write((tx) => {
    tx.run(build.deleteFrom('share_clicks').where('day', '<', kept));
    tx.run(
      build
        .insertInto('share_clicks')
        .values({ day, surface, channel, clicks: 1 })
        .onConflict((conflict) =>
          conflict
            .columns(['day', 'surface', 'channel'])
            .doUpdateSet((of) => ({ clicks: of('share_clicks.clicks', '+', 1) })),
        ),
    );
  });
}

/** The counters of the last days, newest first. */
export function listShareClicks(ctx: Context, { days }: z.output<typeof ClicksQuery>) {
  const since = pubDayOf(ctx.now() - (days - 1) * DAY, ctx.config.TIME_ZONE);
  return ctx.db.all(
    build
      .selectFrom('share_clicks')
      .select(['day', 'surface', 'channel', 'clicks'])
      .where('day', '>=', since)
      .orderBy('day', 'desc')
      .orderBy('surface')
      .orderBy('channel'),
  );
}
