import { isoTime } from '#kernel/clock.ts';
import { previousSpan, type Range, rangeSpan } from './counts/ranges.ts';
import { getSongs, listTop, rankSongs, type Song } from './songs.ts';
import { type Surface, selectRange, slidingRanges } from './surface.ts';

export interface TopSongs {
  items: (Song & {
    rank: number;
    /** The rank in the span before; null if it had fewer than two plays then. */
    prevRank: number | null;
    /** Null if the span before has no ranks. */
    move: 'up' | 'down' | 'same' | 'new' | null;
    plays: number;
    nights: number;
    firstPlayed: string;
    lastPlayed: string;
  })[];
}

const SHOWN = 25;
const LEAST_PLAYS = 2;

/** The most played songs of a range, and how they moved. */
export const topSongs: Surface<TopSongs> = {
  name: 'top-songs',
  flag: 'SETLIST_LEAD_SURFACE_ENABLED',
  ranges: slidingRanges,
  compute(input, range) {
    const { from, to, label, plays } = selectRange(input, range as Range);
    const { name, to: until } = rangeSpan(range as Range, input.today);
    const before = previousSpan(range as Range, input.today)?.name;
    const hasRanks = before !== undefined && listTop(input.db, before, 'song', 1, LEAST_PLAYS).length > 0;
    const top = listTop(input.db, name, 'song', SHOWN, LEAST_PLAYS);
    const subjects = top.map(({ subject }) => subject);
    const songs = getSongs(input.db, subjects, until);
    const ranks = hasRanks ? rankSongs(input.db, before, subjects) : new Map<number, number>();
    const items = top.map((total, index) => {
      const rank = index + 1;
      const prevRank = ranks.get(total.subject) ?? null;
      return {
        rank,
        prevRank,
        move: hasRanks ? compareRanks(rank, prevRank) : null,
        ...songs.get(total.subject)!,
        plays: total.plays,
        nights: total.nights,
        firstPlayed: isoTime(total.first_at),
        lastPlayed: isoTime(total.last_at),
      };
    });
    return { from, to, label, sampleSize: plays, data: { items } };
  },
};

function compareRanks(rank: number, before: number | null): TopSongs['items'][number]['move'] {
  if (before === null) return 'new';
  if (before === rank) return 'same';
  return before > rank ? 'up' : 'down';
}
