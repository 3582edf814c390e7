import { MINUTE } from '#kernel/clock.ts';
import { GENRES, type Genre } from '#pub/now-playing/genre-names.ts';
import { createHourReader, nightBounds } from './counts/pub-days.ts';
import { type Range, rangeSpan } from './counts/ranges.ts';
import type { Total } from './counts/totals.ts';
import { rounded, type Surface, type SurfaceInput, selectRange, slidingRanges, sum } from './surface.ts';

/** A place on the compass: x from acoustic (-1) to electronic (+1), y from mellow (-1) to hype (+1). */
export interface Place {
  x: number;
  y: number;
}

export interface VibeCompass {
  /** Null while no genre is known. */
  x: number | null;
  y: number | null;
  quadrant: Quadrant | null;
  /** The share of plays whose genre is known. */
  coverage: number;
  topGenres: GenreShare[];
  /** The latest evening, hour by hour. */
  trail: (Place & { hour: number; n: number })[];
  /** Too few plays, or too few with a genre. */
  insufficient: boolean;
}

export type Quadrant = 'Fireside' | 'Singalong' | 'Late drive' | 'Dance floor';

/** The share of a genre among the plays whose genre is known. */
export interface GenreShare {
  genre: string;
  share: number;
}

const PLACES: Record<Genre, readonly [x: number, y: number]> = {
  'hip hop': [0.6, 0.5],
  metal: [-0.1, 0.95],
  punk: [-0.3, 0.9],
  reggae: [-0.1, -0.3],
  latin: [-0.2, 0.6],
  country: [-0.7, 0.1],
  jazz: [-0.7, -0.5],
  blues: [-0.6, -0.3],
  'r&b': [0.3, -0.2],
  soul: [-0.3, 0.1],
  funk: [0.1, 0.6],
  disco: [0.5, 0.8],
  house: [0.95, 0.85],
  electronic: [0.9, -0.1],
  classical: [-0.95, -0.8],
  folk: [-0.9, -0.4],
  indie: [-0.1, 0.1],
  pop: [0.4, 0.4],
  rock: [-0.3, 0.6],
};

/** A song that was heard this long ago counts half on the trail. */
const HALF_LIFE = 45 * MINUTE;
const FEWEST_PLAYS = 8;
const LEAST_COVERAGE = 0.4;
const GENRES_SHOWN = 5;

/** The position of a range's music between acoustic and electronic, mellow and hype. */
export const vibeCompass: Surface<VibeCompass> = {
  name: 'vibe-compass',
  flag: 'SETLIST_VIBE_COMPASS_ENABLED',
  ranges: slidingRanges,
  compute(input, range) {
    const { from, to, label, plays } = selectRange(input, range as Range);
    const { place, genres, playsWithGenre } = placeGenres(
      input.sumUp(rangeSpan(range as Range, input.today), 'genre'),
    );
    const coverage = plays === 0 ? 0 : playsWithGenre / plays;
    const data: VibeCompass = {
      x: place?.x ?? null,
      y: place?.y ?? null,
      quadrant: place ? findQuadrant(place) : null,
      coverage: rounded(coverage),
      topGenres: genres.slice(0, GENRES_SHOWN),
      trail: hourlyTrail(input),
      insufficient: plays < FEWEST_PLAYS || coverage < LEAST_COVERAGE,
    };
    return { from, to, label, sampleSize: plays, data };
  },
};

/** The genres of a span by their plays, and their mean place, weighted by the time they were heard. */
export function placeGenres(totals: readonly Total[]) {
  const genres = totals
    .filter(({ key }) => isGenre(key))
    .sort((a, b) => b.plays - a.plays || (a.key < b.key ? -1 : 1));
  const playsWithGenre = sum(genres, 'plays');
  return {
    place: mean(genres.map(({ key, dwell_ms }) => [key, dwell_ms])),
    genres: genres.map(({ key, plays }) => ({ genre: key, share: rounded(plays / playsWithGenre) })),
    playsWithGenre,
  };
}

/** A place on an axis belongs to the positive side. */
function findQuadrant({ x, y }: Place): Quadrant {
  if (y < 0) return x < 0 ? 'Fireside' : 'Late drive';
  return x < 0 ? 'Singalong' : 'Dance floor';
}

/** The place at the end of each hour of the latest evening; recent songs weigh more. */
function hourlyTrail({ plays, latest, zone }: SurfaceInput): VibeCompass['trail'] {
  const { from, to } = nightBounds(latest.night, zone);
  const localHour = createHourReader(from, to, zone);
  const hours = Map.groupBy(plays, ({ at }) => localHour(at));
  return [...hours].flatMap(([hour, inside]) => {
    const end = inside.at(-1)!.at;
    const weights = plays
      .filter(({ at, genre }) => at <= end && genre !== null && isGenre(genre))
      .map(({ genre, dwellMs, at }) => [genre!, dwellMs * 0.5 ** ((end - at) / HALF_LIFE)] as const);
    const place = mean(weights);
    return place ? [{ hour, ...place, n: inside.length }] : [];
  });
}

function mean(weights: readonly (readonly [genre: string, weight: number])[]): Place | undefined {
  let [x, y, all] = [0, 0, 0];
  for (const [genre, weight] of weights) {
    const [toX, toY] = PLACES[genre as Genre];
    x += toX * weight;
    y += toY * weight;
    all += weight;
  }
  return all === 0 ? undefined : { x: rounded(x / all), y: rounded(y / all) };
}

const isGenre = (text: string): text is Genre => (GENRES as readonly string[]).includes(text);
