import { isoTime, MINUTE } from '#kernel/clock.ts';
import type { Play } from './plays.ts';
import { boundsOf, dayOf, hourReader } from './pub-days.ts';
import { type Song, songOfPlay } from './songs.ts';
import { eveningOf, type HeardSubject, type House, rounded, type Surface } from './surface.ts';
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
  /** Every hour from the first song to the last, also those without one. */
  hourly: { hour: number; plays: number }[];
  /** The newest of the songs that were never heard here before. */
  newHere: Song[];
  newHereCount: number;
  repeats: { track: Song; times: number }[];
  requestsPlayed: number;
}

const NEW_SHOWN = 12;
const REPEATS_SHOWN = 10;

/** The present evening; until its first song, the one before. */
export const tonight: Surface<Tonight> = {
  name: 'tonight',
  flag: 'SETLIST_TONIGHT_ENABLED',
  ranges: () => ['tonight'],
  compute(house) {
    const { read, latest, plays, heard } = house;
    const [artist] = most(heard, 'artist');
    const genres = most(heard, 'genre');
    const songs = heard.filter(({ kind }) => kind === 'song');
    const fresh = songs.filter((song) => isNew(house, song)).sort((a, b) => b.first_at - a.first_at);
    const data: Tonight = {
      pubDay: dayOf(latest.night),
      open: house.open,
      plays: latest.plays,
      artists: heard.filter(({ kind }) => kind === 'artist').length,
      minutes: Math.round(latest.dwell_ms / MINUTE),
      first: playedSong(house, plays[0]!),
      latest: playedSong(house, plays.at(-1)!),
      topArtist: { artist: songOfPlay(read, artist!.last_play_id).artist, plays: artist!.plays },
      topGenre: shareOf(genres),
      hourly: hourly(house),
      newHere: fresh.slice(0, NEW_SHOWN).map((song) => songOfPlay(read, song.last_play_id)),
      newHereCount: fresh.length,
      repeats: most(heard, 'song')
        .filter((song) => song.plays > 1)
        .slice(0, REPEATS_SHOWN)
        .map((song) => ({ track: songOfPlay(read, song.last_play_id), times: song.plays })),
      requestsPlayed: plays.filter(({ requestId }) => requestId !== null).length,
    };
    return { ...eveningOf(house), data };
  },
};

/** Never heard before this evening. */
export const isNew = ({ latest }: House, { ever_first_at }: HeardSubject): boolean =>
  ever_first_at >= latest.starts_at;

/** What was played most on the latest evening, and of equals what was heard last. */
export function most(heard: readonly HeardSubject[], kind: HeardSubject['kind']): HeardSubject[] {
  return heard
    .filter((one) => one.kind === kind)
    .sort((a, b) => b.plays - a.plays || b.last_at - a.last_at || (a.key < b.key ? -1 : 1));
}

function shareOf(genres: readonly HeardSubject[]): GenreShare | null {
  const [top] = genres;
  const known = genres.reduce((sum, { plays }) => sum + plays, 0);
  return top ? { genre: top.key, share: rounded(top.plays / known) } : null;
}

function playedSong({ read }: House, { id, at }: Play): PlayedSong {
  return { ...songOfPlay(read, id), playedAt: isoTime(at) };
}

/** Steps through the real hours, so that a change of the clocks neither adds an hour nor leaves one out. */
function hourly({ latest, plays, zone }: House): Tonight['hourly'] {
  const { from, to } = boundsOf(latest.night, zone);
  const hourOf = hourReader(from, to, zone);
  const hours: Tonight['hourly'] = [];
  const last = plays.at(-1)!.at;
  for (let at = plays[0]!.at; at <= last || hourOf(at) === hourOf(last); at += 15 * MINUTE) {
    const hour = hourOf(at);
    if (hours.at(-1)?.hour !== hour) hours.push({ hour, plays: latest.hours[hour] ?? 0 });
  }
  return hours;
}
