import type { Insertable, Selectable } from 'kysely';
import { build, prepare, prepareInsert, type Tx } from '#kernel/db/queries.ts';
import type { RollupCountsTable, RollupNightsTable, SubjectKind } from '#kernel/db/schema.ts';
import { listPlays, type Play } from './plays.ts';
import { createHourReader, isLate, nightBounds } from './pub-days.ts';

type Count = Selectable<RollupCountsTable>;

/**
 * Counts an evening again: its own figures, and those of each song, artist, album and genre.
 * @param normalize a name, as `normalizeName`
 */
export function countNight(tx: Tx, night: number, zone: string, normalize: (name: string) => string): void {
  const plays = listPlays(tx, night, zone);
  tx.run(deleteCounts({ night }));
  insertCounts(tx, [...tally(plays, night, normalize)]);
  tx.run(
    build
      .updateTable('rollup_nights')
      .set(figuresOf(plays, night, zone))
      .where('night', '=', night),
  );
}

function tally(plays: readonly Play[], night: number, normalize: (name: string) => string): Iterable<Count> {
  const counts = new Map<string, Count>();
  const add = (kind: SubjectKind, key: string, { id, at, dwellMs }: Play) => {
    const none = { night, kind, key, plays: 0, dwell_ms: 0, first_at: at, last_at: at, last_play_id: id };
    const count = counts.getOrInsert(`${kind} ${key}`, none);
    count.plays += 1;
    count.dwell_ms += dwellMs;
    count.last_at = at;
    count.last_play_id = id;
  };
  for (const play of plays) {
    const artist = normalize(play.artist);
    add('song', play.key, play);
    add('artist', artist, play);
    if (play.album) add('album', `${artist}\u001f${normalize(play.album)}`, play);
    if (play.genre) add('genre', play.genre, play);
  }
  return counts.values();
}

function figuresOf(
  plays: readonly Play[],
  night: number,
  zone: string,
): Omit<Insertable<RollupNightsTable>, 'night'> {
  const { from, to } = nightBounds(night, zone);
  const localHour = createHourReader(from, to, zone);
  const hours: Record<number, number> = {};
  for (const { at } of plays) hours[localHour(at)] = (hours[localHour(at)] ?? 0) + 1;
  return {
    starts_at: from,
    plays: plays.length,
    songs: new Set(plays.map(({ key }) => key)).size,
    late_plays: plays.filter(({ at }) => isLate(localHour(at))).length,
    dwell_ms: plays.reduce((sum, { dwellMs }) => sum + dwellMs, 0),
    hours: JSON.stringify(hours),
    first_play_id: plays[0]?.id ?? null,
    last_play_id: plays.at(-1)?.id ?? null,
    stale: 0,
  };
}

const deleteCounts = prepare((p: { night: number }) =>
  build.deleteFrom('rollup_counts').where('night', '=', p.night),
);

const insertCounts = prepareInsert((rows: Count[]) =>
  build.insertInto('rollup_counts').values(
    rows.map((row) => ({
      night: row.night,
      kind: row.kind,
      key: row.key,
      plays: row.plays,
      dwell_ms: row.dwell_ms,
      first_at: row.first_at,
      last_at: row.last_at,
      last_play_id: row.last_play_id,
    })),
  ),
);
