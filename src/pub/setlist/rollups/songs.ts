import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import type { SubjectKind } from '#kernel/db/schema.ts';

/** A song as the surfaces show it. */
export interface Song {
  artist: string;
  title: string;
  album: string | null;
  /** The address as the device sent it; pages show /api/art/:playId instead. */
  albumArtUrl: string;
  playId: number;
}

/** The song of a play. */
export const getPlayedSong = (db: Reader, playId: number): Song => db.first(songOfPlay({ id: playId }))!;

/** The names and cover of a song, artist or album in its last play of an evening. */
export function getLastSong(
  db: Reader,
  { kind, key, last_night: night }: { kind: SubjectKind; key: string; last_night: number },
): Song {
  return getPlayedSong(db, db.first(lastPlay({ night, kind, key }))!.last_play_id);
}

const songOfPlay = prepare((p: { id: number }) =>
  build
    .selectFrom('plays')
    .select(({ fn, val }) => [
      'artist',
      'title',
      fn<string | null>('nullif', ['album', val('')]).as('album'),
      'album_art_url as albumArtUrl',
      'id as playId',
    ])
    .where('id', '=', p.id),
);

const lastPlay = prepare((p: { night: number; kind: SubjectKind; key: string }) =>
  build
    .selectFrom('rollup_counts')
    .select('last_play_id')
    .where('night', '=', p.night)
    .where('kind', '=', p.kind)
    .where('key', '=', p.key),
);
