import { isoTime } from '#kernel/clock.ts';
import { type Range, spanBefore, spanOf } from './ranges.ts';
import { rankIn, type Song, songOf, topOf } from './songs.ts';
import { rangeOf, type Surface, slidingRanges } from './surface.ts';

export interface TopSongs {
  items: (Song & {
    rank: number;
    /** In the equal span before; null when it was not among the songs played twice then. */
    prevRank: number | null;
    /** Null where nothing was before. */
    move: 'up' | 'down' | 'same' | 'new' | null;
    plays: number;
    nights: number;
    firstPlayed: string;
    lastPlayed: string;
  })[];
}

const MANY = 25;
/** What was played once is on no list. */
const LEAST_PLAYS = 2;

/** The most played songs of a range, and how they moved. */
export const topSongs: Surface<TopSongs> = {
  name: 'top-songs',
  flag: 'SETLIST_LEAD_SURFACE_ENABLED',
  ranges: slidingRanges,
  compute(house, range) {
    const { from, to, label, plays } = rangeOf(house, range as Range);
    const { name, to: until } = spanOf(range as Range, house.today);
    const before = spanBefore(range as Range, house.today)?.name;
    const ranked = before !== undefined && topOf(house.read, before, 'song', 1, LEAST_PLAYS).length > 0;
    const items = topOf(house.read, name, 'song', MANY, LEAST_PLAYS).map((total, index) => {
      const rank = index + 1;
      const prevRank = ranked ? rankIn(house.read, before, total.subject) : null;
      return {
        rank,
        prevRank,
        move: ranked ? moveOf(rank, prevRank) : null,
        ...songOf(house.read, total.subject, until),
        plays: total.plays,
        nights: total.nights,
        firstPlayed: isoTime(total.first_at),
        lastPlayed: isoTime(total.last_at),
      };
    });
    return { from, to, label, sampleSize: plays, data: { items } };
  },
};

function moveOf(rank: number, before: number | null): TopSongs['items'][number]['move'] {
  if (before === null) return 'new';
  if (before === rank) return 'same';
  return before > rank ? 'up' : 'down';
}
