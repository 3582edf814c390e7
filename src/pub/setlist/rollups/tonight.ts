import { isoTime, MINUTE } from '#kernel/clock.ts';
import type { Play } from './counts/plays.ts';
import { createHourReader, formatNight, nightBounds } from './counts/pub-days.ts';
import { getPlayedSong, type Song } from './songs.ts';
import {
  type HeardSubject,
  latestEvening,
  rounded,
  type Surface,
  type SurfaceInput,
  sum,
} from './surface.ts';
import type { GenreShare } from './vibe-compass.ts';

/** A song with the time at which it was played. */
export type PlayedSong = Song & { playedAt: string };

export interface Tonight {
  pubDay: string;
  open: boolean;
  plays: number;
  artists: number;
  minutes: number;
  first: PlayedSong;
  latest: PlayedSong;
  topArtist: { artist: string; plays: number };
  topGenre: GenreShare | null;
  /** Every hour from the first song to the last, also hours without songs. */
  hourly: { hour: number; plays: number }[];
  /** The newest of the songs that were never heard here before; of one moment in the order of their keys. */
  newHere: Song[];
  newHereCount: number;
  repeats: { track: Song; times: number }[];
  requestsPlayed: number;
}

const NEW_SHOWN = 12;
const REPEATS_SHOWN = 10;

/** The current evening; until its first song, the one before. */
export const tonight: Surface<Tonight> = {
  name: 'tonight',
  flag: 'SETLIST_TONIGHT_ENABLED',
  ranges: () => ['tonight'],
  compute(input) {
    const { db, latest, plays, heard } = input;
    const [artist] = mostPlayed(heard, 'artist');
    const genres = mostPlayed(heard, 'genre');
    const songs = heard.filter(({ kind }) => kind === 'song');
    const newSongs = songs
      .filter((song) => isNew(input, song))
      .sort((a, b) => b.first_at - a.first_at || (a.key < b.key ? -1 : 1));
    const data: Tonight = {
      pubDay: formatNight(latest.night),
      open: input.open,
      plays: latest.plays,
      artists: heard.filter(({ kind }) => kind === 'artist').length,
      minutes: Math.round(latest.dwell_ms / MINUTE),
      first: playedSong(input, plays[0]!),
      latest: playedSong(input, plays.at(-1)!),
      topArtist: { artist: getPlayedSong(db, artist!.last_play_id).artist, plays: artist!.plays },
      topGenre: findTopGenre(genres),
      hourly: hourly(input),
      newHere: newSongs.slice(0, NEW_SHOWN).map((song) => getPlayedSong(db, song.last_play_id)),
      newHereCount: newSongs.length,
      repeats: mostPlayed(heard, 'song')
        .filter((song) => song.plays > 1)
        .slice(0, REPEATS_SHOWN)
        .map((song) => ({ track: getPlayedSong(db, song.last_play_id), times: song.plays })),
      requestsPlayed: plays.filter(({ requestId }) => requestId !== null).length,
    };
    return { ...latestEvening(input), data };
  },
};

/** Whether a subject was never heard before this evening. */
export const isNew = ({ latest }: SurfaceInput, { ever_first_at }: HeardSubject): boolean =>
  ever_first_at >= latest.starts_at;

/** The subjects of the latest evening, most plays first; with equal plays the last heard first. */
function mostPlayed(heard: readonly HeardSubject[], kind: HeardSubject['kind']): HeardSubject[] {
  return heard
    .filter((one) => one.kind === kind)
    .sort((a, b) => b.plays - a.plays || b.last_at - a.last_at || (a.key < b.key ? -1 : 1));
}

function findTopGenre(genres: readonly HeardSubject[]): GenreShare | null {
  const [top] = genres;
  return top ? { genre: top.key, share: rounded(top.plays / sum(genres, 'plays')) } : null;
}

function playedSong({ db }: SurfaceInput, { id, at }: Play): PlayedSong {
  return { ...getPlayedSong(db, id), playedAt: isoTime(at) };
}

/** Steps through elapsed time, so that a change of the clocks neither adds an hour nor leaves one out. */
function hourly({ latest, plays, zone }: SurfaceInput): Tonight['hourly'] {
  const { from, to } = nightBounds(latest.night, zone);
  const localHour = createHourReader(from, to, zone);
  const hours: Tonight['hourly'] = [];
  const last = plays.at(-1)!.at;
  for (let at = plays[0]!.at; at <= last || localHour(at) === localHour(last); at += 15 * MINUTE) {
    const hour = localHour(at);
    if (hours.at(-1)?.hour !== hour) hours.push({ hour, plays: latest.hours[hour] ?? 0 });
  }
  return hours;
}
