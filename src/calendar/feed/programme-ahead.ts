import type { Context } from '#kernel/context.ts';
import { localDate, startOfDate } from '#kernel/local-time.ts';
import { readContent } from '#kernel/workspace/content-cache.ts';
import { PROGRAMME, type Program, programsOn } from './programme.ts';

const SHOWN_AT_MOST = 100;

/** The programme from now on. */
export interface ProgrammeAhead {
  /** Today's local date, `2026-12-05`. */
  today: string;
  /** By the local date under which they are listed: what began earlier is listed today. */
  days: readonly { day: string; programs: readonly Program[] }[];
  /** How many there are beyond the 100 in `days`. */
  more: number;
  /** When the programme was read, in milliseconds, where that is long ago. */
  asOf: number | null;
  zone: string;
}

/** Lists what is on from now on, day by day. */
export function listProgrammeAhead(ctx: Context): ProgrammeAhead {
  const zone = ctx.config.TIME_ZONE;
  const now = ctx.now();
  const today = localDate(now, zone);
  const { content, readAt, stale } = readContent(ctx, PROGRAMME);
  const ahead = programsOn(content ?? [], today, zone).filter(({ end }) => end > now);
  const from = startOfDate(today, zone) ?? now;
  const shown = ahead.slice(0, SHOWN_AT_MOST);
  const byDay = Map.groupBy(shown, ({ start }) => localDate(Math.max(start, from), zone));
  const days = [...byDay].map(([day, programs]) => ({ day, programs }));
  return { today, days, more: ahead.length - shown.length, asOf: stale ? readAt : null, zone };
}
