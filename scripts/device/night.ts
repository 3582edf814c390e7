import { CATALOGUE, type Song } from './catalogue.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The device's classification of what it hears. */
export interface Verdict {
  kind: 'music' | 'sports' | 'movie' | 'silence';
  confidence: number;
  hint?: string;
}

/** An event of a night; `at` is in milliseconds since its start. */
export type Step = { at: number } & (
  | {
      kind: 'track';
      song: Song;
      source: Source;
      confidence: number;
      /** When the song began, as estimated by the device. */
      startedAt: number;
    }
  | { kind: 'silence' }
  | { kind: 'verdict'; content: Verdict }
  /** The current position in the song that was reported last. */
  | { kind: 'offset'; offsetMs: number; confidence: number }
  | { kind: 'room'; qsysDown: boolean; quietActive: boolean }
);

export interface NightOptions {
  /** The same seed gives the same night. */
  seed: number;
  hours?: number;
}

/** The parts of an evening as shares of its length; whether `screen` is a game or a film is random. */
const EVENING: readonly (readonly [part: 'music' | 'silence' | 'screen', share: number])[] = [
  ['music', 0.3],
  ['silence', 0.01],
  ['music', 0.17],
  ['screen', 0.14],
  ['music', 0.2],
  ['silence', 0.005],
  ['music', 0.175],
];
/** Shortest time before the same song is played again; for the same artist it is a third of this. */
const REST_MS = 90 * MINUTE;
/** Like the service: two reports of one song within this time count as one play. */
const SAME_PLAY_MS = 30 * SECOND;

/**
 * Plans a realistic night as the capture device reports it, in order: songs, some reported twice, pauses, a game or a
 * film on the screen with its own music, a sound desk that is offline for a while, and offsets within each song.
 */
export function planNight({ seed, hours = 7 }: NightOptions): Step[] {
  const dice = diceOf(seed);
  const total = hours * 60 * MINUTE;
  const pick = shelfPicker(dice);
  const steps: Step[] = [];
  let at = 0;
  for (const [part, share] of EVENING) {
    const end = at + share * total;
    if (part === 'music') steps.push(...musicUntil(end, at, dice, pick));
    if (part === 'silence') steps.push(...silenceUntil(end, at));
    if (part === 'screen') steps.push(...screenUntil(end, at, dice, pick));
    at = end;
  }
  const away = total * (0.35 + 0.2 * dice());
  steps.push(
    ...silenceUntil(at + MINUTE, at),
    { at: away, kind: 'room', qsysDown: true, quietActive: false },
    { at: away + 3 * MINUTE, kind: 'room', qsysDown: false, quietActive: false },
    { at: total * 0.86, kind: 'room', qsysDown: false, quietActive: true },
  );
  return steps.map((step) => ({ ...step, at: Math.round(step.at) })).sort((a, b) => a.at - b.at);
}

type Dice = () => number;
type Source = 'program' | 'wallstereo' | 'wallxlr';
type Picker = (at: number) => Song;

function musicUntil(end: number, from: number, dice: Dice, pick: Picker): Step[] {
  const steps: Step[] = [verdict(from, { kind: 'music', confidence: 0.9 })];
  const source = dice() < 0.8 ? 'program' : dice() < 0.5 ? 'wallstereo' : 'wallxlr';
  let begins = from;
  while (begins < end - 20 * SECOND) {
    const song = pick(begins);
    const ends = Math.min(begins + song.durationMs, end);
    steps.push(...songHeard({ song, begins, ends, source }, dice));
    begins = ends + between(dice, 1, 7) * SECOND;
  }
  return steps;
}

/** The steps of one song: reported once or twice, then offsets until it ends. */
function songHeard(
  { song, begins, ends, source }: { song: Song; begins: number; ends: number; source: Source },
  dice: Dice,
): Step[] {
  const startedAt = Math.round(begins + between(dice, 1, 4) * SECOND);
  const report = { kind: 'track' as const, song, source, confidence: rounded(between(dice, 0.72, 0.99)) };
  const steps: Step[] = [{ at: startedAt + between(dice, 3, 9) * SECOND, ...report, startedAt }];
  if (dice() < 0.25 && ends - begins > MINUTE) {
    const again = Math.round(startedAt + between(dice, 12, SAME_PLAY_MS / SECOND - 1) * SECOND);
    const spelt = dice() < 0.5 ? { ...song, title: song.title.toUpperCase() } : song;
    steps.push({ at: again, ...report, song: spelt, startedAt: again });
  }
  for (let at = startedAt + 18 * SECOND; at < ends; at += between(dice, 20, 40) * SECOND) {
    const sure = dice() < 0.9 ? between(dice, 0.6, 0.98) : between(dice, 0.2, 0.45);
    const offsetMs = Math.round(at - begins + between(dice, -60, 60));
    steps.push({ at, kind: 'offset', offsetMs, confidence: rounded(sure) });
  }
  return steps;
}

/** Silence is reported 15 seconds after its start, or halfway through a shorter one. */
function silenceUntil(end: number, from: number): Step[] {
  const noticed = Math.min(from + 15 * SECOND, (from + end) / 2);
  return [verdict(from, { kind: 'silence', confidence: 0.97 }), { at: noticed, kind: 'silence' }];
}

/** A game, or on some nights a film, in which music is recognised now and then. */
function screenUntil(end: number, from: number, dice: Dice, pick: Picker): Step[] {
  const film = dice() < 0.35;
  const steps: Step[] = [
    verdict(
      from,
      film
        ? { kind: 'movie', confidence: 0.83 }
        : { kind: 'sports', confidence: 0.88, hint: 'ice hockey, crowd, commentary' },
    ),
  ];
  for (let t = from + (end - from) * 0.25; t < end - MINUTE; t += between(dice, 5, 9) * MINUTE) {
    steps.push({
      at: t,
      kind: 'track',
      song: pick(t),
      source: 'wallxlr',
      startedAt: Math.round(t - 6 * SECOND),
      confidence: rounded(between(dice, 0.5, 0.75)),
    });
  }
  return steps;
}

/** Picks random songs, favourites more often, and none again before `REST_MS` has passed. */
function shelfPicker(dice: Dice): Picker {
  const songRested = new Map<Song, number>();
  const artistRested = new Map<string, number>();
  return (at) => {
    const weights = CATALOGUE.map((song, index) => {
      const tired = (songRested.get(song) ?? 0) > at || (artistRested.get(song.artist) ?? 0) > at;
      return tired ? 0 : 1 / (6 + index);
    });
    const song = weighted(weights, dice());
    songRested.set(song, at + REST_MS);
    artistRested.set(song.artist, at + REST_MS / 3);
    return song;
  };
}

/** Picks a song with a probability given by its weight. @param share random number from 0 to 1 */
function weighted(weights: readonly number[], share: number): Song {
  let left = share * weights.reduce((sum, weight) => sum + weight, 0);
  const index = weights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
  return CATALOGUE[index] ?? CATALOGUE[0]!;
}

function verdict(at: number, content: Verdict): Step {
  return { at, kind: 'verdict', content };
}

/** Random numbers from 0 to 1 that depend only on the seed (mulberry32). */
function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function between(dice: Dice, least: number, most: number): number {
  return least + dice() * (most - least);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
