import { isDeepStrictEqual } from 'node:util';
import { isoTime } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import type { Context } from '#kernel/context.ts';
import type { Ping, StreamEvent } from '#kernel/live/event-stream.ts';
import type { ChangedScreen } from '#pub/devices/screens.ts';
import { type CurrentTakeover, currentTakeover, listTakeovers } from '#pub/display/takeovers.ts';
import { type Controls, findControls, showsLyrics } from '#pub/now-playing/controls.ts';
import { currentTrack, findLatestPlay, type LatestPlay } from '#pub/now-playing/current.ts';
import { type DeviceRow, findDeviceRow, toDevice } from '#pub/now-playing/device.ts';
import { findLyrics, type Lyrics } from '#pub/now-playing/lyrics.ts';
import { findOffsetRow, type Offset, type OffsetRow, toOffset } from '#pub/now-playing/offset.ts';
import type { TrackRow } from '#pub/now-playing/tracks.ts';
import { findPlayer, isPlaying, type PlayerRow } from '#pub/plays/player.ts';
import type { Card } from '#pub/screen/card.ts';

/** The stored facts that the stream's state is computed from, together with the time. */
export interface Facts {
  latest: LatestPlay | undefined;
  lyrics: Lyrics | null;
  device: DeviceRow | undefined;
  player: PlayerRow | undefined;
  offset: OffsetRow | undefined;
  controls: Controls;
  takeovers: ReturnType<typeof listTakeovers>;
}

/**
 * The state that the clients of the stream have, one property per event. A new event must be added to ORDER, or it is
 * never sent, and to the names in views/assets/playing/playing.js.
 */
export interface StreamState {
  now_playing_display: { barRight: boolean };
  track: TrackRow | null;
  status: { state: 'online' | 'offline'; qsysDown: boolean; quietActive: boolean };
  lyrics_toggle: { enabled: boolean; projector: boolean; barRight: boolean };
  /** `lyrics` and `offset` are undefined while no screen shows lyrics. */
  lyrics: { trackId: number | null; available: boolean; lrc?: string; source?: string } | undefined;
  offset: Offset | null | undefined;
  /** The notice that fills screens; new clients get the event only while one is running. */
  takeover: CurrentTakeover | null;
}

/** The data of every event of the stream as it is sent. */
export interface SentEvents extends SentState {
  ping: Ping;
  screen: Card;
  screens: ChangedScreen;
  content: Record<string, never>;
  menu: Record<string, never>;
  settings: Record<string, never>;
}

/** An event of the stream as it is sent. */
export type SentEvent = {
  [Name in keyof SentEvents]: [name: Name, data: SentEvents[Name]];
}[keyof SentEvents];

type SentState = { [Name in Exclude<keyof StreamState, 'offset'>]: Exclude<StreamState[Name], undefined> } & {
  offset: SentOffset;
};

interface SentOffset {
  /** Null while there is none, as `offsetMs`. */
  trackId: number | null;
  offsetMs: number | null;
  capturedAt?: string;
  confidence?: number;
  /** Missing in what a fan-out engine sends, which may send it later. */
  ageMs?: number;
  available: boolean;
}

export function readFacts(ctx: Context): Facts {
  const { db } = ctx;
  const latest = findLatestPlay(ctx);
  return {
    latest,
    lyrics: latest ? findLyrics(db, latest) : null,
    device: findDeviceRow(db),
    player: findPlayer(db),
    offset: findOffsetRow(db),
    controls: findControls(db),
    takeovers: listTakeovers(ctx),
  };
}

/** Computes the state at `now`: over time a track becomes stale, the device goes offline, an offset expires. */
export function computeState(
  { latest, lyrics, device, player, offset, controls, takeovers }: Facts,
  now: number,
  limits: Pick<Config, 'NOW_PLAYING_STALE_MS' | 'NOW_PLAYING_OFFLINE_MS'>,
): StreamState {
  const track = currentTrack(latest, now, limits.NOW_PLAYING_STALE_MS);
  const { online, qsysDown, quietActive } = toDevice(device, now, limits.NOW_PLAYING_OFFLINE_MS);
  const enabled = showsLyrics(controls);
  const found = track && lyrics;
  return {
    now_playing_display: { barRight: controls.barRightDisplay },
    track,
    status: { state: online || isPlaying(player, now) ? 'online' : 'offline', qsysDown, quietActive },
    lyrics_toggle: { enabled, projector: controls.projectorLyrics, barRight: controls.barRightLyrics },
    lyrics: enabled ? { trackId: track?.id ?? null, available: found !== null, ...found } : undefined,
    offset: enabled ? toOffset(offset, now) : undefined,
    takeover: currentTakeover(takeovers, now),
  };
}

/** Returns the events that bring a client from `previous` to `current`, in a fixed order; without `previous` all. */
export function diffState(
  previous: StreamState | undefined,
  current: StreamState,
  now: number,
): StreamEvent[] {
  const events: StreamEvent[] = [];
  for (const event of ORDER) {
    const value = current[event];
    if (value === undefined || (previous && isUnchanged(event, previous[event], value))) continue;
    if (event === 'takeover' && value === null && !previous) continue;
    events.push({ event, ...formatEvent(current, event, now) });
  }
  return events;
}

/** The events of the state, in the order in which they are sent. */
export const ORDER = [
  'now_playing_display',
  'track',
  'status',
  'lyrics_toggle',
  'lyrics',
  'offset',
  'takeover',
] as const;

/** Whether an event need not be sent. A track counts as changed only when its id changes. */
export function isUnchanged(
  event: keyof StreamState,
  before: StreamState[keyof StreamState],
  after: StreamState[keyof StreamState],
): boolean {
  if (event === 'track') return (before as TrackRow | null)?.id === (after as TrackRow | null)?.id;
  return isDeepStrictEqual(before, after);
}

export function formatEvent(
  state: StreamState,
  event: keyof StreamState,
  now: number,
): { data: SentState[keyof SentState] | undefined; id?: number } {
  if (event === 'track') return { data: state.track, ...(state.track && { id: state.track.id }) };
  if (event === 'offset') return { data: formatOffset(state.offset ?? null, now) };
  return { data: state[event] };
}

function formatOffset(offset: Offset | null, now: number): SentOffset {
  if (!offset) return { trackId: null, offsetMs: null, available: false };
  const { trackId, offsetMs, confidence, capturedAt } = offset;
  const ageMs = Math.max(0, now - capturedAt);
  return { trackId, offsetMs, capturedAt: isoTime(capturedAt), confidence, ageMs, available: true };
}
