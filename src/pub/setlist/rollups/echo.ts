import { build, prepare } from '#kernel/db/queries.ts';
import { formatNight, parseNight, weekdayOfNight } from './counts/pub-days.ts';
import { rangeSpan } from './counts/ranges.ts';
import { getSong, type Song } from './songs.ts';
import { formatDay, rounded, type Surface, type SurfaceInput, sum } from './surface.ts';

export interface Echo {
  /** Songs of the last seven days that had not been played for 60 days. */
  comebacks: (Song & { lastBefore: string; gapDays: number })[];
  /** Songs of earlier years, from the evening with the same weekday that is nearest to this date. */
  onThisNight: (Song & { date: string; yearsAgo: number; plays: number })[];
  /** The evenings most similar to the latest one, by the share of songs in common. */
  twins: { date: string; similarity: number }[];
}

const SHORTEST_GAP = 60;
const COMEBACKS = 10;
const SONGS_A_YEAR = 3;
const YEARS = 5;
/** An evening with fewer plays is not compared. */
const FEWEST_PLAYS = 10;
const TWINS = 3;

/** Songs that returned this week, the same night in earlier years, and similar evenings. */
export const echo: Surface<Echo> = {
  name: 'echo',
  flag: 'SETLIST_ECHO_ENABLED',
  ranges: () => ['all'],
  compute(input) {
    const first = input.nights[0]!.night;
    return {
      from: formatNight(first),
      to: formatNight(input.today),
      label: `Since ${formatDay(first)}`,
      sampleSize: sum(input.nights, 'plays'),
      data: { comebacks: comebacks(input), onThisNight: onThisNight(input), twins: twins(input) },
    };
  },
};

function comebacks({ db, today, nights }: SurfaceInput): Echo['comebacks'] {
  const { name, from, to } = rangeSpan('7d', today);
  return db
    .all(returnedSongs({ span: name, from, before_or_on: to - SHORTEST_GAP }))
    .map(({ first_at, ...song }) => {
      const night = nights.findLast(({ starts_at }) => starts_at <= first_at)!.night;
      return { ...song, gapDays: night - song.before };
    })
    .filter(({ gapDays }) => gapDays >= SHORTEST_GAP)
    .sort((a, b) => b.gapDays - a.gapDays || (a.key < b.key ? -1 : 1))
    .slice(0, COMEBACKS)
    .map(({ subject, before, gapDays }) => ({
      ...getSong(db, subject, today),
      lastBefore: formatNight(before),
      gapDays,
    }));
}

function onThisNight({ db, latest, nights }: SurfaceInput): Echo['onThisNight'] {
  const withMusic = new Set(nights.map(({ night }) => night));
  const tonight = Temporal.PlainDate.from(formatNight(latest.night));
  return Array.from({ length: YEARS }, (_, index) => index + 1).flatMap((yearsAgo) => {
    const date = parseNight(tonight.subtract({ years: yearsAgo }).toString());
    // The night of the same weekday that is at most three days from that date.
    const night = date + ((weekdayOfNight(latest.night) - weekdayOfNight(date) + 10) % 7) - 3;
    if (!withMusic.has(night)) return [];
    return db.all(topSongsOfNight({ night })).map(({ subject, plays }) => ({
      ...getSong(db, subject, night),
      date: formatNight(night),
      yearsAgo,
      plays,
    }));
  });
}

function twins({ db, latest }: SurfaceInput): Echo['twins'] {
  if (latest.plays < FEWEST_PLAYS) return [];
  const own = toIds(db.first(songIds({ night: latest.night }))?.song_ids);
  const isOwn = new Uint8Array(own.reduce((most, id) => Math.max(most, id), 0) + 1);
  for (const id of own) isOwn[id] = 1;
  return db
    .all(songIdsBefore({ night: latest.night }))
    .map(({ night, song_ids }) => {
      const ids = toIds(song_ids);
      let shared = 0;
      for (const id of ids) shared += isOwn[id] ?? 0;
      return { night, similarity: rounded(shared / (own.length + ids.length - shared)) };
    })
    .filter(({ similarity }) => similarity > 0)
    .sort((a, b) => b.similarity - a.similarity || b.night - a.night)
    .slice(0, TWINS)
    .map(({ night, similarity }) => ({ date: formatNight(night), similarity }));
}

/** Copies the bytes: SQLite returns them at any offset in a buffer, and a Uint32Array needs an aligned one. */
function toIds(bytes: Uint8Array | null | undefined): Uint32Array {
  return new Uint32Array(new Uint8Array(bytes ?? []).buffer);
}

/** The songs of a span whose last play before `from` was on the night `before_or_on` or earlier. */
const returnedSongs = prepare((p: { span: string; from: number; before_or_on: number }) =>
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
            .where('night', '<', p.from)
            .as('before'),
        ])
        .where('span', '=', p.span)
        .where('kind', '=', 'song')
        .as('song'),
    )
    .innerJoin('rollup_subjects', 'rollup_subjects.id', 'song.subject')
    .select((of) => ['subject', 'key', 'first_at', of.ref('before').$notNull().as('before')])
    .where('before', '<=', p.before_or_on),
);

const topSongsOfNight = prepare((p: { night: number }) =>
  build
    .selectFrom('rollup_counts')
    .select(['subject', 'plays'])
    .where('night', '=', p.night)
    .where('kind', '=', 'song')
    .orderBy('plays', 'desc')
    .orderBy('first_at')
    .orderBy('last_play_id')
    .limit(SONGS_A_YEAR),
);

const songIds = prepare((p: { night: number }) =>
  build.selectFrom('rollup_nights').select('song_ids').where('night', '=', p.night),
);

const songIdsBefore = prepare((p: { night: number }) =>
  build
    .selectFrom('rollup_nights')
    .select(['night', 'song_ids'])
    .where('night', '<', p.night)
    .where('plays', '>=', FEWEST_PLAYS),
);
