import { sql } from 'kysely';
import { HOUR, isoTime } from '#kernel/clock.ts';
import { build, prepare } from '#kernel/db/writes.ts';
import { normalized } from '#pub/now-playing/track-key.ts';
import { boundsOf, dayOf, nightOf, weekdayOf, yearOf } from './pub-days.ts';
import { yearSpan } from './ranges.ts';
import { countOf, newIn, type Song, songOf, songOfPlay, topOf } from './songs.ts';
import { type House, type Night, type Surface, sum } from './surface.ts';
import type { PlayedSong } from './tonight.ts';
import { type GenreShare, placeOf } from './vibe-compass.ts';

export interface Wrapped {
  year: number;
  /** Nothing is added any more. */
  final: boolean;
  plays: number;
  hours: number;
  songs: number;
  artists: number;
  albums: number;
  /** Artists who were never heard here in an earlier year. */
  newArtists: number;
  topSongs: (Song & Ranked)[];
  topArtists: ({ artist: string } & Ranked)[];
  topAlbums: ({ album: string; artist: string } & Ranked)[];
  topGenres: GenreShare[];
  busiestNight: { date: string; plays: number };
  topWeekday: string;
  peakHour: number;
  longestStreak: { track: Song; nights: number };
  firstSong: PlayedSong;
  lastSong: PlayedSong;
  /** Songs that came to the house in this year and stayed. */
  discoveries: (Song & { plays: number; firstPlayed: string })[];
}

interface Ranked {
  rank: number;
  plays: number;
  nights: number;
}

const TOP = 5;
const DISCOVERIES = 10;
const DISCOVERED_BY = 4;
const OF_ONE_ARTIST = 2;
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** A year of the house. An evening belongs to the year in which it began. */
export const wrapped: Surface<Wrapped> = {
  name: 'wrapped',
  flag: 'SETLIST_WRAPPED_ENABLED',
  ranges: ({ nights }) => yearsOf(nights).map(String),
  compute(house, range) {
    const year = Number(range);
    const { from, to } = yearSpan(year);
    const nights = house.nights.filter(({ night }) => night >= from && night <= to);
    const plays = sum(nights, 'plays');
    const final = house.today >= nightOf(`${year + 1}-01-05`);
    const last = final ? to : Math.min(to, house.today);
    const label = final ? range : `${range} so far`;
    const data = {
      year,
      final,
      plays,
      ...amounts(house, nights, range),
      ...tops(house, range, to),
      ...nightly(house, nights),
    };
    return { from: dayOf(from), to: dayOf(last), label, sampleSize: plays, data };
  },
};

/** The years with music, the newest first. */
function yearsOf(nights: readonly Night[]): number[] {
  return [...new Set(nights.map(({ night }) => yearOf(night)))].reverse();
}

function amounts({ read, zone }: House, nights: readonly Night[], range: string) {
  const { from, to } = yearSpan(Number(range));
  return {
    hours: Math.round(sum(nights, 'dwell_ms') / HOUR),
    songs: countOf(read, range, 'song'),
    artists: countOf(read, range, 'artist'),
    albums: countOf(read, range, 'album'),
    newArtists: newIn(read, 'artist', boundsOf(from, zone).from, boundsOf(to, zone).to),
  };
}

function tops(house: House, range: string, until: number) {
  const { read } = house;
  const ranked = (kind: 'song' | 'artist' | 'album') =>
    topOf(read, range, kind, TOP).map(({ subject, plays, nights }, index) => ({
      song: songOf(read, subject, until),
      rank: { rank: index + 1, plays, nights },
    }));
  const streak = read.first(longStreak(range)) ?? read.first(longestStreak(range))!;
  return {
    topSongs: ranked('song').map(({ song, rank }) => ({ ...rank, ...song })),
    topArtists: ranked('artist').map(({ song, rank }) => ({ ...rank, artist: song.artist })),
    topAlbums: ranked('album').map(({ song, rank }) => ({
      ...rank,
      album: song.album ?? '',
      artist: song.artist,
    })),
    topGenres: placeOf(read, range).genres.slice(0, TOP),
    longestStreak: { track: songOf(read, streak.subject, until), nights: streak.streak },
    discoveries: discoveries(house, range, until),
  };
}

