import type { Selectable } from 'kysely';
import { isoTime } from '#kernel/clock.ts';
import type { PlaysTable } from '#kernel/db/schema.ts';

/** A play as it is sent in the stream, the setlist and the snapshot. */
export interface TrackRow {
  id: number;
  startedAt: string;
  artist: string;
  title: string;
  album: string | null;
  albumArtUrl: string;
  isrc: string;
  source: 'program' | 'wallstereo' | 'wallxlr' | null;
  confidence: number | null;
  silent: boolean;
  durationMs: number | null;
  /** Only on a song that was requested. */
  requested?: true;
}

/** The columns that `toTrackRow` reads. */
export const TRACK_COLUMNS = [
  'id',
  'started_at',
  'artist',
  'title',
  'album',
  'album_art_url',
  'isrc',
  'source',
  'confidence',
  'duration_ms',
  'silent',
  'request_id',
] as const;

/** Converts a stored play to the format in which it is sent. */
export function toTrackRow(play: Pick<Selectable<PlaysTable>, (typeof TRACK_COLUMNS)[number]>): TrackRow {
  return {
    id: play.id,
    startedAt: isoTime(play.started_at),
    artist: play.artist,
    title: play.title,
    album: play.album,
    albumArtUrl: play.album_art_url,
    isrc: play.isrc,
    source: play.source,
    confidence: play.confidence,
    silent: play.silent === 1,
    durationMs: play.duration_ms,
    ...(play.request_id !== null && { requested: true }),
  };
}
