import { isDeepStrictEqual } from 'node:util';
import type { Selectable } from 'kysely';
import { isoTime } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import type { Context } from '#kernel/context.ts';
import type { CaptureDeviceTable, LyricsOffsetTable } from '#kernel/db/schema.ts';
import type { StreamEvent } from '#kernel/live/event-stream.ts';
import { type Controls, findControls, showsLyrics } from './controls.ts';
import { currentTrack, findLatestPlay, type LatestPlay } from './current.ts';
import { deviceOf } from './device.ts';
import { findLyrics, type Lyrics } from './lyrics.ts';
import { type Offset, offsetAt } from './offset.ts';
import type { TrackRow } from './tracks.ts';

/** What the stream tells of, as it is stored: the same facts make another scene as time goes by. */
export interface Facts {
  latest: LatestPlay | undefined;
  lyrics: Lyrics | null;
  device: Selectable<CaptureDeviceTable> | undefined;
  offset: Selectable<LyricsOffsetTable> | undefined;
  controls: Controls;
}

/** What the clients of the stream have been told, or are to be told. */
export interface Scene {
  now_playing_display: { barRight: boolean };
  track: TrackRow | null;
  status: { state: 'online' | 'offline'; qsysDown: boolean; quietActive: boolean };
  lyrics_toggle: { enabled: boolean; projector: boolean; barRight: boolean };
  /** Both undefined while no screen shows lyrics. */
  lyrics: { trackId: number | null; available: boolean; lrc?: string; source?: string } | undefined;
  offset: Offset | null | undefined;
}

export async function readFacts(ctx: Context): Promise<Facts> {
  const { db } = ctx;
  const [latest, device, offset, controls] = await Promise.all([
    findLatestPlay(ctx),
    db.selectFrom('capture_device').selectAll().executeTakeFirst(),
    db.selectFrom('lyrics_offset').selectAll().executeTakeFirst(),
    findControls(db),
  ]);
  return { latest, device, offset, controls, lyrics: latest ? await findLyrics(db, latest) : null };
}

/** The scene that facts make at a moment: a track grows stale, the device goes offline, an offset lapses. */
export function sceneOf(
  { latest, lyrics, device, offset, controls }: Facts,
  now: number,
  limits: Pick<Config, 'NOW_PLAYING_STALE_MS' | 'NOW_PLAYING_OFFLINE_MS'>,
): Scene {
  const track = currentTrack(latest, now, limits.NOW_PLAYING_STALE_MS);
  const { online, qsysDown, quietActive } = deviceOf(device, now, limits.NOW_PLAYING_OFFLINE_MS);
  const enabled = showsLyrics(controls);
  const known = track && lyrics;
  return {
    now_playing_display: { barRight: controls.barRightDisplay },
    track,
    status: { state: online ? 'online' : 'offline', qsysDown, quietActive },
    lyrics_toggle: { enabled, projector: controls.projectorLyrics, barRight: controls.barRightLyrics },
    lyrics: enabled ? { trackId: track?.id ?? null, available: known !== null, ...known } : undefined,
    offset: enabled ? offsetAt(offset, now) : undefined,
  };
}

/** What to tell a client that knows `previous`, in the order of a stream's beginning; everything when it knows nothing. */
export function changes(previous: Scene | undefined, current: Scene, now: number): StreamEvent[] {
  const events: StreamEvent[] = [];
  for (const event of ORDER) {
    const value = current[event];
    if (value === undefined || (previous && sameFor(event, previous[event], value))) continue;
    events.push({ event, ...frameFor(current, event, now) });
  }
  return events;
}

const ORDER = ['now_playing_display', 'track', 'status', 'lyrics_toggle', 'lyrics', 'offset'] as const;

/** A track is told again only under another id. */
function sameFor(event: keyof Scene, before: Scene[keyof Scene], after: Scene[keyof Scene]): boolean {
  if (event === 'track') return (before as TrackRow | null)?.id === (after as TrackRow | null)?.id;
  return isDeepStrictEqual(before, after);
}

function frameFor(scene: Scene, event: keyof Scene, now: number): { data: unknown; id?: number } {
  if (event === 'track') return { data: scene.track, ...(scene.track && { id: scene.track.id }) };
  if (event === 'offset') return { data: offsetOnWire(scene.offset ?? null, now) };
  return { data: scene[event] };
}

function offsetOnWire(offset: Offset | null, now: number) {
  if (!offset) return { trackId: null, offsetMs: null, available: false };
  const { trackId, offsetMs, confidence, capturedAt } = offset;
  const ageMs = Math.max(0, now - capturedAt);
  return { trackId, offsetMs, capturedAt: isoTime(capturedAt), confidence, ageMs, available: true };
}
