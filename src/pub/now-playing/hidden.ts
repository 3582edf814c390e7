import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import { listSongNames } from './song-identity.ts';
import { nameKey } from './track-key.ts';

/** Whether the list has this song, under any name of its recording, or everything by its artist. */
export function isHiddenName(
  db: Reader,
  song: { artist: string; title: string; isrc?: string | null },
): boolean {
  const keys = [hiddenKey(song.artist, null), ...listSongNames(db, song)];
  return keys.some((name_key) => db.first(hiddenByKey({ name_key })) !== undefined);
}

/** The key of a hidden song, or without a title that of the artist. */
export const hiddenKey = (artist: string, title: string | null) => nameKey(artist, title ?? '');

const hiddenByKey = prepare((p: { name_key: string }) =>
  build.selectFrom('hidden_names').select('id').where('name_key', '=', p.name_key),
);
