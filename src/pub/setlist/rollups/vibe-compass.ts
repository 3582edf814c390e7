import { MINUTE } from '#kernel/clock.ts';
import { build, prepare, type Tx } from '#kernel/db/writes.ts';
import { GENRES, type Genre } from '#pub/now-playing/genre-names.ts';
import { boundsOf, hourReader } from './pub-days.ts';
import { type Range, spanOf } from './ranges.ts';
import { type House, rangeOf, rounded, type Surface, slidingRanges, sum } from './surface.ts';

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
  /** Too little is known to say anything. */
  insufficient: boolean;
}

export type Quadrant = 'Fireside' | 'Singalong' | 'Late drive' | 'Dance floor';

/** Of the plays whose genre is known. */
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

/** What was heard so long ago counts half on the trail. */
const HALF_LIFE = 45 * MINUTE;
const FEWEST_PLAYS = 8;
const LEAST_COVERAGE = 0.4;
const GENRES_SHOWN = 5;

/** Where the music of a range lies between acoustic and electronic, mellow and hype. */
export const vibeCompass: Surface<VibeCompass> = {
  name: 'vibe-compass',
  flag: 'SETLIST_VIBE_COMPASS_ENABLED',
  ranges: slidingRanges,
  compute(house, range) {
    const { from, to, label, plays } = rangeOf(house, range as Range);
    const { place, genres, known } = placeOf(house.read, spanOf(range as Range, house.today).name);
    const coverage = plays === 0 ? 0 : known / plays;
    const data: VibeCompass = {
      x: place?.x ?? null,
      y: place?.y ?? null,
      quadrant: place ? quadrantOf(place) : null,
      coverage: rounded(coverage),
      topGenres: genres.slice(0, GENRES_SHOWN),
      trail: trailOf(house),
      insufficient: plays < FEWEST_PLAYS || coverage < LEAST_COVERAGE,
    };
    return { from, to, label, sampleSize: plays, data };
  },
};

/** The mean place of what a span played, each genre by the time it was heard, and the genres by their plays. */
export function placeOf(read: Tx, span: string) {
  const genres = read.all(genresOf(span)).filter(({ key }) => isGenre(key));
  const known = sum(genres, 'plays');
  return {
    place: mean(genres.map(({ key, dwell_ms }) => [key, dwell_ms])),
    genres: genres.map(({ key, plays }) => ({ genre: key, share: rounded(plays / known) })),
    known,
  };
}

/** The place on the border belongs to the livelier, more electronic side. */
function quadrantOf({ x, y }: Place): Quadrant {
  if (y < 0) return x < 0 ? 'Fireside' : 'Late drive';
  return x < 0 ? 'Singalong' : 'Dance floor';
}

/** After each hour of the latest evening: where the music was, the most recent counting most. */
function trailOf({ plays, latest, zone }: House): VibeCompass['trail'] {
  const { from, to } = boundsOf(latest.night, zone);
  const hourOf = hourReader(from, to, zone);
  const hours = Map.groupBy(plays, ({ at }) => hourOf(at));
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

const genresOf = prepare(
  build
    .selectFrom('rollup_totals')
    .innerJoin('rollup_subjects', 'rollup_subjects.id', 'rollup_totals.subject')
    .select(['key', 'plays', 'dwell_ms'])
    .where('span', '=', '')
    .where('rollup_totals.kind', '=', 'genre')
    .orderBy('plays', 'desc')
    .orderBy('key'),
  (span: string) => [span, 'genre'],
);
