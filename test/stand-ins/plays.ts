import { DAY, HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import type { PlaysTable } from '#kernel/db/schema.ts';
import { GENRES } from '#pub/now-playing/genre-names.ts';
import { trackKey } from '#pub/now-playing/track-key.ts';

/** A row of the setlist; defaults are those of an ordinary song. */
export type PlayRow = Pick<PlaysTable, 'artist' | 'title'> & {
  started_at: number;
} & Partial<
    Record<'album' | 'genre' | 'screening_id' | 'request_id', string | null> & {
      album_art_url: string;
      isrc: string;
      silent: 0 | 1;
      hidden: 0 | 1;
      kind: 'music' | 'video';
      duration_ms: number | null;
    }
  >;

const ROWS_AT_ONCE = 500;

/** Stores plays. @returns their ids, in order */
export async function addPlays(ctx: Context, rows: readonly PlayRow[]): Promise<number[]> {
  const ids: number[] = [];
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const some = rows.slice(at, at + ROWS_AT_ONCE).map(stored);
    const added = await ctx.write((tx) => tx.all(build.insertInto('plays').values(some).returning('id')));
    for (const { id } of added) ids.push(id);
  }
  return ids;
}

/** A row for the silence between two songs. */
export const silenceAt = (started_at: number): PlayRow => ({ started_at, artist: '', title: '', silent: 1 });

function stored(row: PlayRow) {
  const base = {
    album: null,
    album_art_url: '',
    isrc: '',
    genre: null,
    screening_id: null,
    request_id: null,
  };
  const rest = { silent: 0 as const, hidden: 0 as const, kind: 'music' as const, duration_ms: null };
  const track_key = row.silent ? '' : trackKey(row);
  return { ...base, ...rest, ...row, source: 'program' as const, confidence: 0.9, track_key };
}

/** Returns a generator of random numbers, which are the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface SetlistOptions {
  /** The end of the last evening. */
  until: number;
  evenings: number;
  /** All rows, silence and film included. */
  rows: number;
  songs?: number;
  seed?: number;
}

/**
 * Generates the setlist of a pub from late morning to 2 a.m.: repeated favourites, new songs all year, the same
 * song twice in a row, silence between songs, and some films.
 */
export function* setlistOf({
  until,
  evenings,
  rows,
  songs = 12_000,
  seed = 1,
}: SetlistOptions): Generator<PlayRow> {
  const random = randomFrom(seed);
  const catalogue = Array.from({ length: songs }, (_, index) => songNumber(index, random));
  const each = Math.ceil(rows / evenings);
  const step = (15 * HOUR) / each;
  let made = 0;
  for (let evening = evenings; evening > 0 && made < rows; evening--) {
    const start = until - evening * DAY + 6 * HOUR;
    // The favourites are played from the first day; the others are added one by one.
    const known = Math.min(songs, Math.max(40, Math.floor((songs * (evenings - evening + 1)) / evenings)));
    let last = catalogue[0]!;
    for (let row = 0; row < each && made < rows; row++) {
      const started_at = Math.round(start + row * step + random() * step * 0.6);
      const dice = random();
      made += 1;
      if (dice < 0.06) {
        yield silenceAt(started_at);
        continue;
      }
      if (dice > 0.1) last = catalogue[Math.floor(known * random() ** 3)]!;
      const film = evening % 9 === 0 && row > each * 0.6 && row < each * 0.75;
      yield { ...last, started_at, ...(film && { kind: 'video' as const }) };
    }
  }
}

function songNumber(index: number, random: () => number): Omit<PlayRow, 'started_at'> {
  const artist = Math.floor(index / (1 + (index % 7)));
  const genre = GENRES[artist % GENRES.length]!;
  return {
    artist: `Artist ${artist}`,
    title: `Song number ${index}`,
    album: random() < 0.8 ? `Album ${Math.floor(index / 3)}` : null,
    genre: random() < 0.75 ? genre : null,
    duration_ms: Math.round(2.5 * MINUTE + random() * 90 * SECOND),
  };
}
