import type { Selectable } from 'kysely';
import { MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, prepare, type Tx } from '#kernel/db/queries.ts';
import type { PlaysTable } from '#kernel/db/schema.ts';
import { findDevice, hearsVideo } from '#pub/now-playing/device.ts';
import { findGenre } from '#pub/now-playing/genre.ts';
import { isHiddenName } from '#pub/now-playing/hidden.ts';
import { storeSongCode } from '#pub/now-playing/song-identity.ts';
import { markRequestPlayed } from '#pub/requests/requests.ts';
import { openScreeningId, screeningIdAt } from '#pub/screen/screenings.ts';
import type { Track } from './ingest-body.ts';

/** A track without the time at which it began. */
export type Heard = Omit<Track, 'started_at'>;

/** A play from a player is judged by what the device hears now only if it began within this time. */
const PRESENT = 10 * MINUTE;

/**
 * Inserts a play, as music or as the sound of a film or a game. After the commit the caller publishes `plays`, by which
 * all others learn of it. What must never differ from the play is read and written here, in its transaction: whether
 * its name is hidden, the request that it fulfils, and its place in the queue of scrobbles.
 * @param at when it began, in milliseconds
 * @returns its id
 */
export function storePlay(
  tx: Tx,
  ctx: Context,
  track: Heard,
  at: number,
  origin: Selectable<PlaysTable>['origin'],
): number {
  const key = storeSongCode(tx, track, at);
  const device = origin === 'device';
  // Players also report past plays: for those, the screening at that time counts.
  const screening_id = (device ? openScreeningId(tx) : screeningIdAt(tx, at)) ?? null;
  const present = device || ctx.now() - at < PRESENT;
  const isVideo = screening_id !== null || (present && hearsVideo(findDevice(tx, ctx)));
  const kind = isVideo ? 'video' : 'music';
  const genre = findGenre(tx, key);
  const hidden = isHiddenName(tx, track) ? 1 : 0;
  const { id } = tx.first(
    insertPlay({ ...track, started_at: at, kind, screening_id, track_key: key, genre, hidden, origin }),
  )!;
  if (kind === 'video') return id;
  const request = markRequestPlayed(tx, { playId: id, trackKey: key, at });
  if (request) tx.run(build.updateTable('plays').set({ request_id: request }).where('id', '=', id));
  if (ctx.config.SCROBBLE_URL && origin !== 'import') tx.run(queueScrobble({ play_id: id }));
  return id;
}

const queueScrobble = prepare((p: { play_id: number }) =>
  build.insertInto('scrobbles').values({ play_id: p.play_id }),
);

type NewPlay = Pick<
  Selectable<PlaysTable>,
  | 'started_at'
  | 'artist'
  | 'title'
  | 'album'
  | 'album_art_url'
  | 'isrc'
  | 'source'
  | 'confidence'
  | 'duration_ms'
  | 'kind'
  | 'screening_id'
  | 'track_key'
  | 'genre'
  | 'hidden'
  | 'origin'
>;

const insertPlay = prepare((p: NewPlay) =>
  build
    .insertInto('plays')
    .values({
      started_at: p.started_at,
      artist: p.artist,
      title: p.title,
      album: p.album,
      album_art_url: p.album_art_url,
      isrc: p.isrc,
      source: p.source,
      confidence: p.confidence,
      duration_ms: p.duration_ms,
      kind: p.kind,
      screening_id: p.screening_id,
      track_key: p.track_key,
      genre: p.genre,
      hidden: p.hidden,
      origin: p.origin,
    })
    .returning('id'),
);
