import { sql } from 'kysely';
import { build, prepare } from '#kernel/db/writes.ts';
import { boundsOf, nightOf } from './pub-days.ts';
import { type Range, spanOf } from './ranges.ts';
import { countOf, newIn } from './songs.ts';
import { rangeOf, rounded, type Surface, sum } from './surface.ts';
import { placeOf } from './vibe-compass.ts';

export interface Persona {
  /** Null while fewer than 50 songs were played. */
  id: string | null;
  name: string;
  line: string;
  traits: Traits;
  evidence: { label: string; value: string }[];
  /** What the house comes nearest to beside it. */
  runnerUp: { id: string; name: string } | null;
}

export interface Traits {
  /** How evenly the plays are spread over artists: 1 when each is of another one. */
  variety: number;
  /** The share of plays that brought a song for the first time. */
  novelty: number;
  /** The share of plays of a song that had been played in the range. */
  repeat: number;
  /** The share after 23:00. */
  nightOwl: number;
  /** From mellow (-1) to hype (+1), as on the compass; 0 while no genre is known. */
  energy: number;
}

interface Kind {
  id: string;
  name: string;
  line: string;
  /** How far the traits are from it: below 0 they fit. */
  misses(traits: Traits): number;
}

const FEWEST_PLAYS = 50;

/** The first that fits is it. */
const KINDS: readonly Kind[] = [
  {
    id: 'jukebox-historian',
    name: 'Jukebox Historian',
    line: 'Knows what it likes, and plays it again.',
    misses: ({ novelty, repeat }) => Math.max(novelty - 0.1, 0.5 - repeat),
  },
  {
    id: 'crate-digger',
    name: 'Crate Digger',
    line: 'Always one song ahead of everybody in the room.',
    misses: ({ novelty }) => 0.35 - novelty,
  },
  {
    id: 'dance-captain',
    name: 'Dance Captain',
    line: 'Comes alive when the clock has struck eleven.',
    misses: ({ energy, nightOwl }) => Math.max(0.4 - energy, 0.4 - nightOwl),
  },
  {
    id: 'fireside-regular',
    name: 'Fireside Regular',
    line: 'A quiet corner, a slow song, a second glass.',
    misses: ({ energy }) => energy + 0.2,
  },
  {
    id: 'shape-shifter',
    name: 'Shape-shifter',
    line: 'Never the same artist twice, if it can be helped.',
    misses: ({ variety }) => 0.9 - variety,
  },
];

const HOUSE_BLEND = {
  id: 'house-blend',
  name: 'House Blend',
  line: 'A little of everything, poured evenly.',
};
const UNKNOWN = {
  id: null,
  name: 'Still listening',
  line: 'Fifty songs have to be played before the house shows its character.',
};

/** The character of the house, told from what it played. */
export const persona: Surface<Persona> = {
  name: 'persona',
  flag: 'SETLIST_PERSONA_ENABLED',
  ranges: () => ['30d', '7d', 'term', 'all'],
  compute(house, range) {
    const { from, to, label, nights, plays } = rangeOf(house, range as Range);
    const { name } = spanOf(range as Range, house.today);
    const { read, zone } = house;
    const songs = countOf(read, name, 'song');
    const artists = read.all(artistsByPlays(name));
    const times = [boundsOf(nightOf(from), zone).from, boundsOf(nightOf(to), zone).to] as const;
    const fresh = newIn(read, 'song', ...times);
    const late = sum(nights, 'late_plays');
    const traits = traitsOf({
      variety: plays > 1 ? spreadOf(artists, plays) / Math.log(plays) : 0,
      novelty: fresh / plays,
      repeat: 1 - songs / plays,
      nightOwl: late / plays,
      energy: placeOf(read, name).place?.y ?? 0,
    });
    const evidence = [
      { label: 'Plays', value: count(plays) },
      { label: 'Different songs', value: count(songs) },
      { label: 'Different artists', value: count(sum(artists, 'many')) },
      { label: 'Heard here for the first time', value: count(fresh) },
      { label: 'After eleven at night', value: `${Math.round(traits.nightOwl * 100)}%` },
    ];
    return { from, to, label, sampleSize: plays, data: { ...judge(traits, plays), traits, evidence } };
  },
};

function judge(traits: Traits, plays: number): Omit<Persona, 'traits' | 'evidence'> {
  if (plays < FEWEST_PLAYS) return { ...UNKNOWN, runnerUp: null };
  const fitting = KINDS.find(({ misses }) => misses(traits) < 0);
  const [nearest] = KINDS.filter((kind) => kind !== fitting).sort(
    (a, b) => a.misses(traits) - b.misses(traits),
  );
  const { id, name, line } = fitting ?? HOUSE_BLEND;
  return { id, name, line, runnerUp: { id: nearest!.id, name: nearest!.name } };
}

/** Of nothing nothing can be said. */
function traitsOf(traits: Traits): Traits {
  const whole = Object.entries(traits).map(([trait, value]) => [
    trait,
    Number.isFinite(value) ? rounded(value) : 0,
  ]);
  return Object.fromEntries(whole);
}

/** The entropy of the plays over the artists, of whom so many have so many plays each. */
function spreadOf(artists: readonly { plays: number; many: number }[], all: number): number {
  return artists.reduce((spread, { plays, many }) => {
    const share = plays / all;
    return spread - many * share * Math.log(share);
  }, 0);
}

const NUMBERS = new Intl.NumberFormat('en-US');
const count = (value: number) => NUMBERS.format(value);

const artistsByPlays = prepare(
  build
    .selectFrom('rollup_totals')
    .select(['plays', sql<number>`count(*)`.as('many')])
    .where('span', '=', '')
    .where('kind', '=', 'artist')
    .groupBy('plays')
    .orderBy('plays'),
  (span: string) => [span, 'artist'],
);
