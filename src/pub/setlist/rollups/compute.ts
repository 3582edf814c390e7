import { MINUTE } from '#kernel/clock.ts';
import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import type { ThreadDatabase } from '#kernel/in-thread.ts';
import { listPlays } from './counts/plays.ts';
import { nightAt } from './counts/pub-days.ts';
import { ALL_TIME } from './counts/ranges.ts';
import { createSummer, findLastNights, type SumUp } from './counts/totals.ts';
import { makeRollup, type NewRollup } from './store.ts';
import type { HeardSubject, Night, SurfaceInput } from './surface.ts';
import { SURFACES } from './surfaces.ts';

/** What the surfaces depend on besides the database. */
export interface SurfaceTask {
  /** The names of the surfaces to compute. */
  surfaces: readonly string[];
  now: number;
  zone: string;
  /** Whether the pub is open now. */
  open: boolean;
}

/** Computes every range of these surfaces; none while no evening has music. */
export async function computeSurfaces({ read }: ThreadDatabase, task: SurfaceTask): Promise<NewRollup[]> {
  return read((db) => {
    const input = readInput(db, task);
    if (!input) return [];
    return SURFACES.filter(({ name }) => task.surfaces.includes(name)).flatMap((surface) =>
      surface.ranges(input).map((range, position) => makeRollup(surface, input, { range, position })),
    );
  });
}

export const COMPUTE_SURFACES = {
  url: import.meta.url,
  name: 'computeSurfaces',
  limit: 10 * MINUTE,
  work: computeSurfaces,
};

function readInput(db: Reader, { now, zone, open }: SurfaceTask): SurfaceInput | undefined {
  const nights: Night[] = db
    .all(nightsWithMusic)
    .map(({ hours, ...night }) => ({ ...night, hours: JSON.parse(hours) }));
  const latest = nights.at(-1);
  if (!latest) return undefined;
  const sumUp = createSummer(db, { from: nights[0]!.night, to: latest.night });
  return {
    db,
    zone,
    now,
    today: Math.max(nightAt(now, zone), latest.night),
    nights,
    latest,
    plays: listPlays(db, latest.night, zone),
    heard: listHeard(db, latest.night, sumUp),
    sumUp,
    open,
  };
}

function listHeard(db: Reader, night: number, sumUp: SumUp): HeardSubject[] {
  const ever = new Map(
    [...sumUp(ALL_TIME, 'song'), ...sumUp(ALL_TIME, 'artist')].map((total) => [nameOf(total), total]),
  );
  const before = findLastNights(db, { from: night, to: night });
  const others = Map.groupBy(db.all(recordings({ night })), ({ code }) => code);
  return db.all(countsOfNight({ night })).map((count) => {
    const { plays, first_at } = ever.get(nameOf(count)) ?? count;
    // Another recording of the same artist and title is not a new song.
    const codes = count.kind === 'song' ? (others.get(count.key) ?? []) : [];
    const times = codes.map(({ other }) => ever.get(`song ${other}`)?.first_at ?? first_at);
    return {
      ...count,
      before: count.kind === 'song' ? before.get(count.key) : undefined,
      ever_plays: plays,
      ever_first_at: Math.min(first_at, ...times),
    };
  });
}

const nameOf = ({ kind, key }: { kind: string; key: string }) => `${kind} ${key}`;

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

const countsOfNight = prepare((p: { night: number }) =>
  build
    .selectFrom('rollup_counts')
    .select(['kind', 'key', 'plays', 'first_at', 'last_at', 'last_play_id'])
    .where('night', '=', p.night),
);

/** The codes under which the artists and titles of an evening's songs were heard as well. */
const recordings = prepare((p: { night: number }) =>
  build
    .selectFrom('song_codes as own')
    .innerJoin('song_codes as same', 'same.name_key', 'own.name_key')
    .select(['own.code', 'same.code as other'])
    .where('own.code', 'in', (of) =>
      of.selectFrom('rollup_counts').select('key').where('night', '=', p.night).where('kind', '=', 'song'),
    ),
);