function nightly({ read }: House, nights: readonly Night[]) {
  const weekdays = new Map<number, number>();
  const hours = new Map<number, number>();
  const add = (to: Map<number, number>, key: number, plays: number) =>
    to.set(key, (to.get(key) ?? 0) + plays);
  for (const night of nights) {
    add(weekdays, weekdayOf(night.night), night.plays);
    for (const [hour, plays] of Object.entries(night.hours)) add(hours, Number(hour), plays);
  }
  const busiest = nights.reduce((best, night) => (night.plays > best.plays ? night : best));
  return {
    busiestNight: { date: dayOf(busiest.night), plays: busiest.plays },
    topWeekday: WEEKDAYS[greatest(weekdays)]!,
    peakHour: greatest(hours),
    firstSong: playedSong(read, nights[0]!.first_play_id),
    lastSong: playedSong(read, nights.at(-1)!.last_play_id),
  };
}

/** The key with the most; of equals the smallest. */
function greatest(counts: ReadonlyMap<number, number>): number {
  return [...counts].sort(([a, plays], [b, more]) => more - plays || a - b)[0]![0];
}

function playedSong(read: House['read'], playId: number): PlayedSong {
  return { ...songOfPlay(read, playId), playedAt: isoTime(read.first(startOf(playId))!.started_at) };
}

function discoveries({ read, zone }: House, range: string, until: number): Wrapped['discoveries'] {
  const since = boundsOf(yearSpan(Number(range)).from, zone).from;
  const byArtist = new Map<string, number>();
  const found: Wrapped['discoveries'] = [];
  for (const { subject, plays, first_at } of read.all(discovered(range, since))) {
    const song = songOf(read, subject, until);
    const artist = normalized(song.artist);
    const already = byArtist.get(artist) ?? 0;
    if (already === OF_ONE_ARTIST) continue;
    byArtist.set(artist, already + 1);
    found.push({ ...song, plays, firstPlayed: isoTime(first_at) });
    if (found.length === DISCOVERIES) break;
  }
  return found;
}

const streaks = build
  .selectFrom('rollup_totals')
  .innerJoin('rollup_subjects', 'rollup_subjects.id', 'rollup_totals.subject')
  .select(['subject', 'streak'])
  .where('span', '=', '')
  .where('rollup_totals.kind', '=', 'song')
  .orderBy('streak', 'desc')
  .orderBy('plays', 'desc')
  .orderBy('last_at', 'desc')
  .orderBy('key')
  .limit(1);

/** Of the few that have an index: the number is written out, or SQLite would not know. */
const longStreak = prepare(streaks.where('streak', '>=', sql.lit(3)), (span: string) => [span, 'song', 1]);

const longestStreak = prepare(streaks, (span: string) => [span, 'song', 1]);

const startOf = prepare(build.selectFrom('plays').select('started_at').where('id', '=', 0), (id: number) => [
  id,
]);

/** More than are shown, because of one artist only two are. */
const CANDIDATES = 200;

const discovered = prepare(
  build
    .selectFrom('rollup_totals as total')
    .innerJoin('rollup_subjects as song', 'song.id', 'total.subject')
    .innerJoin('rollup_totals as ever', (join) =>
      join.onRef('ever.subject', '=', 'total.subject').on('ever.span', '=', 'all'),
    )
    .select(['total.subject', 'total.plays', 'ever.first_at'])
    .where('total.span', '=', '')
    .where('total.kind', '=', 'song')
    .where('total.plays', '>=', 0)
    .where('ever.first_at', '>=', 0)
    .orderBy('total.plays', 'desc')
    .orderBy('total.nights', 'desc')
    .orderBy('total.last_at', 'desc')
    .orderBy('key')
    .limit(1),
  (span: string, since: number) => ['all', span, 'song', DISCOVERED_BY, since, CANDIDATES],
);
