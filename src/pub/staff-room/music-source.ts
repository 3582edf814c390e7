import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { LatestPlay } from '#pub/now-playing/current.ts';
import { type Device, findDevice } from '#pub/now-playing/device.ts';
import { findPlayer, isPlaying, type PlayerRow } from '#pub/plays/player.ts';

/** The capture device as staff see it; times are ISO. */
type Listener = Omit<Device, 'lastSeen'> & { lastSeenAt: string | null };

/** The device or player that reports the music. */
export interface MusicSource {
  /** What reports it now; a player is shown as a device with the id `player`. */
  device: Listener;
  /** The capture device alone: lights and sound need it. */
  listener: Listener;
  /** The player that reported last; null before the first report. */
  player: { name: string | null; online: boolean; lastSeenAt: string } | null;
  /** Which of the two, if online, reported last. */
  source: 'device' | 'player' | null;
}

/** @param latest the play that began last */
export function findMusicSource(ctx: Context, latest: LatestPlay | undefined): MusicSource {
  const { lastSeen, ...device } = findDevice(ctx.db, ctx);
  const listener = { ...device, lastSeenAt: lastSeen === null ? null : isoTime(lastSeen) };
  const row = findPlayer(ctx.db);
  const now = ctx.now();
  const player = row
    ? { name: row.name, online: isPlaying(row, now), lastSeenAt: isoTime(row.reported_at) }
    : null;
  const source = findSource(device.online, row, { now, latest });
  if (source !== 'player' || !player) return { device: listener, listener, player, source };
  const lastSeenAt = [listener.lastSeenAt ?? '', player.lastSeenAt].sort().at(-1)!;
  return { device: { ...listener, online: true, id: 'player', lastSeenAt }, listener, player, source };
}

/** If both are online, the newest live report decides, be it a play or silence. */
function findSource(
  device: boolean,
  player: PlayerRow | undefined,
  { now, latest }: { now: number; latest: LatestPlay | undefined },
): MusicSource['source'] {
  if (!isPlaying(player, now)) return device ? 'device' : null;
  if (!device || !latest || latest.id === player.play_id) return 'player';
  return player.reported_at > latest.started_at ? 'player' : 'device';
}
