import { sql } from 'kysely';
import { HOUR, isoTime } from '#kernel/clock.ts';
import { build, ONE, prepare, type Reader } from '#kernel/db/queries.ts';
import { formatWeekday } from '#kernel/settings/locale.ts';
import { normalizeName } from '#pub/now-playing/track-key.ts';
import { formatNight, nightBounds, parseNight, weekdayOfNight, yearOfNight } from './counts/pub-days.ts';
import { yearSpan } from './counts/ranges.ts';
import {
  countNewSubjects,
  countSubjects,
  getPlayedSong,
  getSong,
  getSongs,
  listTop,
  type Song,
} from './songs.ts';
import { type Night, type Surface, type SurfaceInput, sum } from './surface.ts';
import type { PlayedSong } from './tonight.ts';
import { type GenreShare, readGenres } from './vibe-compass.ts';

export interface Wrapped {
  year: number;
  /** The figures no longer change. */
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
    const { from, to } = yearSpan(year);
    const nights = input.nights.filter(({ night }) => night >= from && night <= to);
    const plays = sum(nights, 'plays');
    const final = input.today >= parseNight(`${year + 1}-01-05`);
    const last = final ? to : Math.min(to, input.today);
    const label = final ? range : `${range} so far`;
    const data = {
      year,
      final,
      plays,
      ...countTotals(input, nights, range),
      ...rankTops(input, range, to),
      ...describeNights(input, nights),
    };
    return { from: formatNight(from), to: formatNight(last), label, sampleSize: plays, data };
  },
};

/** The years with music, the newest first. */
function listYears(nights: readonly Night[]): number[] {
  return [...new Set(nights.map(({ night }) => yearOfNight(night)))].reverse();
}

function countTotals({ db, zone }: SurfaceInput, nights: readonly Night[], range: string) {
  const { from, to } = yearSpan(Number(range));
  return {
    hours: Math.round(sum(nights, 'dwell_ms') / HOUR),
    songs: countSubjects(db, range, 'song'),
    artists: countSubjects(db, range, 'artist'),
    albums: countSubjects(db, range, 'album'),
    newArtists: countNewSubjects(db, 'artist', nightBounds(from, zone).from, nightBounds(to, zone).to),
  };
}

function rankTops(input: SurfaceInput, range: string, until: number) {
  const { db } = input;
  const ranked = (kind: 'song' | 'artist' | 'album') => {
    const top = listTop(db, range, kind, TOP);
    const subjects = top.map(({ subject }) => subject);
    const songs = getSongs(db, subjects, until);
    return top.map(({ subject, plays, nights }, index) => ({
      song: songs.get(subject)!,
      rank: { rank: index + 1, plays, nights },
    }));
  };
  const streak = db.first(longestLongStreak({ span: range })) ?? db.first(longestStreak({ span: range }))!;
  return {
    topSongs: ranked('song').map(({ song, rank }) => ({ ...rank, ...song })),
    topArtists: ranked('artist').map(({ song, rank }) => ({ ...rank, artist: song.artist })),
    topAlbums: ranked('album').map(({ song, rank }) => ({
      ...rank,
      album: song.album ?? '',
      artist: song.artist,
    })),
    topGenres: readGenres(db, range).genres.slice(0, TOP),
    longestStreak: { track: getSong(db, streak.subject, until), nights: streak.streak },
    discoveries: listDiscoveries(input, range, until),
  };
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

function listDiscoveries({ db, zone }: SurfaceInput, range: string, until: number): Wrapped['discoveries'] {
  const since = nightBounds(yearSpan(Number(range)).from, zone).from;
  const byArtist = new Map<string, number>();
  const found: Wrapped['discoveries'] = [];
  for (const { subject, plays, first_at } of db.all(discoveredSince({ span: range, since }))) {
    const song = getSong(db, subject, until);
    const artist = normalizeName(song.artist);
    const already = byArtist.get(artist) ?? 0;
    if (already === OF_ONE_ARTIST) continue;
    byArtist.set(artist, already + 1);
    found.push({ ...song, plays, firstPlayed: isoTime(first_at) });
    if (found.length === DISCOVERIES) break;
  }
  return found;
}

const LONG_STREAK = 3;

const streaks = (span: string) =>
  build
    .selectFrom('rollup_totals')
    .innerJoin('rollup_subjects', 'rollup_subjects.id', 'rollup_totals.subject')
    .select(['subject', 'streak'])
    .where('span', '=', span)
    .where('rollup_totals.kind', '=', 'song')
    .orderBy('streak', 'desc')
    .orderBy('plays', 'desc')
    .orderBy('last_at', 'desc')
    .orderBy('key')
    .limit(ONE);

/** A literal, not bound: SQLite uses the partial index of long streaks only when it sees the value. */
const longestLongStreak = prepare((p: { span: string }) =>
  streaks(p.span).where('streak', '>=', sql.lit(LONG_STREAK)),
);

const longestStreak = prepare((p: { span: string }) => streaks(p.span));

const startOfPlay = prepare((p: { id: number }) =>
  build.selectFrom('plays').select('started_at').where('id', '=', p.id),
);

/** More than are shown, because at most two songs of one artist are. */
const CANDIDATES = 200;

const discoveredSince = prepare((p: { span: string; since: number }) =>
  build
    .selectFrom('rollup_totals as total')
    .innerJoin('rollup_subjects as song', 'song.id', 'total.subject')
    .innerJoin('rollup_totals as ever', (join) =>
      join.onRef('ever.subject', '=', 'total.subject').on('ever.span', '=', 'all'),
    )
    .select(['total.subject', 'total.plays', 'ever.first_at'])
    .where('total.span', '=', p.span)
    .where('total.kind', '=', 'song')
    .where('total.plays', '>=', DISCOVERED_BY)
    .where('ever.first_at', '>=', p.since)
    .orderBy('total.plays', 'desc')
    .orderBy('total.nights', 'desc')
    .orderBy('total.last_at', 'desc')
    .orderBy('key')
    .limit(CANDIDATES),
);
