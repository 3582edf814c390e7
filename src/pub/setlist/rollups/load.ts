import type { Context } from '#kernel/context.ts';
import { build, prepare, type Tx } from '#kernel/db/writes.ts';
import { readPlays } from './nightly-counts.ts';
import { nightAt } from './pub-days.ts';
import type { House, Night } from './surface.ts';

/** Reads what the surfaces are made from; undefined while no evening has music. */
export function readHouse(read: Tx, ctx: Context, open: boolean): House | undefined {
  const now = ctx.now();
  const zone = ctx.config.TIME_ZONE;
  const nights: Night[] = read
    .all(nightsWithMusic)
    .map(({ hours, ...night }) => ({ ...night, hours: JSON.parse(hours) }));
  const latest = nights.at(-1);
  if (!latest) return undefined;
  return {
    read,
    zone,
    now,
    today: Math.max(nightAt(now, zone), latest.night),
    nights,
    latest,
    plays: readPlays(read, latest.night, zone),
    heard: read.all(heardOn(latest.night)),
    open,
  };
}

const nightsWithMusic = build
  .selectFrom('rollup_nights')
  .select(['night', 'starts_at', 'plays', 'songs', 'late_plays', 'dwell_ms', 'hours'])
  .select((of) => [
    of.ref('first_play_id').$notNull().as('first_play_id'),
    of.ref('last_play_id').$notNull().as('last_play_id'),
  ])
  .where('plays', '>', 0)
  .orderBy('night')
  .compile();

const heardOn = prepare(
  build
    .selectFrom('rollup_counts as count')
    .innerJoin('rollup_subjects as subject', 'subject.id', 'count.subject')
    .innerJoin('rollup_totals as ever', (join) =>
      join.onRef('ever.subject', '=', 'count.subject').on('ever.span', '=', 'all'),
    )
    .select((of) => [
      'count.subject',
      'count.kind',
      'key',
      'count.plays',
      'count.first_at',
      'count.last_at',
      'last_play_id',
      of
        .selectFrom('rollup_counts as earlier')
        .select((earlier) => earlier.fn.max('night').as('night'))
        .whereRef('earlier.subject', '=', 'count.subject')
        .where('earlier.night', '<', 0)
        .as('before'),
      'ever.plays as ever_plays',
      'ever.first_at as ever_first_at',
    ])
    .where('count.night', '=', 0),
  (night: number) => [night, 'all', night],
);
