import { sql } from 'kysely';
import { build, ONE, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import { nameKey, parseIsrc, trackKey } from './track-key.ts';

/*
 * A play without a recording code (ISRC) gets the code of other plays with the same artist and title; if there are
 * several codes, the one that was heard first. Different codes are different songs. The result depends on the plays
 * alone, not on the order in which they were reported.
 */

interface Song {
  artist: string;
  title: string;
  isrc?: string | null;
}

/** Returns the key under which plays of a song are stored. */
export function songKey(db: Reader, song: Song): string {
  return parseIsrc(song.isrc ?? '') ?? resolveKey(db, nameKey(song.artist, song.title));
}

/** Returns the current key for a stored one: a key of artist and title may have been replaced by a code. */
export function resolveKey(db: Reader, key: string): string {
  return codeOf(db, key) ?? key;
}

/** The same for many keys, in one statement. */
export function resolveKeys(db: Reader, keys: readonly string[]): Map<string, string> {
  const resolved = new Map(keys.map((key) => [key, key]));
  const codes = db.all(firstCodes({ names: JSON.stringify(keys) }));
  // Sorted from the latest to the earliest, so the earliest code of each name is set last.
  for (const { name_key, code } of codes) resolved.set(name_key, code);
  return resolved;
}

/** Lists every key under which plays of this artist and title, or with its code, are stored. */
export function listSongKeys(db: Reader, song: Song): string[] {
  const name_key = nameKey(song.artist, song.title);
  const codes = db.all(codesOfName({ name_key })).map(({ code }) => code);
  return [...new Set([trackKey(song), name_key, ...codes])];
}

/** Lists the name keys (artist and title) that were heard under this song's key, its own included. */
export function listSongNames(db: Reader, song: Song): string[] {
  const name_key = nameKey(song.artist, song.title);
  const others = db.all(namesOfCode({ code: songKey(db, song) })).map((row) => row.name_key);
  return [...new Set([name_key, ...others])];
}

/**
 * Returns the key of a song that is about to be stored. Its code, if any, is stored for its artist and title, and their
 * plays without a code are moved to the resulting key.
 * @param at when it was heard, in milliseconds
 */
export function storeSongCode(tx: Tx, song: Song, at: number): string {
  const code = parseIsrc(song.isrc ?? '');
  if (code === undefined) return songKey(tx, song);
  const name_key = nameKey(song.artist, song.title);
  const before = resolveKey(tx, name_key);
  tx.run(storeCode({ name_key, code, first_at: at }));
  moveSong(tx, name_key, before);
  return code;
}

/**
 * Derives the code of an artist and title from its plays again, after one of them was changed. Plays without a code are
 * moved to the resulting key.
 */
export function rederiveSongCode(tx: Tx, song: Song): void {
  const code = parseIsrc(song.isrc ?? '');
  if (code === undefined) return;
  const name_key = nameKey(song.artist, song.title);
  const before = resolveKey(tx, name_key);
  const plays = tx.all(playsOfKey({ track_key: code }));
  const first = plays.find((play) => parseIsrc(play.isrc) === code && isNamed(play, name_key));
  tx.run(build.deleteFrom('song_codes').where('name_key', '=', name_key).where('code', '=', code));
  if (first) tx.run(storeCode({ name_key, code, first_at: first.started_at }));
  moveSong(tx, name_key, before);
}

/** Moves plays without a code from a previous key to the current one. */
function moveSong(tx: Tx, name_key: string, from: string): void {
  const to = resolveKey(tx, name_key);
  if (to === from) return;
  const plays = tx.all(playsOfKey({ track_key: from }));
  const moved = plays.filter((play) => parseIsrc(play.isrc) === undefined && isNamed(play, name_key));
  if (moved.length === 0) return;
  const ids = sql<number>`(SELECT value FROM json_each(${JSON.stringify(moved.map(({ id }) => id))}))`;
  tx.run(build.updateTable('plays').set({ track_key: to }).where('id', 'in', ids));
  const genre = tx.first(build.selectFrom('track_genres').selectAll().where('track_key', '=', from));
  if (genre && from === name_key)
    tx.run(
      build
        .insertInto('track_genres')
        .values({ ...genre, track_key: to })
        .onConflict((conflict) => conflict.doNothing()),
    );
}

const isNamed = (play: { artist: string; title: string }, name_key: string) =>
  nameKey(play.artist, play.title) === name_key;

function codeOf(db: Reader, name_key: string): string | undefined {
  return db.first(firstCode({ name_key }))?.code;
}

const firstCode = prepare((p: { name_key: string }) =>
  build
    .selectFrom('song_codes')
    .select('code')
    .where('name_key', '=', p.name_key)
    .orderBy('first_at')
    .orderBy('code')
    .limit(ONE),
);

const firstCodes = prepare((p: { names: string }) =>
  build
    .selectFrom('song_codes')
    .select(['name_key', 'code'])
    .where('name_key', 'in', sql<string>`(SELECT value FROM json_each(${p.names}))`)
    .orderBy('first_at', 'desc')
    .orderBy('code', 'desc'),
);

const codesOfName = prepare((p: { name_key: string }) =>
  build.selectFrom('song_codes').select('code').where('name_key', '=', p.name_key),
);

const namesOfCode = prepare((p: { code: string }) =>
  build.selectFrom('song_codes').select('name_key').where('code', '=', p.code),
);

/** Stores a code for an artist and title, and when it was first heard under them. */
export const storeCode = prepare((p: { name_key: string; code: string; first_at: number }) =>
  build
    .insertInto('song_codes')
    .values({ name_key: p.name_key, code: p.code, first_at: p.first_at })
    .onConflict((conflict) =>
      conflict
        .columns(['name_key', 'code'])
        .doUpdateSet({ first_at: sql`min(song_codes.first_at, excluded.first_at)` }),
    ),
);

// `silent` is a literal, so that the partial index plays_track is used.
const playsOfKey = prepare((p: { track_key: string }) =>
  build
    .selectFrom('plays')
    .select(['id', 'started_at', 'artist', 'title', 'isrc'])
    .where('track_key', '=', p.track_key)
    .where('silent', '=', sql.lit(0))
    .orderBy('started_at'),
);
