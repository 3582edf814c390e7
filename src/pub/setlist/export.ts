import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { isoTime, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { csvText } from '#kernel/csv.ts';
import { badField } from '#kernel/http/errors.ts';
import { formatTime } from '#kernel/local-time.ts';
import { coded } from '#kernel/messages/messages.ts';
import { parseIsrc } from '#pub/now-playing/track-key.ts';
import { listPlays, type Play } from './rollups/counts/plays.ts';
import { formatNight, nightAt, parseNight } from './rollups/counts/pub-days.ts';

const day = z.string().trim().refine(isDay, coded('not_setlist_day')).optional();

export const ExportQuery = z.object({ from: day, to: day });

const DEFAULT_DAYS = 31;
const MAX_DAYS = 3_700;
const COLUMNS = [
  'pub_day',
  'played_at',
  'local_time',
  'artist',
  'title',
  'album',
  'isrc',
  'seconds_heard',
  'play_id',
];

/**
 * Exports every play of these pub days, both ends included, as CSV for licence reports. These list every performance,
 * so plays hidden by a moderator are included. Without dates the last 31 days. Each evening is read when it is sent.
 * @throws 400 for dates in the wrong order, or further apart than ten years
 */
export function exportSetlist(
  ctx: Context,
  query: z.output<typeof ExportQuery>,
): { name: string; lines: AsyncGenerator<string> } {
  const last = query.to === undefined ? nightAt(ctx.now(), ctx.config.TIME_ZONE) : parseNight(query.to);
  const first = query.from === undefined ? last - DEFAULT_DAYS + 1 : parseNight(query.from);
  if (first > last) throw badField('from', 'after_to');
  if (last - first >= MAX_DAYS) throw badField('from', 'over_ten_years_of_setlist');
  return {
    name: `setlist-${formatNight(first)}-to-${formatNight(last)}.csv`,
    lines: writeLines(ctx, first, last),
  };
}

async function* writeLines(ctx: Context, first: number, last: number): AsyncGenerator<string> {
  const zone = ctx.config.TIME_ZONE;
  yield csvText([COLUMNS]);
  for (let night = first; night <= last; night++) {
    // Lets other requests be served: evenings without music await nothing else.
    await setImmediate();
    const plays = listPlays(ctx.db, night, zone, true);
    if (plays.length > 0) yield csvText(plays.map((play) => formatPlay(play, night, zone)));
  }
}

function formatPlay(
  { id, key, at, artist, title, album, isrc, dwellMs }: Play,
  night: number,
  zone: string,
): string[] {
  const seconds = String(Math.round(dwellMs / SECOND));
  return [
    formatNight(night),
    isoTime(at),
    formatTime(at, zone),
    artist,
    title,
    album ?? '',
    // A play that was reported without a code gets the code of its artist and title.
    isrc || (parseIsrc(key) ?? ''),
    seconds,
    String(id),
  ];
}

function isDay(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) &&
    !Number.isNaN(parseNight(text)) &&
    formatNight(parseNight(text)) === text
  );
}
