import { HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import { t } from '#kernel/language/message.ts';
import { forClub, formatWeekday } from '#kernel/locale.ts';
import { normalizeName } from '#pub/now-playing/track-key.ts';
import { formatNight, nightBounds, parseNight, weekdayOfNight, yearOfNight } from './counts/pub-days.ts';
import { ALL_TIME, type Span, yearSpan } from './counts/ranges.ts';
import type { Total } from './counts/totals.ts';
import { getLastSong, getPlayedSong, type Song } from './songs.ts';
import { type Night, type Surface, type SurfaceInput, sum } from './surface.ts';
import type { PlayedSong } from './tonight.ts';
import { type GenreShare, placeGenres } from './vibe-compass.ts';

export interface Wrapped {
  year: number;
  /** The figures no longer change. */
  final: boolean;
  plays: number;
  hours: number;
  /** The same in minutes; missing in figures of earlier versions. */
  minutes?: number;
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
  /** Songs that were first played in this year, and often since. */
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

/** A year in figures. An evening belongs to the year in which it began. */
export const wrapped: Surface<Wrapped> = {
  name: 'wrapped',
  flag: 'SETLIST_WRAPPED_ENABLED',
  ranges: ({ nights }) => listYears(nights).map(String),
  compute(input, range) {
    const year = Number(range);
    const span = yearSpan(year);
    const { from, to } = span;
    const nights = input.nights.filter(({ night }) => night >= from && night <= to);
    const plays = sum(nights, 'plays');
    const final = input.today >= parseNight(`${year + 1}-01-05`);
    const last = final ? to : Math.min(to, input.today);
    const label = final ? range : forClub(t('pub.setlist.range_year_so_far', { year: range }));
    const data = {
      year,
      final,
      plays,
      ...countTotals(input, nights, span),
      ...rankTops(input, span),
      longestStreak: longestStreak(input, span),
      discoveries: listDiscoveries(input, span),
      ...describeNights(input, nights),
    };
    return { from: formatNight(from), to: formatNight(last), label, sampleSize: plays, data };
  },
};

/** The years with music, the newest first. */
function listYears(nights: readonly Night[]): number[] {
  return [...new Set(nights.map(({ night }) => yearOfNight(night)))].reverse();
}

function countTotals({ zone, sumUp }: SurfaceInput, nights: readonly Night[], span: Span) {
  const [from, to] = [nightBounds(span.from, zone).from, nightBounds(span.to, zone).to];
  const isNew = ({ first_at }: Total) => first_at >= from && first_at < to;
  return {
    hours: Math.round(sum(nights, 'dwell_ms') / HOUR),
    minutes: Math.round(sum(nights, 'dwell_ms') / MINUTE),
    songs: sumUp(span, 'song').length,
    artists: sumUp(span, 'artist').length,
    albums: sumUp(span, 'album').length,
    newArtists: sumUp(ALL_TIME, 'artist').filter(isNew).length,
  };
}

function rankTops({ db, sumUp }: SurfaceInput, span: Span) {
  const ranked = (kind: 'song' | 'artist' | 'album') =>
    sumUp(span, kind)
      .slice(0, TOP)
      .map((total, index) => ({
        song: getLastSong(db, total),
        rank: { rank: index + 1, plays: total.plays, nights: total.nights },
      }));
  return {
    topSongs: ranked('song').map(({ song, rank }) => ({ ...rank, ...song })),
    topArtists: ranked('artist').map(({ song, rank }) => ({ ...rank, artist: song.artist })),
    topAlbums: ranked('album').map(({ song, rank }) => ({
      ...rank,
      album: song.album ?? '',
      artist: song.artist,
    })),
    topGenres: placeGenres(sumUp(span, 'genre')).genres.slice(0, TOP),
  };
}

/** The song that was played on the most consecutive evenings, by date; of equals the first of the ranking. */
function longestStreak({ db, sumUp }: SurfaceInput, span: Span): Wrapped['longestStreak'] {
  const runs = new Map<string, { last: number; run: number; longest: number }>();
  for (const { key, night } of db.all(songNights(span))) {
    const streak = runs.getOrInsert(key, { last: night, run: 0, longest: 0 });
    streak.run = streak.last === night - 1 ? streak.run + 1 : 1;
    streak.last = night;
    streak.longest = Math.max(streak.longest, streak.run);
  }
  const longest = ({ key }: Total) => runs.get(key)!.longest;
  const songs = sumUp(span, 'song').toSorted(
    (a, b) =>
      longest(b) - longest(a) || b.plays - a.plays || b.last_at - a.last_at || (a.key < b.key ? -1 : 1),
  );
  return { track: getLastSong(db, songs[0]!), nights: longest(songs[0]!) };
}

function describeNights({ db }: SurfaceInput, nights: readonly Night[]) {
  const weekdays = new Map<number, number>();
  const hours = new Map<number, number>();
  const add = (counts: Map<number, number>, key: number, plays: number) =>
    counts.set(key, (counts.get(key) ?? 0) + plays);
  for (const night of nights) {
    add(weekdays, weekdayOfNight(night.night), night.plays);
    for (const [hour, plays] of Object.entries(night.hours)) add(hours, Number(hour), plays);
  }
  const busiest = nights.reduce((best, night) => (night.plays > best.plays ? night : best));
  return {
    busiestNight: { date: formatNight(busiest.night), plays: busiest.plays },
    topWeekday: formatWeekday(mostFrequent(weekdays) || 7),
    peakHour: mostFrequent(hours),
    firstSong: playedSong(db, nights[0]!.first_play_id),
    lastSong: playedSong(db, nights.at(-1)!.last_play_id),
  };
}

/** The key with the highest count; of equals the smallest. */
function mostFrequent(counts: ReadonlyMap<number, number>): number {
  return [...counts].sort(([a, plays], [b, more]) => more - plays || a - b)[0]![0];
}

function playedSong(db: Reader, playId: number): PlayedSong {
  return {
    ...getPlayedSong(db, playId),
    playedAt: isoTime(db.first(startOfPlay({ id: playId }))!.started_at),
  };
}

function listDiscoveries({ db, zone, sumUp }: SurfaceInput, span: Span): Wrapped['discoveries'] {
  const since = nightBounds(span.from, zone).from;
  const firstPlayed = new Map(sumUp(ALL_TIME, 'song').map(({ key, first_at }) => [key, first_at]));
  const byArtist = new Map<string, number>();
  const found: Wrapped['discoveries'] = [];
  for (const total of sumUp(span, 'song')) {
    const first_at = firstPlayed.get(total.key)!;
    if (total.plays < DISCOVERED_BY || found.length === DISCOVERIES) break;
    if (first_at < since) continue;
    const song = getLastSong(db, total);
    const artist = normalizeName(song.artist);
    const already = byArtist.get(artist) ?? 0;
    if (already === OF_ONE_ARTIST) continue;
    byArtist.set(artist, already + 1);
    found.push({ ...song, plays: total.plays, firstPlayed: isoTime(first_at) });
  }
  return found;
}

const startOfPlay = prepare((p: { id: number }) =>
  build.selectFrom('plays').select('started_at').where('id', '=', p.id),
);

const songNights = prepare((p: Span) =>
  build
    .selectFrom('rollup_counts')
    .select(['key', 'night'])
    .where('night', '>=', p.from)
    .where('night', '<=', p.to)
    .where('kind', '=', 'song')
    .orderBy('night'),
);
