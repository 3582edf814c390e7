import { isoTime } from '#kernel/clock.ts';
import { previousSpan, type Range, rangeSpan, type Span } from './counts/ranges.ts';
import { getLastSong, type Song } from './songs.ts';
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
    const rankedSongs = (span: Span) =>
      input.sumUp(span, 'song').filter(({ plays: many }) => many >= LEAST_PLAYS);
    const before = previousSpan(range as Range, input.today);
    const ranks = new Map(before && rankedSongs(before).map(({ key }, index) => [key, index + 1]));
    const top = rankedSongs(rangeSpan(range as Range, input.today)).slice(0, SHOWN);
    const items = top.map((total, index) => {
      const rank = index + 1;
      const prevRank = ranks.get(total.key) ?? null;
      return {
        rank,
        prevRank,
        move: ranks.size > 0 ? compareRanks(rank, prevRank) : null,
        ...getLastSong(input.db, total),
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
