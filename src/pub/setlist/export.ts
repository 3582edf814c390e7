import { Readable } from 'node:stream';
import { z } from 'zod';
import { isoTime, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { csvText } from '#kernel/csv.ts';
import { badField } from '#kernel/http/errors.ts';
import { formatTime } from '#kernel/local-time.ts';
import { readPlays } from './rollups/nightly-counts.ts';
import type { Play } from './rollups/plays.ts';
import { dayOf, nightAt, nightOf } from './rollups/pub-days.ts';

const day = z.string().trim().refine(isDay, 'must be a date such as 2026-11-21').optional();

export const ExportQuery = z.object({ from: day, to: day });

const USUAL_DAYS = 31;
const MOST_DAYS = 3_700;
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
 * Every play of these pub days, both ends included, as CSV for licence reports: what was performed, so also what a
 * moderator hid from the public. Without dates the last 31 days. It is read evening by evening while it is sent.
 * @throws 400 for dates in the wrong order, or further apart than ten years
 */
export function exportSetlist(
  ctx: Context,
  query: z.output<typeof ExportQuery>,
): { name: string; stream: Readable } {
  const last = query.to === undefined ? nightAt(ctx.now(), ctx.config.TIME_ZONE) : nightOf(query.to);
  const first = query.from === undefined ? last - USUAL_DAYS + 1 : nightOf(query.from);
  if (first > last) throw badField('from', 'must not be after to');
  if (last - first >= MOST_DAYS) throw badField('from', 'must be within ten years of to');
  return {
    name: `setlist-${dayOf(first)}-to-${dayOf(last)}.csv`,
    stream: Readable.from(lines(ctx, first, last)),
  };
}

async function* lines(ctx: Context, first: number, last: number): AsyncGenerator<string> {
  const zone = ctx.config.TIME_ZONE;
  // The mark at the front tells spreadsheets that it is UTF-8.
  yield `\ufeff${csvText([COLUMNS])}`;
  for (let night = first; night <= last; night++) {
    const plays = await ctx.write((tx) => readPlays(tx, night, zone, true));
    if (plays.length > 0) yield csvText(plays.map((play) => line(play, night, zone)));
  }
}

function line({ id, at, artist, title, album, isrc, dwellMs }: Play, night: number, zone: string): string[] {
  const seconds = String(Math.round(dwellMs / SECOND));
  return [
    dayOf(night),
    isoTime(at),
    formatTime(at, zone),
    artist,
    title,
    album ?? '',
    isrc,
    seconds,
    String(id),
  ];
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(nightOf(text)) && dayOf(nightOf(text)) === text;
}
