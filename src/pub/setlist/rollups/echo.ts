import { build, prepare } from '#kernel/db/writes.ts';
import { dayOf, nightOf, weekdayOf } from './pub-days.ts';
import { spanOf } from './ranges.ts';
import { type Song, songOf } from './songs.ts';
import { formatDay, type House, rounded, type Surface, sum } from './surface.ts';

export interface Echo {
  /** Songs of the last seven days that had not been heard for two months. */
  comebacks: (Song & { lastBefore: string; gapDays: number })[];
  /** What was played on the same weekday of this week in earlier years. */
  onThisNight: (Song & { date: string; yearsAgo: number; plays: number })[];
  /** The evenings most like the latest one, by the share of songs in common. */
  twins: { date: string; similarity: number }[];
}

const SHORTEST_GAP = 60;
const COMEBACKS = 10;
const SONGS_A_YEAR = 3;
const YEARS = 5;
/** An evening with fewer plays is not compared. */
const FEWEST_PLAYS = 10;
const TWINS = 3;

/** What the present week brings back. */
export const echo: Surface<Echo> = {
  name: 'echo',
  flag: 'SETLIST_ECHO_ENABLED',
  ranges: () => ['all'],
  compute(house) {
    const first = house.nights[0]!.night;
    return {
      from: dayOf(first),
      to: dayOf(house.today),
      label: `Since ${formatDay(first)}`,
      sampleSize: sum(house.nights, 'plays'),
      data: { comebacks: comebacks(house), onThisNight: onThisNight(house), twins: twins(house) },
    };
  },
};

function comebacks({ read, today, nights }: House): Echo['comebacks'] {
  const { name, from, to } = spanOf('7d', today);
  return read
    .all(returned(name, from, to - SHORTEST_GAP))
    .map(({ first_at, ...song }) => {
      const night = nights.findLast(({ starts_at }) => starts_at <= first_at)!.night;
      return { ...song, gapDays: night - song.before };
    })
    .filter(({ gapDays }) => gapDays >= SHORTEST_GAP)
    .sort((a, b) => b.gapDays - a.gapDays || (a.key < b.key ? -1 : 1))
    .slice(0, COMEBACKS)
    .map(({ subject, before, gapDays }) => ({
      ...songOf(read, subject, today),
      lastBefore: dayOf(before),
      gapDays,
    }));
}

function onThisNight({ read, latest, nights }: House): Echo['onThisNight'] {
  const known = new Set(nights.map(({ night }) => night));
  const tonight = Temporal.PlainDate.from(dayOf(latest.night));
  return Array.from({ length: YEARS }, (_, index) => index + 1).flatMap((yearsAgo) => {
    const date = nightOf(tonight.subtract({ years: yearsAgo }).toString());
    // Of the week round that date, the one night with the same weekday.
    const night = date + ((weekdayOf(latest.night) - weekdayOf(date) + 10) % 7) - 3;
    if (!known.has(night)) return [];
    return read.all(songsOfNight(night, SONGS_A_YEAR)).map(({ subject, plays }) => ({
      ...songOf(read, subject, night),
      date: dayOf(night),
      yearsAgo,
      plays,
    }));
  });
}

function twins({ read, latest }: House): Echo['twins'] {
  if (latest.plays < FEWEST_PLAYS) return [];
  const own = idsOf(read.first(songSet(latest.night))?.song_ids);
  const isOwn = new Uint8Array(own.reduce((most, id) => Math.max(most, id), 0) + 1);
  for (const id of own) isOwn[id] = 1;
  return read
    .all(songSetsBefore(latest.night))
    .map(({ night, song_ids }) => {
      const ids = idsOf(song_ids);
      let shared = 0;
      for (const id of ids) shared += isOwn[id] ?? 0;
      return { night, similarity: rounded(shared / (own.length + ids.length - shared)) };
    })
    .filter(({ similarity }) => similarity > 0)
    .sort((a, b) => b.similarity - a.similarity || b.night - a.night)
    .slice(0, TWINS)
    .map(({ night, similarity }) => ({ date: dayOf(night), similarity }));
}

/** The bytes come from SQLite at any place in a buffer; numbers need one of their own. */
function idsOf(bytes: Uint8Array | null | undefined): Uint32Array {
  return new Uint32Array(new Uint8Array(bytes ?? []).buffer);
}

/** The songs of a span that were played before it, but not lately. */
const returned = prepare(
  build
    .selectFrom((of) =>
      of
        .selectFrom('rollup_totals as total')
        .select((total) => [
          'subject',
          'first_at',
          total
            .selectFrom('rollup_counts as count')
            .select((count) => count.fn.max('night').as('night'))
            .whereRef('count.subject', '=', 'total.subject')
            .where('night', '<', 0)
            .as('before'),
        ])
        .where('span', '=', '')
        .where('kind', '=', 'song')
        .as('song'),
    )
    .innerJoin('rollup_subjects', 'rollup_subjects.id', 'song.subject')
    .select((of) => ['subject', 'key', 'first_at', of.ref('before').$notNull().as('before')])
    .where('before', '<=', 0),
  (span: string, from: number, lately: number) => [from, span, 'song', lately],
);

const songsOfNight = prepare(
  build
    .selectFrom('rollup_counts')
    .select(['subject', 'plays'])
    .where('night', '=', 0)
    .where('kind', '=', 'song')
    .orderBy('plays', 'desc')
    .orderBy('first_at')
    .orderBy('last_play_id')
    .limit(1),
  (night: number, many: number) => [night, 'song', many],
);

const songSet = prepare(
  build.selectFrom('rollup_nights').select('song_ids').where('night', '=', 0),
  (night: number) => [night],
);

const songSetsBefore = prepare(
  build
    .selectFrom('rollup_nights')
    .select(['night', 'song_ids'])
    .where('night', '<', 0)
    .where('plays', '>=', FEWEST_PLAYS),
  (night: number) => [night, FEWEST_PLAYS],
);
