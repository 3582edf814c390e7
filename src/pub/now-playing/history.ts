import type { Context } from '#kernel/context.ts';
import { formatDay, formatTime } from '#kernel/local-time.ts';
import { pubDayOf } from '#pub/pub-day.ts';
import { type Cursor, readSetlist } from '#pub/setlist/setlist.ts';
import type { Evening, PlayedSong } from '#views/pub/now/now.ts';
import type { TrackRow } from './tracks.ts';

const PAGE = 30;

/** A page of the public history in evenings, newest first, without the song `playing`. */
export async function readHistory(
  ctx: Context,
  { before, playing }: { before?: Cursor | undefined; playing?: number | undefined },
): Promise<{ evenings: Evening[]; nextBefore: string | null }> {
  const zone = ctx.config.TIME_ZONE;
  const tonight = pubDayOf(ctx.now(), zone);
  const { items, nextBefore } = await readSetlist(ctx, PAGE, before);
  const days = Map.groupBy(
    items.filter(({ id }) => id !== playing),
    ({ startedAt }) => pubDayOf(Date.parse(startedAt), zone),
  );
  const evenings = [...days].map(([day, tracks]) => ({
    day,
    // Noon is on that date, whatever the clocks do in the night.
    label: day === tonight ? 'Tonight' : formatDay(Date.parse(`${day}T12:00:00Z`), 'UTC'),
    songs: tracks.map((track) => playedSong(track, zone)),
  }));
  return { evenings, nextBefore };
}

function playedSong({ id, startedAt, artist, title, requested }: TrackRow, zone: string): PlayedSong {
  return {
    id,
    time: formatTime(Date.parse(startedAt), zone),
    iso: startedAt,
    artist,
    title,
    requested: requested === true,
  };
}
