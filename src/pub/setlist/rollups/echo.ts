import { sql } from 'kysely';
import { build, prepare } from '#kernel/db/queries.ts';
import { forClub } from '#kernel/locale.ts';
import { formatNight, nightAt, parseNight, weekdayOfNight } from './counts/pub-days.ts';
import { rangeSpan } from './counts/ranges.ts';
import { findLastNights } from './counts/totals.ts';
import { getLastSong, getPlayedSong, type Song } from './songs.ts';
import { rangeInWords, rounded, type Surface, type SurfaceInput, sum } from './surface.ts';

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
      label: forClub(rangeInWords('all', formatNight(first))),
      sampleSize: sum(input.nights, 'plays'),
      data: { comebacks: comebacks(input), onThisNight: onThisNight(input), twins: twins(input) },
    };
  },
};

function comebacks({ db, today, zone, sumUp }: SurfaceInput): Echo['comebacks'] {
  const span = rangeSpan('7d', today);
  const lastNights = findLastNights(db, span);
  return sumUp(span, 'song')
    .flatMap((song) => {
      const before = lastNights.get(song.key);
      return before === undefined ? [] : [{ song, before, gapDays: nightAt(song.first_at, zone) - before }];
    })
    .filter(({ gapDays }) => gapDays >= SHORTEST_GAP)
    .sort((a, b) => b.gapDays - a.gapDays || (a.song.key < b.song.key ? -1 : 1))
    .slice(0, COMEBACKS)
    .map(({ song, before, gapDays }) => ({
      ...getLastSong(db, song),
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
    return db.all(topSongsOfNight({ night })).map(({ last_play_id, plays }) => ({
      ...getPlayedSong(db, last_play_id),
      date: formatNight(night),
      yearsAgo,
      plays,
    }));
  });
}

function twins({ db, latest }: SurfaceInput): Echo['twins'] {
  if (latest.plays < FEWEST_PLAYS) return [];
  return db
    .all(sharedSongs({ night: latest.night }))
    .map(({ night, songs, shared }) => ({
      night,
      similarity: rounded(shared / (latest.songs + songs - shared)),
    }))
    .filter(({ similarity }) => similarity > 0)
    .sort((a, b) => b.similarity - a.similarity || b.night - a.night)
    .slice(0, TWINS)
    .map(({ night, similarity }) => ({ date: formatNight(night), similarity }));
}

const topSongsOfNight = prepare((p: { night: number }) =>
  build
    .selectFrom('rollup_counts')
    .select(['last_play_id', 'plays'])
    .where('night', '=', p.night)
    .where('kind', '=', 'song')
    .orderBy('plays', 'desc')
    .orderBy('first_at')
    .orderBy('last_play_id')
    .limit(SONGS_A_YEAR),
);

/** How many songs of an evening each earlier one has. CROSS JOIN makes SQLite join in this order. */
const sharedSongs = prepare((p: { night: number }) =>
  build
    .selectFrom('rollup_nights as other')
    .crossJoin('rollup_counts as song')
    .select(['other.night', 'other.songs', sql<number>`count(*)`.as('shared')])
    .where('other.night', '<', p.night)
    .where('other.plays', '>=', FEWEST_PLAYS)
    .whereRef('song.night', '=', 'other.night')
    .where('song.kind', '=', 'song')
    .where('song.key', 'in', (of) =>
      of.selectFrom('rollup_counts').select('key').where('night', '=', p.night).where('kind', '=', 'song'),
    )
    .groupBy('other.night'),
);
