import { sql } from 'kysely';
import type { Context } from '#kernel/context.ts';
import { build, prepare } from '#kernel/db/queries.ts';
import { listPlays } from './counts/nightly-counts.ts';
import { nightAt } from './counts/pub-days.ts';
import type { Night, SurfaceInput } from './surface.ts';

/** Reads the input of the surfaces; undefined while no evening has music. */
export function readSurfaceInput(ctx: Context, open: boolean): SurfaceInput | undefined {
  const now = ctx.now();
  const zone = ctx.config.TIME_ZONE;
  const { db } = ctx;
  const nights: Night[] = db
    .all(nightsWithMusic)
    .map(({ hours, ...night }) => ({ ...night, hours: JSON.parse(hours) }));
  const latest = nights.at(-1);
  if (!latest) return undefined;
  return {
    db,
    zone,
    now,
    today: Math.max(nightAt(now, zone), latest.night),
    nights,
    latest,
    plays: listPlays(db, latest.night, zone),
    heard: db.all(heardSubjects({ night: latest.night })),
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

/**
 * The first time that any recording of the same artist and title was heard: another recording is not a new song.
 * CROSS JOIN makes SQLite join in this order.
 */
const everHeardSince = sql<number>`min(ever.first_at, coalesce((
  SELECT min(others.first_at) FROM song_codes AS own
  CROSS JOIN song_codes AS other ON other.name_key = own.name_key
  CROSS JOIN rollup_subjects AS recording ON recording.kind = 'song' AND recording.key = other.code
  CROSS JOIN rollup_totals AS others ON others.subject = recording.id AND others.span = 'all'
  WHERE own.code = subject.key AND count.kind = 'song'
), ever.first_at))`;

const heardSubjects = prepare((p: { night: number }) =>
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
        .where('earlier.night', '<', p.night)
        .as('before'),
      'ever.plays as ever_plays',
      everHeardSince.as('ever_first_at'),
    ])
    .where('count.night', '=', p.night),
);
